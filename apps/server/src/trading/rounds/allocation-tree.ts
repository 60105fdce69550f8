// The sum tree behind the memo of a round, version a1. Every swap of a strategy wallet carries
//   `hunter:a1:` + base64url(SHA-256(02 ‖ root ‖ sum u64 ‖ count u32 ‖ roundId))
// Numbers are big-endian, ids of rounds and follows are the 16 bytes of their UUID, wallet and mint the 32 bytes of their address.
//   leaf = SHA-256(00 ‖ "hunter-alloc-1" ‖ wallet ‖ roundId ‖ attempt u32 ‖ side u8 ‖ mint ‖ followId ‖ salt ‖ amountIn u64 ‖ reason u16)
//   node = SHA-256(01 ‖ hash left ‖ sum left u64 ‖ hash right ‖ sum right u64), its sum being sum left + sum right
//   salt = HMAC-SHA-256(the follow's own key, roundId ‖ attempt u32)
// `side` is 1 for buy and 2 for sell; `reason` is 0 for who takes part, else the code of the skip, with amount 0. Leaves are
// sorted by hash and padded with (32 zero bytes, sum 0) to a power of two; `count` counts the real ones.
// `packages/verify` checks proofs with an implementation of its own: a change here is a new version of the memo.

import { hash } from 'node:crypto';
import { decodeBase58 } from '@hunter/solana/base58';
import type { Address } from '@hunter/solana/address';
import {
  HASH_BYTES,
  levelsAbove,
  pathOf,
  sizeOf,
  writeHash,
  type Level,
  type PathStep,
} from '../../platform/sum-tree.ts';

export type AllocationRound = {
  /** Address of the strategy's wallet. */
  wallet: string;
  roundId: string;
  attempt: number;
  side: 'buy' | 'sell';
  mint: Address;
};

export type AllocationLeaf = {
  /** The follow's id; for the creator's own part the id of his book. */
  followId: string;
  /** 32 bytes: without it a leaf could be guessed from the amounts that a follower is likely to have. */
  salt: Uint8Array;
  /** Lamports for a buy, base units of the token for a sell. */
  amountIn: bigint;
  reason: number;
};

/** All that a follower needs to check the own part against the memo on chain. Bytes are base64url, amounts base units. */
export type AllocationProof = AllocationRound & {
  followId: string;
  salt: string;
  amountIn: string;
  reason: number;
  count: number;
  index: number;
  /** From the leaf up; `side` is where the sibling stands. */
  path: PathStep[];
};

export type AllocationTree = {
  memo: string;
  root: Uint8Array;
  sum: bigint;
  count: number;
  has(followId: string): boolean;
  proof(followId: string): AllocationProof;
};

const TAG = Buffer.from('hunter-alloc-1', 'ascii');
const SIDE = { buy: 1, sell: 2 } as const;

export function allocationSalt(followKey: Uint8Array, roundId: string, attempt: number): Uint8Array {
  return allocationSalts(roundId, attempt)(followKey);
}

const BLOCK_BYTES = 64;

/**
 * The salts of one attempt, by key. HMAC written out with the one-shot hash: an object for each of thousands of leaves takes five
 * times as long.
 */
export function allocationSalts(roundId: string, attempt: number): (followKey: Uint8Array) => Uint8Array {
  const inner = Buffer.alloc(BLOCK_BYTES + 20);
  writeUuid(inner, BLOCK_BYTES, roundId);
  inner.writeUInt32BE(attempt, BLOCK_BYTES + 16);
  const outer = Buffer.alloc(BLOCK_BYTES + HASH_BYTES);
  return (followKey) => {
    if (followKey.length > BLOCK_BYTES) throw new Error(`the key of a follow has ${followKey.length} bytes`);
    for (let place = 0; place < BLOCK_BYTES; place += 1) {
      const byte = followKey[place] ?? 0;
      inner[place] = byte ^ 0x36;
      outer[place] = byte ^ 0x5c;
    }
    outer.write(hash('sha256', inner, 'latin1'), BLOCK_BYTES, 'latin1');
    const salt = Buffer.allocUnsafe(HASH_BYTES);
    writeHash(salt, 0, outer);
    return salt;
  };
}

