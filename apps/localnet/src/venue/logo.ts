import { Avatar, Style } from '@dicebear/core';
import rings from '@dicebear/styles/rings.json' with { type: 'json' };
import shapes from '@dicebear/styles/shapes.json' with { type: 'json' };
import glass from '@dicebear/styles/glass.json' with { type: 'json' };
import funEmoji from '@dicebear/styles/fun-emoji.json' with { type: 'json' };
import critters from '@dicebear/styles/critters.json' with { type: 'json' };
import { BoundedCache } from '@hunter/solana/bounded-cache';
import { hashText } from './noise.ts';

const styles = [shapes, funEmoji, rings, critters, glass].map((definition) => new Style(definition));
const cache = new BoundedCache<string, string>(500);

/** A picture that depends on the mint alone. */
export function logoSvg(mint: string): string {
  const known = cache.get(mint);
  if (known !== undefined) return known;
  const style = styles[hashText(mint) % styles.length]!;
  const svg = new Avatar(style, { seed: mint, size: 96 }).toString();
  cache.set(mint, svg);
  return svg;
}
