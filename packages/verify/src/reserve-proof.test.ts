import { randomBytes, randomUUID } from 'node:crypto';
import { addressFromBytes } from '@hunter/solana/address';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Asset } from '../../../apps/server/src/ledger/journal.ts';
import {
  leafPath,
  reserveSalt,
  rootOf,
  storedTree,
  type ReserveLeaf,
} from '../../../apps/server/src/treasury/reserves/reserve-tree.ts';
import { verifyReserve, type ReserveProof } from './reserve-proof.ts';

const snapshotId = randomUUID();
const mint = addressFromBytes(randomBytes(32));

function proofOf(leaves: readonly ReserveLeaf[], asset: Asset, leaf: ReserveLeaf) {
  const tree = storedTree(snapshotId, asset, leaves);
  const { root, sum } = rootOf(tree);
  const { index, amount, path } = leafPath(tree, leaf.bookId)!;
  const salt = Buffer.from(leaf.salt).toString('base64url');
  const proof: ReserveProof = { snapshotId, asset, bookId: leaf.bookId, salt, amount: amount.toString(), index, path };
  return { proof, published: { root, sum: sum.toString() } };
}

const aLeaf = (amount: bigint): ReserveLeaf => {
  const bookId = randomUUID();
  return { bookId, amount, salt: reserveSalt(randomBytes(32), snapshotId, mint) };
};

it('lets every book find its amount under the published root, whatever the books are', () => {
  fc.assert(
    fc.property(fc.array(fc.bigInt(0n, 2n ** 50n), { minLength: 1, maxLength: 90 }), fc.nat(), (amounts, which) => {
      const leaves = amounts.map(aLeaf);
      const { proof, published } = proofOf(leaves, mint, leaves[which % leaves.length]!);
      expect(verifyReserve(proof, published)).toEqual({ ok: true });
      expect(published.sum).toBe(amounts.reduce((sum, amount) => sum + amount, 0n).toString());
    }),
    { numRuns: 40 },
  );
});

it('refuses another amount, book, asset, salt, place or sum', () => {
  const leaves = [5n, 7n, 11n].map(aLeaf);
  const { proof, published } = proofOf(leaves, 'SOL', leaves[1]!);
  expect(verifyReserve(proof, published)).toEqual({ ok: true });
  const other = { ok: false, problem: 'other-root' };
  expect(verifyReserve({ ...proof, amount: '8' }, published)).toEqual(other);
  expect(verifyReserve({ ...proof, bookId: randomUUID() }, published)).toEqual(other);
  expect(verifyReserve({ ...proof, asset: mint }, published)).toEqual(other);
  expect(verifyReserve({ ...proof, salt: randomBytes(32).toString('base64url') }, published)).toEqual(other);
  expect(verifyReserve({ ...proof, index: proof.index ^ 1 }, published)).toEqual({ ok: false, problem: 'wrong-path' });
  expect(verifyReserve(proof, { ...published, sum: '22' })).toEqual(other);
  expect(verifyReserve({ ...proof, amount: '-1' }, published)).toEqual({ ok: false, problem: 'unreadable-proof' });
});

it('tells by the length of the path no more than that there are at most 64 books', () => {
  const one = aLeaf(5n);
  const many = Array.from({ length: 60 }, () => aLeaf(1n));
  expect(proofOf([one], mint, one).proof.path).toHaveLength(6);
  expect(proofOf(many, mint, many[3]!).proof.path).toHaveLength(6);
});
