import { expect, it } from 'vitest';
import { PictureCache } from './picture-cache.ts';

const picture = (bytes: number) => ({ type: 'image/png', bytes: new Uint8Array(bytes) });

it('keeps no more bytes than it may, and of them what was asked for last', () => {
  const cache = new PictureCache(100);
  cache.set('a', picture(40));
  cache.set('b', picture(40));
  cache.set('b', picture(50));
  expect(cache.get('a')).toBeDefined();
  cache.set('c', picture(20));
  expect(['a', 'b', 'c'].filter((key) => cache.get(key) !== undefined)).toEqual(['a', 'c']);
  cache.set('large', picture(101));
  expect(['a', 'b', 'c', 'large'].filter((key) => cache.get(key) !== undefined)).toEqual([]);
  cache.set('d', picture(100));
  expect(cache.get('d')).toBeDefined();
});
