import { expect, it } from 'vitest';
import { intoTransfers, largestReturn } from './return-funds.ts';

it('asks the signer for what it lets go at once, and for the rest in parts of a fifth of all commits', () => {
  expect(largestReturn(100_000_000n, 0n, 1_000_000_000n)).toBe(150_000_000n);
  expect(largestReturn(100_000_000n, 120_000_000n, 1_000_000_000n)).toBe(30_000_000n);
  expect(largestReturn(100_000_000n, 150_000_000n, 1_000_000_000n)).toBe(200_000_000n);
  expect(largestReturn(100_000_000n, 149_995_000n, 1_000_000_000n)).toBe(200_000_000n);
});

it('returns the SOL of as many people as fit in one transfer, and coins with the SOL of their owner alone', () => {
  const sol = (count: number) => Array.from({ length: count }, (_, index) => [`SOL ${index}`]);
  const sizes = (follows: readonly (readonly string[])[]) => {
    const { transfers, seen } = intoTransfers(follows);
    return { sizes: transfers.map((legs) => legs.length), seen };
  };
  expect(sizes([])).toEqual({ sizes: [], seen: 0 });
  expect(sizes([[], ...sol(22), []])).toEqual({ sizes: [21, 1], seen: 24 });
  expect(intoTransfers([['a'], ['b', 'coin'], ['c']])).toEqual({
    transfers: [
      ['b', 'coin'],
      ['a', 'c'],
    ],
    seen: 3,
  });
  // What failed before must not take the others along again.
  expect(intoTransfers([['a'], ['b'], [], ['c']], (index) => index === 1 || index === 2)).toEqual({
    transfers: [['b'], ['a', 'c']],
    seen: 4,
  });
});

it('places no more transfers than may be under way at once, and says how far it came', () => {
  const alone = Array.from({ length: 20 }, (_, index) => [`SOL ${index}`, 'coin']);
  expect(intoTransfers(alone)).toEqual({ transfers: alone.slice(0, 16), seen: 16 });
  const { transfers, seen } = intoTransfers(Array.from({ length: 400 }, (_, index) => [index]));
  expect(transfers).toHaveLength(16);
  expect(transfers.flat()).toEqual(Array.from({ length: 336 }, (_, index) => index));
  expect(seen).toBe(336);
});
