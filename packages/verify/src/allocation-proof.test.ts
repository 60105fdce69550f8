import { address, addressFromBytes } from '@hunter/solana/address';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  allocationSalt,
  allocationTree,
  type AllocationLeaf,
  type AllocationRound,
} from '../../../apps/server/src/trading/rounds/allocation-tree.ts';
import { verifyAllocation, type AllocationProof } from './allocation-proof.ts';

const ROUND: AllocationRound = {
  wallet: 'So11111111111111111111111111111111111111112',
  roundId: '0196a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b',
  attempt: 1,
  side: 'buy',
  mint: address('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'),
};

const addresses = fc.uint8Array({ minLength: 32, maxLength: 32 }).map(addressFromBytes);
const rounds: fc.Arbitrary<AllocationRound> = fc.record({
  wallet: addresses,
  roundId: fc.uuid(),
  attempt: fc.nat({ max: 2 ** 32 - 1 }),
  side: fc.constantFrom('buy', 'sell'),
  mint: addresses,
});
const leafLists: fc.Arbitrary<AllocationLeaf[]> = fc.uniqueArray(
  fc
    .record({
      followId: fc.uuid(),
      salt: fc.uint8Array({ minLength: 32, maxLength: 32 }),
      amountIn: fc.bigInt({ min: 0n, max: 10n ** 18n }),
      reason: fc.constantFrom(0, 0, 0, 13, 25),
    })
    .map((leaf) => ({ ...leaf, amountIn: leaf.reason === 0 ? leaf.amountIn : 0n })),
  { selector: ({ followId }) => followId, minLength: 1, maxLength: 18 },
);

