// The sum tree of a proof of reserves, version 1: one per asset over the books in strategy wallets.
//   leaf = SHA-256(00 ‖ "hunter-reserve-1" ‖ snapshotId ‖ asset ‖ bookId ‖ salt ‖ amount u64)
// with the nodes of `sum-tree.ts`. Ids are the 16 bytes of their UUID, `asset` the 32 bytes of the mint, of SOL 32 zero bytes. Leaves
// stand in the order of their hashes; random ones with sum 0 fill them up to a power of two and at least 64, so that nobody learns how
// many books there are. The list is never published: a book's owner is told the own leaf with its path.
// `packages/verify` checks proofs with an implementation of its own.

import { createHash, createHmac, randomBytes } from 'node:crypto';
import { addressBytes } from '@hunter/solana/address';
import { SOL, type Asset } from '../../ledger/journal.ts';
import { HASH_BYTES, levelsAbove, pathOf, sizeOf, type PathStep } from '../../platform/sum-tree.ts';

const TAG = Buffer.from('hunter-reserve-1', 'ascii');
const LEAVES_MIN = 64;

export type ReserveLeaf = { bookId: string; amount: bigint; salt: Uint8Array };

/** As it is stored: places without a book are filling. */
export type StoredTree = { hashes: Buffer; sums: bigint[]; bookIds: (string | null)[] };

export function reserveSalt(bookKey: Uint8Array, snapshotId: string, asset: Asset): Uint8Array {
  return createHmac('sha256', bookKey).update(uuidBytes(snapshotId)).update(assetBytes(asset)).digest();
}

export function reserveLeafHash(snapshotId: string, asset: Asset, { bookId, amount, salt }: ReserveLeaf): Buffer {
  const number = Buffer.alloc(8);
  number.writeBigUInt64BE(amount);
  const parts = [Buffer.of(0), TAG, uuidBytes(snapshotId), assetBytes(asset), uuidBytes(bookId), salt, number];
  const digest = createHash('sha256');
  for (const part of parts) digest.update(part);
  return digest.digest();
}

export function storedTree(snapshotId: string, asset: Asset, leaves: readonly ReserveLeaf[]): StoredTree {
  const real = leaves.map((leaf) => ({
    hash: reserveLeafHash(snapshotId, asset, leaf),
    amount: leaf.amount,
    bookId: leaf.bookId as string | null,
  }));
  const size = Math.max(LEAVES_MIN, sizeOf(leaves.length));
  const filling = Array.from({ length: size - leaves.length }, () => {
    return { hash: randomBytes(HASH_BYTES), amount: 0n, bookId: null };
  });
  const all = [...real, ...filling].sort((left, right) => Buffer.compare(left.hash, right.hash));
  return {
    hashes: Buffer.concat(all.map(({ hash }) => hash)),
    sums: all.map(({ amount }) => amount),
    bookIds: all.map(({ bookId }) => bookId),
  };
}

export function rootOf({ hashes, sums }: Pick<StoredTree, 'hashes' | 'sums'>): { root: string; sum: bigint } {
  const top = levelsAbove({ hashes, sums: BigUint64Array.from(sums) }).at(-1)!;
  return { root: top.hashes.toString('base64url'), sum: top.sums[0]! };
}

export function leafPath(tree: StoredTree, bookId: string): { index: number; amount: bigint; path: PathStep[] } | null {
  const index = tree.bookIds.indexOf(bookId);
  if (index === -1) return null;
  const levels = levelsAbove({ hashes: tree.hashes, sums: BigUint64Array.from(tree.sums) });
  return { index, amount: tree.sums[index]!, path: pathOf(levels, index) };
}

function uuidBytes(uuid: string): Buffer {
  return Buffer.from(uuid.replaceAll('-', ''), 'hex');
}

function assetBytes(asset: Asset): Uint8Array {
  return asset === SOL ? new Uint8Array(HASH_BYTES) : addressBytes(asset);
}
