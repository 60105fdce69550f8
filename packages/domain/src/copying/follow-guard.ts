import { BASIS_POINTS_WHOLE } from '../numbers/basis-points.ts';
import type { FollowSettings } from './follow-protection.ts';
import type { Lamports } from '../numbers/lamports.ts';

const GUARDS = ['stop-loss', 'take-profit'] as const;
export type GuardReason = (typeof GUARDS)[number];

/** The value must stay there this long: one trade that moves a price for a moment ends nothing. */
const GUARD_HOLD_MS = 60_000;

export type GuardedFollow = Pick<FollowSettings, 'stopLoss' | 'takeProfit'> & {
  readonly investedLamports: Lamports;
  /** What was taken out so far: it is neither lost nor at risk. */
  readonly returnedLamports: Lamports;
  /** What selling everything now would bring, and what it is worth at reference prices; null where nobody can say. */
  readonly liquidationLamports: Lamports | null;
  readonly referenceLamports: Lamports | null;
  /** Which guard has been reached, and since when; null before. */
  readonly reached: { readonly reason: GuardReason; readonly sinceMs: number } | null;
};

export type GuardDecision =
  | { readonly kind: 'clear' }
  | { readonly kind: 'waiting'; readonly reason: GuardReason; readonly sinceMs: number }
  | { readonly kind: 'close'; readonly reason: GuardReason };

/**
 * Whether a follow is to be closed because its value fell or rose far enough, by both measures, for a minute. What was reached before is
 * kept while nobody can say: a value that cannot be read has not recovered, and ends nothing either.
 */
export function decideGuard(follow: GuardedFollow, nowMs: number): GuardDecision {
  const { reached } = follow;
  const reason = GUARDS.find((guard) => isReached(follow, guard) === true);
  if (reason === undefined) {
    const isUnknown = reached !== null && isReached(follow, reached.reason) === null;
    return isUnknown ? { kind: 'waiting', ...reached } : { kind: 'clear' };
  }
  const sinceMs = reached?.reason === reason ? reached.sinceMs : nowMs;
  return nowMs - sinceMs >= GUARD_HOLD_MS ? { kind: 'close', reason } : { kind: 'waiting', reason, sinceMs };
}

/** Null where nobody can say: one value that is not there says no, whatever the other is. */
function isReached(follow: GuardedFollow, guard: GuardReason): boolean | null {
  const { liquidationLamports, referenceLamports, investedLamports, returnedLamports, stopLoss, takeProfit } = follow;
  const change = guard === 'stop-loss' ? stopLoss : takeProfit;
  if (change === null) return false;
  const isThere = (value: bigint): boolean => {
    const whole = (value + returnedLamports) * BASIS_POINTS_WHOLE;
    return guard === 'stop-loss'
      ? whole <= investedLamports * (BASIS_POINTS_WHOLE - change)
      : whole >= investedLamports * (BASIS_POINTS_WHOLE + change);
  };
  const values = [liquidationLamports, referenceLamports];
  if (values.some((value) => value !== null && !isThere(value))) return false;
  return values.includes(null) ? null : true;
}
