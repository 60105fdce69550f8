import { isCountedFollow, type FollowOutcome } from './follower-return.ts';
import { outcomeOf } from './record-trip.ts';

// The score of a creator over all his strategies, ended ones too. It is a statistic and no money, so it is computed in floats.

/** Trips, or follows, of which nothing is known yet: they stand at zero and pull a short record towards it. */
const PRIOR = 20;
/** One-sided 90 %: what is shown is what a record is likely to be at least. */
const CAUTION = 1.28;
/** The spread where it cannot be known: the widest that the clip allows. */
const SPREAD_UNKNOWN = 0.25;
const COIN_PARTS = 4;

export type ScoredTrip = {
  readonly mint: string;
  readonly openedAtMs: number;
  /** Null while it is open. */
  readonly closedAtMs: number | null;
  readonly x: number;
};

/** What one coin may add: at most a quarter of all gains. Null where nothing has to be cut. */
export function coinGainLimit(gains: readonly number[]): number | null {
  const sorted = [...gains].sort((left, right) => right - left);
  // With `cut` coins at the limit L, L is a quarter of cut × L + rest.
  for (let cut = 0; ; cut += 1) {
    const largest = sorted[cut];
    if (largest === undefined) return 0;
    // Added up anew and not taken off the whole: that could leave a little less than the largest of the rest.
    const limit = sumOf(sorted.slice(cut)) / (COIN_PARTS - cut);
    if (largest <= limit * (1 + Number.EPSILON * COIN_PARTS)) return cut === 0 ? null : limit;
  }
}

/**
 * The trips as they count: of wins in one coin that overlap in time only the largest, because one rise of the price made them all;
 * and the wins of one coin scaled down to a quarter of all gains.
 */
export function rankedGains(trips: readonly ScoredTrip[]): number[] {
  const losses = trips.filter(({ x }) => x <= 0).map(({ x }) => x);
  const byCoin = new Map<string, ScoredTrip[]>();
  for (const trip of trips) {
    if (trip.x <= 0) continue;
    const wins = byCoin.get(trip.mint);
    if (wins) wins.push(trip);
    else byCoin.set(trip.mint, [trip]);
  }
  const coins = [...byCoin.values()].map(largestOfOverlapping);
  const sums = coins.map(sumOf);
  const limit = coinGainLimit(sums);
  const wins = coins.flatMap((xs, index) => {
    const sum = sums[index]!;
    return limit === null || sum <= limit ? xs : xs.map((x) => (x * limit) / sum);
  });
  return [...losses, ...wins];
}

function largestOfOverlapping(wins: readonly ScoredTrip[]): number[] {
  const ordered = [...wins].sort((left, right) => left.openedAtMs - right.openedAtMs);
  const largest: number[] = [];
  let untilMs = -Infinity;
  for (const { openedAtMs, closedAtMs, x } of ordered) {
    if (openedAtMs < untilMs) largest.push(Math.max(x, largest.pop()!));
    else largest.push(x);
    untilMs = Math.max(untilMs, closedAtMs ?? Infinity);
  }
  return largest;
}

/** What the ranked line has gained over these trips, 0.1 for 10 %. */
export function rankedYield(trips: readonly ScoredTrip[]): number {
  return Math.expm1(sumOf(rankedGains(trips)));
}

/** Σx ÷ (n + 20) − 1.28 · sd ÷ √(n + 20). */
function cautiousMean(sum: number, count: number, spread: number): number {
  return sum / (count + PRIOR) - (CAUTION * spread) / Math.sqrt(count + PRIOR);
}

/** The losses of flat trips are in the sum and nowhere else: a padded record is never better than the same without padding. */
export function tripScore(trips: readonly ScoredTrip[]): number {
  const all = rankedGains(trips);
  const xs = all.filter((x) => outcomeOf(x) !== 'flat');
  return cautiousMean(sumOf(all), xs.length, spreadOf(xs));
}

