import { BASIS_POINTS_WHOLE } from '../numbers/basis-points.ts';
import type { Ratio } from '../market/swap-maths.ts';
import { divFloor } from '../numbers/rounding.ts';
import { isAtLeast, isAtMost, isPast, priceInSol, type PriceScale } from './trigger-price.ts';
import type { Schedule, Trailing, TriggerRule } from './trigger.ts';

/** What is known when a trigger is asked. */
export type TriggerMoment = {
  readonly nowMs: number;
  /** What the order itself would pay or get per base unit; null where nobody knows. */
  readonly price: Ratio | null;
  readonly scale: PriceScale;
  /** What happened to the token since the trigger was placed. */
  readonly creatorSold: boolean;
  readonly hasGraduated: boolean;
};

export type TriggerDecision =
  /** With the trailing state where that changed. */
  | { readonly kind: 'wait'; readonly trailing?: Trailing }
  | { readonly kind: 'fire' }
  /** A purchase of a schedule is left out. */
  | { readonly kind: 'postpone'; readonly nextAtMs: number }
  | { readonly kind: 'expire' };

const WAIT = { kind: 'wait' } as const;
const FIRE = { kind: 'fire' } as const;

/** Whether a trigger fires now. The same answer however often it is asked about the same moment. */
export function decideTrigger(rule: TriggerRule, moment: TriggerMoment): TriggerDecision {
  const { nowMs, price, scale } = moment;
  if (rule.expiresAtMs !== null && nowMs >= rule.expiresAtMs) return { kind: 'expire' };
  const { kind, level, trailing, schedule, firesAtMs } = rule;
  if (kind === 'creator-sells') return moment.creatorSold ? FIRE : WAIT;
  if (kind === 'graduates') return moment.hasGraduated ? FIRE : WAIT;
  if (kind === 'after-time') return firesAtMs !== null && nowMs >= firesAtMs ? FIRE : WAIT;
  if (kind === 'dca') return schedule ? decidePurchase(schedule, moment) : WAIT;
  if (price === null) return WAIT;
  if (kind === 'trailing-stop') return trailing ? decideTrailing(trailing, price, scale) : WAIT;
  return level && isPast(price, level, scale) ? FIRE : WAIT;
}

function decideTrailing(trailing: Trailing, price: Ratio, scale: PriceScale): TriggerDecision {
  const next = trailingAfter(trailing, price, scale);
  if (next.high !== null && priceInSol(price, scale) <= trailingLevel(next)!) return FIRE;
  return next.high === trailing.high && next.isActive === trailing.isActive ? WAIT : { kind: 'wait', trailing: next };
}

/** Active from the first price at or above the activation; from then on its high only rises. */
function trailingAfter(trailing: Trailing, price: Ratio, scale: PriceScale): Trailing {
  const { activation, high } = trailing;
  const isActive = trailing.isActive || activation === null || isAtLeast(price, activation, scale) === true;
  if (!isActive) return trailing;
  const now = priceInSol(price, scale);
  return { ...trailing, isActive, high: high === null || now > high ? now : high };
}

/** Where it fires, in SOL per token with 18 decimals, rounded down; null before it is active. */
export function trailingLevel({ high, bps }: Pick<Trailing, 'high' | 'bps'>): bigint | null {
  return high === null ? null : divFloor(high * (BASIS_POINTS_WHOLE - bps), BASIS_POINTS_WHOLE);
}

function decidePurchase(schedule: Schedule, { nowMs, price, scale }: TriggerMoment): TriggerDecision {
  if (nowMs < schedule.nextAtMs) return WAIT;
  const { lowest, highest } = schedule;
  if (lowest === null && highest === null) return FIRE;
  if (price === null) return WAIT;
  const isInside =
    (lowest === null || isAtLeast(price, lowest, scale) === true) &&
    (highest === null || isAtMost(price, highest, scale) === true);
  return isInside ? FIRE : { kind: 'postpone', nextAtMs: nextPurchase(schedule, nowMs) };
}

/** The next time on the schedule after now. What was missed meanwhile is not caught up: nobody wants ten purchases in one second. */
export function nextPurchase(
  { nextAtMs, intervalMs }: Pick<Schedule, 'nextAtMs' | 'intervalMs'>,
  nowMs: number,
): number {
  const missed = Math.max(0, Math.floor((nowMs - nextAtMs) / intervalMs));
  return nextAtMs + (missed + 1) * intervalMs;
}