describe('allocation proofs', () => {
  it('verify for every allocation and skip of a round, and show the sum of all inputs', () => {
    fc.assert(
      fc.property(rounds, leafLists, (round, leaves) => {
        const tree = allocationTree(round, leaves);
        const sum = leaves.reduce((total, { amountIn }) => total + amountIn, 0n);
        expect(tree).toMatchObject({ sum, count: leaves.length });
        for (const { followId, amountIn } of leaves) {
          expect(verifyAllocation(tree.proof(followId), tree.memo)).toEqual({
            ok: true,
            amountIn,
            sum,
            count: leaves.length,
          });
        }
      }),
    );
  });

  it('have sums that, with the own input, add up to the input of the swap', () => {
    fc.assert(
      fc.property(rounds, leafLists, (round, leaves) => {
        const tree = allocationTree(round, leaves);
        for (const { followId, amountIn } of leaves) {
          const siblings = tree.proof(followId).path.reduce((total, step) => total + BigInt(step.sum), 0n);
          expect(amountIn + siblings).toBe(tree.sum);
        }
      }),
    );
  });

  it('do not depend on the order in which allocations are listed', () => {
    fc.assert(
      fc.property(rounds, leafLists, fc.integer(), (round, leaves, turn) => {
        const at = Math.abs(turn) % leaves.length;
        const other = [...leaves.slice(at), ...leaves.slice(0, at)].reverse();
        expect(allocationTree(round, other).memo).toBe(allocationTree(round, leaves).memo);
        const { followId } = leaves[0]!;
        expect(allocationTree(round, other).proof(followId)).toEqual(allocationTree(round, leaves).proof(followId));
      }),
    );
  });

  it('fail for any field that was changed', () => {
    const changes: Record<string, (proof: AllocationProof) => Partial<AllocationProof>> = {
      wallet: ({ mint }) => ({ wallet: mint }),
      mint: ({ wallet }) => ({ mint: wallet }),
      roundId: ({ followId }) => ({ roundId: followId }),
      followId: ({ roundId }) => ({ followId: roundId }),
      attempt: ({ attempt }) => ({ attempt: attempt ^ 1 }),
      side: ({ side }) => ({ side: side === 'buy' ? 'sell' : 'buy' }),
      salt: () => ({ salt: 'A'.repeat(43) }),
      'more in': ({ amountIn }) => ({ amountIn: String(BigInt(amountIn) + 1n), reason: 0 }),
      reason: ({ reason }) => ({ reason: reason + 1, amountIn: '0' }),
      count: ({ count }) => ({ count: count + 1 }),
      index: ({ index }) => ({ index: index ^ 1 }),
      'shorter path': ({ path }) => (path.length === 0 ? { count: 2 } : { path: path.slice(1) }),
      'sum moved along the path': ({ path, amountIn }) => ({
        amountIn: String(BigInt(amountIn) + 1n),
        reason: 0,
        path: path.map((step, at) => (at === 0 ? { ...step, sum: String(BigInt(step.sum) - 1n) } : step)),
      }),
    };
    fc.assert(
      fc.property(rounds, leafLists, fc.constantFrom(...Object.keys(changes)), (round, leaves, name) => {
        const tree = allocationTree(round, leaves);
        const proof = tree.proof(leaves[0]!.followId);
        expect(verifyAllocation({ ...proof, ...changes[name]!(proof) }, tree.memo).ok).toBe(false);
      }),
      { numRuns: 500 },
    );
  });

  it('change the memo with every amount, salt, reason, follow and padding', () => {
    const leaf = (followId: string, amountIn: bigint, salt = 1, reason = 0): AllocationLeaf => ({
      followId,
      salt: new Uint8Array(32).fill(salt),
      amountIn,
      reason,
    });
    const [one, two, three] = [1, 2, 3].map((n) => `0196a1b2-c3d4-7e5f-8a9b-00000000000${n}`) as [
      string,
      string,
      string,
    ];
    const memos = [
      [leaf(one, 5n)],
      [leaf(one, 6n)],
      [leaf(one, 5n, 2)],
      [leaf(two, 5n)],
      [leaf(one, 0n)],
      [leaf(one, 0n, 1, 13)],
      [leaf(one, 5n), leaf(two, 0n)],
      [leaf(one, 5n), leaf(two, 0n), leaf(three, 0n)],
    ].map((leaves) => allocationTree(ROUND, leaves).memo);
    expect(new Set(memos).size).toBe(memos.length);
  });

  it('are pinned: a change of the bytes needs a new version of the memo', () => {
    const leaves = [1, 2, 3].map((n) => {
      const followId = `0196a1b2-c3d4-7e5f-8a9b-00000000000${n}`;
      return {
        followId,
        salt: allocationSalt(new Uint8Array(32).fill(n), ROUND.roundId, ROUND.attempt),
        amountIn: n === 3 ? 0n : BigInt(n) * 1_000_000_000n,
        reason: n === 3 ? 13 : 0,
      };
    });
    expect(allocationTree(ROUND, leaves).memo).toBe('hunter:a1:eNmG0V2jnRNz_EuNaTgU3XoQBVFT8yucxC90yS_1vHc');
  });

  it('refuse what is not a round: no allocations, one follow twice, a skip with an amount, sums above 64 bits', () => {
    const leaf = { followId: ROUND.roundId, salt: new Uint8Array(32), amountIn: 1n, reason: 0 };
    expect(() => allocationTree(ROUND, [])).toThrow('no allocations');
    expect(() => allocationTree(ROUND, [leaf, { ...leaf, followId: leaf.followId.toUpperCase() }])).toThrow('two');
    expect(() => allocationTree(ROUND, [{ ...leaf, reason: 2 }])).toThrow('has an amount');
    expect(() => allocationTree(ROUND, [{ ...leaf, salt: new Uint8Array(31) }])).toThrow('31 bytes');
    const big = 2n ** 64n - 1n;
    const other = '0196a1b2-c3d4-7e5f-8a9b-000000000001';
    expect(() =>
      allocationTree(ROUND, [
        { ...leaf, amountIn: big },
        { ...leaf, followId: other },
      ]),
    ).toThrow('64 bits');
    expect(() => allocationTree(ROUND, [leaf]).proof(other)).toThrow('no allocation of');
  });

  it('that cannot be read are refused with what is wrong, not thrown', () => {
    const tree = allocationTree(ROUND, [
      { followId: ROUND.roundId, salt: new Uint8Array(32), amountIn: 1n, reason: 0 },
    ]);
    const proof = tree.proof(ROUND.roundId);
    for (const change of [
      { wallet: 'l0O' },
      { wallet: '1'.repeat(60) },
      { roundId: 'x' },
      { salt: 'short' },
      { salt: `${'A'.repeat(42)}B` },
      { amountIn: '-1' },
      { amountIn: '18446744073709551616' },
      { attempt: 0.5 },
      { side: 'none' as 'buy' },
    ]) {
      expect(verifyAllocation({ ...proof, ...change }, tree.memo)).toMatchObject({
        ok: false,
        problem: 'unreadable-proof',
      });
    }
  });
});