function spreadOf(xs: readonly number[]): number {
  if (xs.length < 2) return xs.length === 0 ? 0 : SPREAD_UNKNOWN;
  const mean = sumOf(xs) / xs.length;
  return Math.sqrt(sumOf(xs.map((x) => (x - mean) ** 2)) / (xs.length - 1));
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

/** What follows say, as sums that add up over strategies. A follow weighs its SOL times its days. */
export type FollowSums = {
  readonly weight: number;
  readonly weightSquares: number;
  readonly weighted: number;
  readonly weightedSquares: number;
};

export const NO_FOLLOWS: FollowSums = { weight: 0, weightSquares: 0, weighted: 0, weightedSquares: 0 };

const DAY_MS = 86_400_000;
const SOL = 1_000_000_000;
const FOLLOW_CLIP = 0.25;
/** A follow counts with its log return per day, a shorter one as if it had lasted a day. */
const FOLLOW_DAYS_MIN = 1;

export function followSumsOf(follows: readonly FollowOutcome[]): FollowSums {
  return follows.filter(isCountedFollow).reduce((sums, follow) => {
    const { depositedLamports, valueLamports, startedAtMs, untilMs, lamportMs } = follow;
    const days = (untilMs - startedAtMs) / DAY_MS;
    const weight = Number(lamportMs) / SOL / DAY_MS;
    // Of nothing left it is minus infinity, which the clip takes.
    const total = Math.log(Number(valueLamports) / Number(depositedLamports));
    const y = Math.max(-FOLLOW_CLIP, Math.min(FOLLOW_CLIP, total / Math.max(days, FOLLOW_DAYS_MIN)));
    return addFollowSums(sums, {
      weight,
      weightSquares: weight ** 2,
      weighted: weight * y,
      weightedSquares: weight * y ** 2,
    });
  }, NO_FOLLOWS);
}

export function addFollowSums(left: FollowSums, right: FollowSums): FollowSums {
  return {
    weight: left.weight + right.weight,
    weightSquares: left.weightSquares + right.weightSquares,
    weighted: left.weighted + right.weighted,
    weightedSquares: left.weightedSquares + right.weightedSquares,
  };
}

/** One large follow is one opinion: the effective number of follows with weights, after Kish. */
export function effectiveFollows({ weight, weightSquares }: Pick<FollowSums, 'weight' | 'weightSquares'>): number {
  return weightSquares === 0 ? 0 : weight ** 2 / weightSquares;
}

/** Below so many effective follows their median return is shown as an early one. */
const FOLLOWS_MIN = 5;
/** Equal weights are added up in floats. */
const ROUNDING = 1e-9;
/** Younger than this a follower return says little, however many follows it is of. */
const EARLY_MS = 72 * 3_600_000;

/** Whether the follows of a strategy are too few, by SOL × time as their median is, or the strategy too young to say much. */
export function isEarlyReturn(sums: Pick<FollowSums, 'weight' | 'weightSquares'>, ageMs: number): boolean {
  return effectiveFollows(sums) < FOLLOWS_MIN - ROUNDING || ageMs < EARLY_MS;
}

/** So many SOL days say as much as one trip: a crowd of small follows by one person stays light. */
const FOLLOW_SOL_DAYS = 10;

export function followerScore({ weight, weightSquares, weighted, weightedSquares }: FollowSums): number {
  if (weight === 0) return 0;
  const mean = weighted / weight;
  const count = Math.min(effectiveFollows({ weight, weightSquares }), weight / FOLLOW_SOL_DAYS);
  return cautiousMean(count * mean, count, Math.sqrt(Math.max(0, weightedSquares / weight - mean ** 2)));
}

/**
 * Half by the creator's own trips, half by what his followers got; what is not there yet stands at zero. Followers confirm a
 * record or weaken it, they do not make one: their gains can be his own money, moved to followers of his own for a few fees.
 */
export function creatorScore(trips: readonly ScoredTrip[], follows: FollowSums): number {
  const own = tripScore(trips);
  return (own + Math.min(followerScore(follows), Math.max(0, own))) / 2;
}
