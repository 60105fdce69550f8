import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { HolderPair } from './holder-batch.ts';
import { StoredPairs } from './stored-pairs.ts';

const aPair = fc.record({
  tokenId: fc.integer({ min: 1, max: 4 }),
  traderId: fc.integer({ min: 1, max: 2 ** 31 - 1 }),
});
const aStep = fc.oneof(
  fc.record({ kind: fc.constant('store' as const), pairs: fc.array(aPair, { maxLength: 20 }) }),
  fc.record({ kind: fc.constant('learn' as const), tokenId: fc.integer({ min: 1, max: 4 }) }),
  fc.record({ kind: fc.constant('elsewhere' as const), pair: aPair }),
);

function pairsOf(tokenId: number, count: number): HolderPair[] {
  return Array.from({ length: count }, (_, index) => ({ tokenId, traderId: index + 1 }));
}

it('never denies a pair that is stored, however it came there, even while it grows', () => {
  fc.assert(
    fc.property(fc.array(aStep, { maxLength: 60 }), (steps) => {
      const table: HolderPair[] = [];
      const pairs = new StoredPairs(32);
      for (const step of steps) {
        if (step.kind === 'store') {
          pairs.add(step.pairs);
          table.push(...step.pairs);
        } else if (step.kind === 'learn') {
          const stored = table.filter(({ tokenId }) => tokenId === step.tokenId);
          pairs.learn([step.tokenId], stored);
        } else {
          pairs.forget(step.pair.tokenId);
          table.push(step.pair);
        }
        expect(table.every((pair) => pairs.mayHave(pair))).toBe(true);
      }
    }),
  );
});

it('denies nearly all pairs that are not stored, of tokens it has learnt and of no others', () => {
  const pairs = new StoredPairs();
  pairs.learn([1, 2], pairsOf(1, 100_000));
  const others = pairsOf(1, 200_000).slice(100_000);
  expect(others.filter((pair) => pairs.mayHave(pair)).length).toBeLessThan(100);
  expect(pairs.mayHave({ tokenId: 2, traderId: 7 })).toBe(false);
  expect(pairs.mayHave({ tokenId: 3, traderId: 7 })).toBe(true);
  pairs.forget(2);
  expect(pairs.mayHave({ tokenId: 2, traderId: 7 })).toBe(true);
});

it('forgets what it has learnt where it grows, and learns it again into more room', () => {
  const pairs = new StoredPairs(1_024);
  pairs.learn([1], pairsOf(1, 90));
  expect(pairs.hasLearnt(1)).toBe(true);
  pairs.add(pairsOf(2, 90));
  expect(pairs.hasLearnt(1)).toBe(false);
  pairs.learn([1], pairsOf(1, 90));
  expect(pairs.hasLearnt(1)).toBe(true);
});
