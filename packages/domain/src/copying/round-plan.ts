import { BASIS_POINTS_WHOLE } from '../numbers/basis-points.ts';
import { baseUnits, type BaseUnits } from '../numbers/base-units.ts';
import { COPY_MINIMUM_LAMPORTS, type FollowMode } from './copying.ts';
import type { CopyLimitReason, CopySkipReason } from './copy-skip.ts';
import {
  budgetsUsed,
  followLimits,
  roundPrice,
  type CoinFacts,
  type FollowSettings,
  type FollowState,
  type RoundPrice,
} from './follow-protection.ts';
import { lamports, type Lamports } from '../numbers/lamports.ts';
import { depthLimit, joinDepthLimit } from './round-depth.ts';
import { divCeil, divFloor, larger, smaller } from '../numbers/rounding.ts';
import type { Pool, Ratio } from '../market/swap-maths.ts';

export type BuyFollower = {
  readonly followId: string;
  readonly mode: FollowMode;
  /** `position` only: size against the creator's own, 10 000 is the same. */
  readonly multiplierBps: bigint;
  readonly freeLamports: Lamports;
  /** What is left of the free SOL after the costs that this copy would have. */
  readonly spendableLamports: Lamports;
  readonly settings: FollowSettings;
  readonly state: FollowState;
};

export type BuyRound = {
  readonly creator: {
    readonly spendLamports: Lamports;
    /** Before the order. */
    readonly freeLamports: Lamports;
    readonly equityLamports: Lamports;
  };
  /** What others, who are decided elsewhere, spend in the same round. */
  readonly othersLamports?: Lamports;
  /** All followers together spend at most this many times what the creator spends. */
  readonly stakeFactor: bigint;
  readonly coin: CoinFacts;
  readonly pool: Pool;
  readonly reference: Ratio;
  /** What creator and followers hold of the coin already. */
  readonly heldTokens: BaseUnits;
  readonly networkFeeLamports: Lamports;
  readonly followers: readonly BuyFollower[];
};

export type PlannedBuy = { readonly followId: string; readonly wantedLamports: Lamports } & (
  | {
      readonly kind: 'copy';
      readonly amountIn: Lamports;
      readonly limitedBy: CopyLimitReason | null;
      /** What this copy takes from the follow's budgets. */
      readonly runUpLamports: Lamports;
      readonly costLamports: Lamports;
    }
  | { readonly kind: 'skip'; readonly reason: CopySkipReason }
);

type Draft = {
  readonly follower: BuyFollower;
  readonly wanted: Lamports;
  amount: Lamports;
  reason: CopyLimitReason | null;
};

/**
 * What every follower spends in one purchase of the creator. Each starts with what it wants, every limit takes the smaller of
 * itself and what is left, and two limits are shared: the creator's own stake and the depth of the pool shrink all copies by
 * one factor. What one leaves is not handed to others.
 */
export function planBuyRound(round: BuyRound): PlannedBuy[] {
  const { creator } = round;
  const others = round.othersLamports ?? 0n;
  const drafts = round.followers.map((follower) => draftOf(follower, wantedOf(follower, creator)));
  const depth = depthLimit(round.pool, round.heldTokens);
  const price = applyLimits(round, drafts, depth, lamports(creator.spendLamports + others));
  shrink(drafts, creator.spendLamports * round.stakeFactor, 'creator-stake', others);
  // Without a price the pool cannot fill even the creator's own part.
  shrink(drafts, price === null ? 0n : larger(0n, depth - creator.spendLamports), 'depth', others);
  return drafts.map((draft) => planned(draft, price));
}

export type JoinRound = Pick<BuyRound, 'coin' | 'pool' | 'reference' | 'heldTokens' | 'networkFeeLamports'> & {
  /** What joins spent on the coin within the last hour. */
  readonly joinedLamports: Lamports;
  readonly followers: readonly (BuyFollower & {
    /** What the plan of the follow has for the coin. */
    readonly plannedLamports: Lamports;
    /** What of it is still missing. */
    readonly wantedLamports: Lamports;
  })[];
};

export type JoinLeft = Pick<JoinRound['followers'][number], 'plannedLamports' | 'wantedLamports'>;

/**
 * What a plan has for a coin and what of it is still missing, less the fraction that the creator has sold of the coin since: who joins
 * has sold it along of what he had, and must not go on buying what the creator got rid of. What the creator buys back is copied like
 * any purchase, so it counts with the least that he has held since the plan. Null where nothing is left.
 */
export function joinLeft(
  plan: { readonly plannedLamports: Lamports; readonly heldTokens: BaseUnits | null },
  joinedLamports: Lamports,
  lowestTokens: BaseUnits,
): JoinLeft | null {
  const { plannedLamports, heldTokens } = plan;
  const hasSold = heldTokens !== null && lowestTokens < heldTokens;
  const kept = (amount: bigint): Lamports => lamports(hasSold ? divFloor(amount * lowestTokens, heldTokens) : amount);
  const wantedLamports = kept(larger(0n, plannedLamports - joinedLamports));
  return wantedLamports === 0n ? null : { plannedLamports: kept(plannedLamports), wantedLamports };
}

/** A trade of one book in one coin; what it bought is above zero, what it sold below. */
export type TokenChange = { readonly at: Date; readonly tokens: bigint };

