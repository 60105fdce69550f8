import { hash } from 'node:crypto';
import { allocateRound, followerFeeMax, type Allocation } from '@hunter/domain/copying/allocation';
import type { CopyLimitReason, CopySkipReason } from '@hunter/domain/copying/copy-skip';
import { inAndOut, type AmountIn, type Side } from '@hunter/domain/market/swap-maths';
import { lamports, type Lamports } from '@hunter/domain/numbers/lamports';
import { divCeil, smaller } from '@hunter/domain/numbers/rounding';
import type { ChainFill } from '../chain-fill.ts';
import type { HeldPart, Order } from '../order.ts';

// A round is one order of a strategy's wallet in which several books take part. What each gives to and gets from it is its
// allocation; who does not take part has one too, with the reason.

export type NewPart = {
  bookId: string;
  userId: string;
  /** Null for the creator's own part. */
  followId: string | null;
  /** Before its limits; null where it was not asked for. */
  wantedIn: AmountIn | null;
  /** Zero with a reason. */
  amountIn: AmountIn;
  limitedBy: CopyLimitReason | null;
  runUpLamports: Lamports;
  costLamports: Lamports;
  reason: CopySkipReason | null;
  /** Free SOL of the book, as far as the plan knows it. */
  freeLamports: Lamports;
};

/** The order of a single book as its one part. */
export function wholeOrder(order: Order): HeldPart {
  const { bookId, userId, amountIn, holdLamports, holdTokens } = order;
  return { bookId, userId, amountIn, holdLamports, holdTokens };
}

/**
 * What is set aside for a part before the round may be signed. The creator pays fees and deposits of his own orders; a follower
 * sets the most aside that a part can be asked for. A sale pays out of what it brings, and only a failed one needs SOL.
 */
export function holdOf(
  part: Pick<NewPart, 'amountIn' | 'followId' | 'freeLamports'>,
  round: {
    side: Side;
    isCreators: boolean;
    totalIn: bigint;
    feeReserveLamports: Lamports;
    rentLamports: Lamports;
  },
): Pick<HeldPart, 'holdLamports' | 'holdTokens'> {
  const { amountIn, freeLamports } = part;
  const share = divCeil(round.feeReserveLamports * amountIn, round.totalIn);
  if (round.side === 'sell') {
    const fee = round.isCreators ? (part.followId === null ? round.feeReserveLamports : 0n) : share;
    return { holdLamports: smaller(fee, freeLamports), holdTokens: amountIn };
  }
  if (!round.isCreators) return { holdLamports: amountIn + share, holdTokens: 0n };
  const costs = part.followId === null ? round.feeReserveLamports + round.rentLamports : followerFeeMax(amountIn);
  return { holdLamports: amountIn + costs, holdTokens: 0n };
}

/** One for each part, made when the first tie has to be broken. */
function tieKeysOf(orderId: string, parts: readonly HeldPart[]): () => Float64Array {
  let keys: Float64Array | null = null;
  return () => {
    if (keys !== null) return keys;
    const seed = seedOf(orderId);
    keys = new Float64Array(parts.length);
    for (let place = 0; place < parts.length; place += 1) keys[place] = hashOf(seed, parts[place]!.bookId);
    return keys;
  };
}

type Seed = { readonly one: number; readonly other: number };

function seedOf(orderId: string): Seed {
  const digest = hash('sha256', orderId, 'buffer');
  return { one: digest.readInt32LE(0), other: digest.readInt32LE(4) };
}

/** Of an id, so many characters at its end are chance enough: all of them took three times as long. */
const HASHED_CHARACTERS = 12;

/**
 * 53 bits of round and book. Nobody chooses the id of a book, so it need not withstand more than chance: a SHA-256 for each of thousands
 * of equal parts took longer than all of their shares.
 */
function hashOf({ one, other }: Seed, bookId: string): number {
  let high = one;
  let low = other;
  for (let at = Math.max(0, bookId.length - HASHED_CHARACTERS); at < bookId.length; at += 1) {
    const code = bookId.charCodeAt(at);
    high = Math.imul(high ^ code, 0x9e3779b1);
    low = Math.imul(low ^ code, 0x5f356495);
  }
  const mixed = Math.imul(high ^ (high >>> 16), 0x85ebca6b) ^ Math.imul(low ^ (low >>> 13), 0xc2b2ae35);
  const rest = Math.imul(low ^ (low >>> 16), 0x85ebca6b) ^ Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (rest & 0x1fffff) * 2 ** 32 + (mixed >>> 0);
}

/** What the chain's fill means for each part, in their order. The costs that nobody else can bear are the first book's. */
export function shareFill(order: Order, parts: readonly HeldPart[], fill: ChainFill): Allocation[] {
  const [amountIn, amountOut] = inAndOut(order.side, fill.lamports, fill.tokens);
  const creator = parts.findIndex(({ bookId }) => bookId === order.bookId);
  const shares = allocateRound(
    {
      amountsIn: parts.map(({ amountIn }) => amountIn),
      creator: creator < 0 ? null : creator,
      tieKeys: tieKeysOf(order.id, parts),
    },
    { side: order.side, amountIn, amountOut, feeLamports: fill.feeLamports },
  );
  if (!fill.failed) return shares;
  // A part of a failed round of joins or exits gives what was set aside for it and no more.
  return shares.map((share, index) => {
    const { bookId, holdLamports } = parts[index]!;
    return bookId === order.bookId
      ? share
      : { ...share, feeLamports: smaller(share.feeLamports, lamports(holdLamports)) };
  });
}
