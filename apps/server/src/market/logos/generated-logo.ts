import { Avatar, Style } from '@dicebear/core';
import funEmoji from '@dicebear/styles/fun-emoji.json' with { type: 'json' };
import glass from '@dicebear/styles/glass.json' with { type: 'json' };
import rings from '@dicebear/styles/rings.json' with { type: 'json' };
import shapes from '@dicebear/styles/shapes.json' with { type: 'json' };
import { createHash } from 'node:crypto';
import type { Logo } from './fetch-logo.ts';

const styles = [shapes, funEmoji, rings, glass].map((definition) => new Style(definition));
const SIZE_PIXELS = 96;

/** A picture that depends on the mint alone, so that the same token looks the same everywhere. */
export function generatedLogo(mint: string): Logo {
  const style = styles[createHash('sha256').update(mint).digest()[0]! % styles.length]!;
  const svg = new Avatar(style, { seed: mint, size: SIZE_PIXELS }).toString();
  return { type: 'image/svg+xml', bytes: Buffer.from(svg) };
}
