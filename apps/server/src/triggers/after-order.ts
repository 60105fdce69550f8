import type { ErrorName } from '@hunter/contract/error-catalogue';
import { decideAfterOrder } from '@hunter/domain/triggers/decide-after-order';
import { outcomeOfError } from './outcome-of-error.ts';
import { ended, isPausedByFreeze, pausedByFreeze, type Trigger } from './trigger.ts';

/** A trigger whose order has ended, or was refused; `error` is null where it traded. Its money is no longer set aside. */
export function triggerAfterOrder(trigger: Trigger, error: ErrorName | null, now: Date): Trigger {
  const next = nextOf(trigger, error, now);
  const isFrozen = error === 'ACCOUNT_FROZEN' || isPausedByFreeze(trigger);
  return isFrozen && next.state === 'open' ? pausedByFreeze(next) : next;
}

function nextOf(trigger: Trigger, error: ErrorName | null, now: Date): Trigger {
  const { rule, firings, firstFiredAt } = trigger;
  const after = decideAfterOrder(rule, error === null ? null : outcomeOfError(error), {
    nowMs: now.getTime(),
    firstFiredAtMs: (firstFiredAt ?? now).getTime(),
    firings,
  });
  // A purchase that was made counts, whether another comes after it or not.
  const schedule = rule.schedule && { ...rule.schedule, done: rule.schedule.done + (error === null ? 1 : 0) };
  const told = { ...trigger, orderError: error, holdLamports: 0n, rule: { ...rule, schedule } };
  if (error === 'ACCOUNT_FROZEN' && !trigger.isCancelWanted) return { ...told, state: 'open' };
  if (after.kind === 'end') return ended(told, after.outcome, now);
  if (trigger.isCancelWanted) return ended(told, 'canceled', now);
  if (after.kind === 'retry') return { ...told, state: 'open', retryAt: new Date(after.atMs) };
  if (after.kind === 'wait') return { ...told, state: 'open' };
  return { ...told, state: 'open', rule: { ...rule, schedule: { ...schedule!, nextAtMs: after.atMs } } };
}
