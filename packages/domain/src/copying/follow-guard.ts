import { BASIS_POINTS_WHOLE } from '../numbers/basis-points.ts';
import type { FollowSettings } from './follow-protection.ts';
import type { Lamports } from '../numbers/lamports.ts';

export type GuardReason = 'stop-loss' | 'take-profit';

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

/** Whether a follow is to be closed because its value fell or rose far enough, by both measures, for a minute. */
export function decideGuard(follow: GuardedFollow, nowMs: number): GuardDecision {
  const reason = reachedBy(follow);
  if (reason === null) return { kind: 'clear' };
  const sinceMs = follow.reached?.reason === reason ? follow.reached.sinceMs : nowMs;
  return nowMs - sinceMs >= GUARD_HOLD_MS ? { kind: 'close', reason } : { kind: 'waiting', reason, sinceMs };
}

function reachedBy(follow: GuardedFollow): GuardReason | null {
  const { liquidationLamports, referenceLamports, investedLamports, returnedLamports, stopLoss, takeProfit } = follow;
  if (liquidationLamports === null || referenceLamports === null) return null;
  const values = [liquidationLamports + returnedLamports, referenceLamports + returnedLamports];
  const floor = stopLoss === null ? null : investedLamports * (BASIS_POINTS_WHOLE - stopLoss);
  if (floor !== null && values.every((value) => value * BASIS_POINTS_WHOLE <= floor)) return 'stop-loss';
  const ceiling = takeProfit === null ? null : investedLamports * (BASIS_POINTS_WHOLE + takeProfit);
  if (ceiling !== null && values.every((value) => value * BASIS_POINTS_WHOLE >= ceiling)) return 'take-profit';
  return null;
}
