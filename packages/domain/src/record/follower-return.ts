import type { Lamports } from '../numbers/lamports.ts';
import { rate, rateOf, type Rate } from '../numbers/rate.ts';
import { divide } from '../numbers/rounding.ts';

/** A follow shorter than this was a try, not a copy. */
export const FOLLOW_LASTED_MS = 3_600_000;
/** A smaller one costs too little to say anything, and its fees weigh too much. */
export const FOLLOW_MIN_LAMPORTS = 100_000_000n;

export type FollowOutcome = {
  /** All SOL that was put in. */
  readonly depositedLamports: Lamports;
  /** What is in it now, and what came back from it before: some may be taken out while it runs. */
  readonly valueLamports: Lamports;
  readonly startedAtMs: number;
  /** The end, or now for one that still runs. */
  readonly untilMs: number;
  /** SOL × time: what was put in less what came back from it, for as long as it was in. */
  readonly lamportMs: bigint;
};

export function followReturn({ depositedLamports, valueLamports }: FollowOutcome): Rate | null {
  return depositedLamports === 0n ? null : rateOf(valueLamports - depositedLamports, depositedLamports);
}

/** Whether a follow says something about its strategy: it lasted, and was of at least 0.1 SOL. */
export function isCountedFollow({ depositedLamports, startedAtMs, untilMs }: FollowOutcome): boolean {
  return depositedLamports >= FOLLOW_MIN_LAMPORTS && untilMs - startedAtMs >= FOLLOW_LASTED_MS;
}

/** What a follow that counts made, and how much it weighs. */
export type CountedReturn = { readonly made: Rate; readonly weight: bigint };

/** Of the follows that count and those that are known already, from the smallest. */
export function countedReturns(
  follows: readonly FollowOutcome[],
  known: readonly CountedReturn[] = [],
): CountedReturn[] {
  const counted = follows
    .filter((follow) => isCountedFollow(follow) && follow.lamportMs > 0n)
    // One that counts has a deposit, so it has a return.
    .map((follow) => ({ made: followReturn(follow)!, weight: follow.lamportMs }));
  return [...known, ...counted].sort((left, right) => Number(left.made - right.made));
}

/**
 * The median return of the follows that count, and how many they are; of some only what they made is `known`, from the smallest. It is
 * the median of SOL × time and not of heads: one could make as many follows of 0.1 SOL as it takes, and cancel those early that lose.
 */
export function medianFollowerReturn(
  follows: readonly FollowOutcome[],
  known: readonly CountedReturn[] = [],
): { readonly median: Rate | null; readonly count: number } {
  const counted = countedReturns(follows, known);
  const count = counted.length;
  if (count === 0) return { median: null, count };
  const whole = counted.reduce((sum, { weight }) => sum + weight, 0n);
  let passed = 0n;
  const middle = counted.findIndex(({ weight }) => (passed += weight) * 2n >= whole);
  // Where it lies between two, halfway.
  const next = passed * 2n === whole ? middle + 1 : middle;
  return { median: rate(divide(counted[middle]!.made + counted[next]!.made, 2n, 'nearest')), count };
}

export type GapInput = {
  readonly yieldRate: Rate;
  readonly followerReturn: Rate;
  readonly depositedLamports: Lamports;
  /** What worse prices than the creator's cost the follower; negative where they were better. */
  readonly priceLamports: bigint;
  /** Fees the follower paid on copies beyond the creator's own share of fees; negative where less. */
  readonly feeLamports: bigint;
  /** What skipped copies would have gained; negative where skipping saved money. */
  readonly skippedLamports: bigint;
};

/** `gap` is the yield rate minus the follower's return; the four parts add up to it exactly. */
export type GapParts = {
  readonly gap: Rate;
  readonly price: Rate;
  readonly fees: Rate;
  readonly skipped: Rate;
  /** The rest: the follower was not there for all of the strategy's life, or had other fractions of it. */
  readonly timing: Rate;
};

export function splitGap(input: GapInput): GapParts | null {
  const { depositedLamports } = input;
  if (depositedLamports === 0n) return null;
  const gap = rate(input.yieldRate - input.followerReturn);
  const price = rateOf(input.priceLamports, depositedLamports);
  const fees = rateOf(input.feeLamports, depositedLamports);
  const skipped = rateOf(input.skippedLamports, depositedLamports);
  return { gap, price, fees, skipped, timing: rate(gap - price - fees - skipped) };
}