export function allocationTree(round: AllocationRound, leaves: readonly AllocationLeaf[]): AllocationTree {
  if (leaves.length === 0) throw new Error(`round ${round.roundId} has no allocations`);
  const places = new Map(leaves.map(({ followId }, place) => [followId.toLowerCase(), place]));
  if (places.size !== leaves.length) throw new Error(`round ${round.roundId} has a follow with two allocations`);
  const hashes = leafHashes(round, leaves);
  const order = sortedByHash(hashes, leaves.length);
  const levels = levelsAbove(paddedLevel(hashes, order, leaves));
  const { hashes: root, sums } = levels.at(-1)!;
  const sum = sums[0]!;
  return {
    memo: memoOf(round, root, sum, leaves.length),
    root,
    sum,
    count: leaves.length,
    has: (followId) => places.has(followId.toLowerCase()),
    proof(followId) {
      const place = places.get(followId.toLowerCase());
      if (place === undefined) throw new Error(`round ${round.roundId} has no allocation of ${followId}`);
      const { salt, amountIn, reason } = leaves[place]!;
      const index = order.indexOf(place);
      return {
        ...round,
        followId,
        salt: Buffer.from(salt).toString('base64url'),
        amountIn: amountIn.toString(),
        reason,
        count: leaves.length,
        index,
        path: pathOf(levels, index),
      };
    },
  };
}

function leafHashes(round: AllocationRound, leaves: readonly AllocationLeaf[]): Buffer {
  const start = Buffer.alloc(100);
  TAG.copy(start, 1);
  writeAddress(start, 15, round.wallet);
  writeUuid(start, 47, round.roundId);
  start.writeUInt32BE(round.attempt, 63);
  start.writeUInt8(SIDE[round.side], 67);
  writeAddress(start, 68, round.mint);
  const bytes = Buffer.concat([start, Buffer.alloc(58)]);
  const hashes = Buffer.alloc(leaves.length * HASH_BYTES);
  for (const [place, { followId, salt, amountIn, reason }] of leaves.entries()) {
    if (salt.length !== HASH_BYTES) throw new Error(`the salt of ${followId} has ${salt.length} bytes instead of 32`);
    if (reason !== 0 && amountIn !== 0n) throw new Error(`the skipped copy of ${followId} has an amount`);
    writeUuid(bytes, 100, followId);
    bytes.set(salt, 116);
    bytes.writeBigUInt64BE(amountIn, 148);
    bytes.writeUInt16BE(reason, 156);
    writeHash(hashes, place, bytes);
  }
  return hashes;
}

/** Places of leaves in the order of their hashes. The first 6 bytes decide nearly always, as one exact number each. */
function sortedByHash(hashes: Buffer, count: number): Uint32Array {
  const keys = Float64Array.from({ length: count }, (_, place) => hashes.readUIntBE(place * HASH_BYTES, 6));
  const at = (place: number): Buffer => hashes.subarray(place * HASH_BYTES, (place + 1) * HASH_BYTES);
  return Uint32Array.from({ length: count }, (_, place) => place).sort(
    (left, right) => keys[left]! - keys[right]! || at(left).compare(at(right)),
  );
}

function paddedLevel(hashes: Buffer, order: Uint32Array, leaves: readonly AllocationLeaf[]): Level {
  const size = sizeOf(order.length);
  const level = { hashes: Buffer.alloc(size * HASH_BYTES), sums: new BigUint64Array(size) };
  for (const [index, place] of order.entries()) {
    hashes.copy(level.hashes, index * HASH_BYTES, place * HASH_BYTES, (place + 1) * HASH_BYTES);
    level.sums[index] = leaves[place]!.amountIn;
  }
  return level;
}

function memoOf(round: AllocationRound, root: Buffer, sum: bigint, count: number): string {
  const bytes = Buffer.alloc(61);
  bytes.writeUInt8(2, 0);
  root.copy(bytes, 1);
  bytes.writeBigUInt64BE(sum, 33);
  bytes.writeUInt32BE(count, 41);
  writeUuid(bytes, 45, round.roundId);
  return `hunter:a1:${hash('sha256', bytes, 'base64url')}`;
}

function writeUuid(target: Buffer, offset: number, uuid: string): void {
  const digits = uuid.replaceAll('-', '');
  // Writing ends at the first letter that is no digit.
  if (digits.length !== 32 || target.write(digits, offset, 'hex') !== 16) throw new Error(`not a UUID: ${uuid}`);
}

function writeAddress(target: Buffer, offset: number, address: string): void {
  const bytes = decodeBase58(address);
  if (bytes.length !== HASH_BYTES) throw new Error(`not an address: ${address}`);
  target.set(bytes, offset);
}
