import { isStop, type TriggerRule } from './trigger.ts';
import type { TriggerOutcome } from './trigger-outcome.ts';
import { nextPurchase } from './decide-trigger.ts';

/** Stops are tried again this long after they first fired, and this often. */
export const STOP_RETRY_MS = 10 * 60_000;
const STOP_PAUSE_MS = 5_000;
/** A limit whose price was gone again when its order came waits on; so often, because each try may cost a network fee. */
const LIMIT_FIRINGS_MAX = 20;

export type AfterOrder =
  | { readonly kind: 'end'; readonly outcome: TriggerOutcome }
  /** Fires again from that time on, whatever the price is then. */
  | { readonly kind: 'retry'; readonly atMs: number }
  /** Waits for its level again. */
  | { readonly kind: 'wait' }
  /** The next purchase of a schedule. */
  | { readonly kind: 'next'; readonly atMs: number };

export type Fired = { readonly nowMs: number; readonly firstFiredAtMs: number; readonly firings: number };

/** Failures that another order may not meet. */
const PASSING: ReadonlySet<TriggerOutcome> = new Set([
  'price-moved',
  'unavailable',
  'no-route',
  'failed-on-chain',
  'fee-not-covered',
]);

/** What becomes of a trigger whose order has ended; `failure` is null where it traded. */
export function decideAfterOrder(rule: TriggerRule, failure: TriggerOutcome | null, fired: Fired): AfterOrder {
  if (rule.kind === 'dca' && rule.schedule) return afterPurchase(rule.schedule, failure, fired);
  if (failure === null) return { kind: 'end', outcome: 'filled' };
  if (!PASSING.has(failure)) return { kind: 'end', outcome: failure };
  if (isStop(rule.kind)) {
    const atMs = fired.nowMs + STOP_PAUSE_MS;
    return atMs < fired.firstFiredAtMs + STOP_RETRY_MS ? { kind: 'retry', atMs } : { kind: 'end', outcome: failure };
  }
  return fired.firings < LIMIT_FIRINGS_MAX ? { kind: 'wait' } : { kind: 'end', outcome: failure };
}

/** A purchase that failed in passing is left out and the schedule goes on; it does not count as made. */
function afterPurchase(
  schedule: NonNullable<TriggerRule['schedule']>,
  failure: TriggerOutcome | null,
  { nowMs }: Fired,
): AfterOrder {
  if (failure !== null && !PASSING.has(failure)) return { kind: 'end', outcome: failure };
  const done = schedule.done + (failure === null ? 1 : 0);
  if (done >= schedule.count) return { kind: 'end', outcome: 'schedule-done' };
  return { kind: 'next', atMs: nextPurchase(schedule, nowMs) };
}
