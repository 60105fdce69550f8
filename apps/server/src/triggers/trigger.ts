import type { Address } from '@hunter/solana/address';
import type { CallReply } from '@hunter/contract/calls';
import type { ErrorName } from '@hunter/contract/error-catalogue';
import type { AmountIn, AmountOut } from '@hunter/domain/market/swap-maths';
import type { ProtectiveLevel } from '@hunter/domain/triggers/protective-level';
import type { TriggerRule } from '@hunter/domain/triggers/trigger';
import type { TriggerOutcome } from '@hunter/domain/triggers/trigger-outcome';
import type { BookKind } from '../ledger/books.ts';

type TriggerView = CallReply<'getMyTriggers'>['lists'][number];

/** How they follow each other is drawn in `migrations/0035-triggers.sql`. */
export type TriggerState = TriggerView['state'];
export type TriggerGroup = NonNullable<TriggerView['group']>;
/** As the contract has it: decimal text. */
export type Protect = NonNullable<TriggerView['protect']>;

export type Trigger = {
  readonly id: string;
  readonly userId: string;
  readonly bookId: string;
  readonly bookKind: BookKind;
  readonly mint: Address;
  readonly state: TriggerState;
  readonly rule: TriggerRule;
  /** Of one that waits for its buy: its level counts from what the position will have cost. */
  readonly wantedLevel: ProtectiveLevel | null;
  readonly protect: Protect | null;
  readonly slippageBps: number;
  readonly holdLamports: bigint;
  readonly holds: number;
  readonly group: TriggerGroup | null;
  readonly entryOrderId: string | null;
  readonly position: { readonly openedAt: Date; readonly tripId: bigint | null } | null;
  readonly retryAt: Date | null;
  readonly firings: number;
  readonly orderId: string | null;
  readonly orderError: ErrorName | null;
  readonly firstFiredAt: Date | null;
  readonly firedAt: Date | null;
  readonly firstPrice: bigint | null;
  readonly firedPrice: bigint | null;
  readonly createdAt: Date;
  readonly endedAt: Date | null;
  readonly outcome: TriggerOutcome | null;
  /** Its owner canceled it while its order was on its way. */
  readonly isCancelWanted: boolean;
};

export type Firing = {
  triggerId: string;
  firing: number;
  orderId: string;
  amountIn: AmountIn;
  minOut: AmountOut | null;
  price: bigint | null;
  at: Date;
};

export function ended(trigger: Trigger, outcome: TriggerOutcome, at: Date): Trigger {
  return { ...trigger, state: 'ended', outcome, endedAt: at, retryAt: null, holdLamports: 0n };
}

/**
 * Waits for its owner to resume it after a freeze, and says so with the error of its last order. One whose order is on its way carries
 * the mark alone until that has ended.
 */
export function pausedByFreeze(trigger: Trigger): Trigger {
  const marked = { ...trigger, orderError: 'ACCOUNT_FROZEN' as const };
  return trigger.state === 'firing' ? marked : { ...marked, state: 'paused', retryAt: null };
}

export function isPausedByFreeze({ orderError }: Trigger): boolean {
  return orderError === 'ACCOUNT_FROZEN';
}

/** Its last order is forgotten with the mark: whether that traded is told by its error, which the mark has replaced. */
export function thawed(trigger: Trigger): Trigger {
  return { ...trigger, orderError: null, orderId: null };
}

/**
 * Waits as if it had never fired: its owner has moved or resumed it. How long a stop is tried, and the least that it may bring, count from
 * when it fires next.
 */
export function unfired(trigger: Trigger): Trigger {
  return { ...trigger, retryAt: null, firstFiredAt: null, firstPrice: null };
}

/** When it has to be asked even if the price stands still; null for one that only waits for a change. */
export function dueAt({ state, rule, retryAt }: Trigger): Date | null {
  if (state === 'ended' || state === 'firing') return null;
  const times = [rule.expiresAtMs];
  if (state === 'open') times.push(rule.firesAtMs, rule.schedule?.nextAtMs ?? null, retryAt?.getTime() ?? null);
  const known = times.filter((at) => at !== null);
  return known.length === 0 ? null : new Date(Math.min(...known));
}
