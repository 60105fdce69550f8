import { describe, expect, it } from 'vitest';
import { BoundedCache } from './bounded-cache.ts';

describe('a bounded cache', () => {
  it('keeps what is asked for while others come and go', () => {
    const cache = new BoundedCache<string, number>(8);
    cache.set('kept', 1);
    for (let other = 0; other < 1_000; other += 1) {
      cache.set(`other ${other}`, other);
      expect(cache.get('kept')).toBe(1);
      expect(cache.get(`other ${other}`)).toBe(other);
    }
  });

  it('never holds more than its capacity, and always the last half', () => {
    const cache = new BoundedCache<number, string>(8);
    for (let key = 0; key < 100; key += 1) cache.set(key, `${key}`);
    const held = Array.from({ length: 100 }, (_, key) => key).filter((key) => key < 96 && cache.get(key) !== undefined);
    expect(held.length).toBeLessThanOrEqual(4);
    expect([96, 97, 98, 99].map((key) => cache.get(key))).toEqual(['96', '97', '98', '99']);
  });

  it('replaces what is set again', () => {
    const cache = new BoundedCache<string, number>(2);
    cache.set('one', 1);
    cache.set('one', 2);
    expect(cache.get('one')).toBe(2);
  });
});
