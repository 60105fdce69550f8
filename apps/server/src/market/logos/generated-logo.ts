import { createHash } from 'node:crypto';
import type { Address } from '@hunter/solana/address';
import type { Logo } from './fetch-logo.ts';

const SIZE_PIXELS = 96;

/** Loaded with the first picture: reading the styles takes longer than all the rest of the server's start. */
async function loadStyles() {
  const [{ Avatar, Style }, ...definitions] = await Promise.all([
    import('@dicebear/core'),
    import('@dicebear/styles/fun-emoji.json', { with: { type: 'json' } }),
    import('@dicebear/styles/glass.json', { with: { type: 'json' } }),
    import('@dicebear/styles/rings.json', { with: { type: 'json' } }),
    import('@dicebear/styles/shapes.json', { with: { type: 'json' } }),
  ]);
  return { Avatar, styles: definitions.map((definition) => new Style(definition.default)) };
}

let loading: ReturnType<typeof loadStyles> | null = null;

/** A picture that depends on the mint alone, so that the same token looks the same everywhere. */
export async function generatedLogo(mint: Address): Promise<Logo> {
  loading ??= loadStyles();
  const { Avatar, styles } = await loading;
  const style = styles[createHash('sha256').update(mint).digest()[0]! % styles.length]!;
  const svg = new Avatar(style, { seed: mint, size: SIZE_PIXELS }).toString();
  return { type: 'image/svg+xml', bytes: Buffer.from(svg) };
}