/** The least that a book has held since a moment; its trades are the latest first. */
export function lowestHeld(heldNow: BaseUnits, changes: readonly TokenChange[], since: Date): BaseUnits {
  let held: bigint = heldNow;
  let lowest: bigint = heldNow;
  for (const { at, tokens } of changes) {
    if (at < since) break;
    held -= tokens;
    lowest = smaller(lowest, held);
  }
  // What left without a trade is missing in what is held now, and in what it says was held before.
  return baseUnits(larger(0n, lowest));
}

/** What a limit left over is bought in at most so many parts, or in one that completes it. */
const LATER_PARTS_MAX = 4n;

/**
 * The first purchase takes whatever the limits allow. They give way minute by minute, so that tries of what they left over would
 * buy crumbs all day, each with a fee and a receipt of its own: those wait until a part is worth it.
 */
function smallestJoin({ plannedLamports: planned, wantedLamports: left }: JoinRound['followers'][number]): Lamports {
  return left >= planned ? lamports(0n) : smaller(left, lamports(divCeil(planned, LATER_PARTS_MAX)));
}

/** What those who join spend together on a coin that the creator holds already: the same limits without a part of his. */
export function planJoinRound(round: JoinRound): PlannedBuy[] {
  const drafts = round.followers.map((follower) => draftOf(follower, follower.wantedLamports));
  const depth = joinDepthLimit(round.pool, round.heldTokens, round.joinedLamports);
  const price = applyLimits(round, drafts, depth, lamports(0n));
  // Before the shared limit: of the room that all have, each takes the part there is.
  for (const [index, draft] of drafts.entries()) {
    if (draft.reason !== null && draft.amount < smallestJoin(round.followers[index]!)) draft.amount = lamports(0n);
  }
  shareEqually(drafts, price === null ? 0n : depth, 'depth');
  return drafts.map((draft) => planned(draft, price));
}

function draftOf(follower: BuyFollower, wanted: Lamports): Draft {
  const draft: Draft = { follower, wanted, amount: wanted, reason: null };
  limit(draft, follower.spendableLamports, 'insufficient-balance');
  return draft;
}

/** Answers the highest price that the round can have; null where the pool cannot fill it. */
function applyLimits(
  round: Omit<JoinRound, 'followers' | 'joinedLamports'>,
  drafts: readonly Draft[],
  depth: Lamports,
  creatorSpend: Lamports,
): RoundPrice | null {
  const asked = creatorSpend + sumOf(drafts);
  const spend = lamports(larger<bigint>(creatorSpend, smaller<bigint>(asked, depth)));
  const price = roundPrice(round.pool, spend, round.reference, round.networkFeeLamports);
  if (price === null) return null;
  for (const draft of drafts) {
    const { settings, state } = draft.follower;
    for (const { lamports: most, reason } of followLimits(settings, state, round.coin, price))
      limit(draft, most, reason);
  }
  return price;
}

/** By SOL count the same fraction as the creator, of the free SOL and of the whole, whichever is less; by position his size. */
function wantedOf({ mode, multiplierBps, freeLamports, state }: BuyFollower, creator: BuyRound['creator']): Lamports {
  const { spendLamports } = creator;
  if (mode === 'position') return lamports(divFloor(spendLamports * multiplierBps, BASIS_POINTS_WHOLE));
  return smaller(
    fractionOf(freeLamports, spendLamports, creator.freeLamports),
    // Of the whole as well: free SOL that limits left over must not all go into one coin when the creator spends his last.
    fractionOf(state.equityLamports, spendLamports, creator.equityLamports),
  );
}

function fractionOf(own: Lamports, part: Lamports, whole: Lamports): Lamports {
  return part >= whole ? own : lamports(divFloor(own * part, whole));
}

function limit(draft: Draft, most: Lamports, reason: CopyLimitReason): void {
  if (most >= draft.amount) return;
  draft.amount = most;
  draft.reason = reason;
}

function shrink(drafts: readonly Draft[], most: bigint, reason: CopyLimitReason, others = 0n): void {
  const sum = others + sumOf(drafts);
  if (sum <= most) return;
  for (const draft of drafts) limit(draft, lamports(divFloor(draft.amount * most, sum)), reason);
}

/**
 * Nobody gets more than another who still wants some: whoever joins with the room of many hours keeps no small follow waiting. A part
 * is never below the minimum, or a crowd would get nothing at all; those who want least are through first.
 */
function shareEqually(drafts: readonly Draft[], most: bigint, reason: CopyLimitReason): void {
  const asking = drafts.filter(({ amount }) => amount > 0n);
  let left = most;
  let waiting = BigInt(asking.length);
  for (const draft of asking.toSorted((one, other) => (one.amount < other.amount ? -1 : 1))) {
    const part = larger(divFloor(left, waiting), smaller<bigint>(left, COPY_MINIMUM_LAMPORTS));
    limit(draft, lamports(part), reason);
    left -= draft.amount;
    waiting -= 1n;
  }
}

function sumOf(drafts: readonly Draft[]): bigint {
  return drafts.reduce((sum, { amount }) => sum + amount, 0n);
}

function planned({ follower: { followId }, wanted, amount, reason }: Draft, price: RoundPrice | null): PlannedBuy {
  const base = { followId, wantedLamports: wanted };
  if (amount >= COPY_MINIMUM_LAMPORTS) {
    // Without a price the depth leaves nothing of any copy.
    return { ...base, kind: 'copy', amountIn: amount, limitedBy: reason, ...budgetsUsed(amount, price!) };
  }
  return { ...base, kind: 'skip', reason: wanted < COPY_MINIMUM_LAMPORTS ? 'below-minimum' : reason! };
}
