import type { CallReply } from '@hunter/contract/calls';
import { basisPoints, printBasisPoints } from '@hunter/domain/numbers/basis-points';
import { printTokens } from '@hunter/domain/numbers/base-units';
import { printDecimal } from '@hunter/domain/numbers/decimal';
import { SOL_DECIMALS } from '@hunter/domain/numbers/lamports';
import { trailingLevel } from '@hunter/domain/triggers/decide-trigger';
import { LEVEL_DECIMALS, type Bound, type TriggerAmount } from '@hunter/domain/triggers/trigger';
import { loadBookNames } from '../ledger/books.ts';
import { logoUrlOf } from '../market/reads/token-views.ts';
import type { TokenFact } from '../market/token-facts.ts';
import { loadOrders } from '../trading/order-store.ts';
import type { Trigger } from './trigger.ts';
import type { Triggers } from './triggers.ts';

export type TriggerView = CallReply<'getMyTriggers'>['lists'][number];

const price = (value: bigint | null): string | null => (value === null ? null : printDecimal(value, LEVEL_DECIMALS));
const bound = (given: Bound | null) => given && { unit: given.unit, value: printDecimal(given.value, LEVEL_DECIMALS) };

/** As their owners see them, in the order given. */
export async function loadTriggerViews(
  { trading: { database, tokens } }: Pick<Triggers, 'trading'>,
  triggers: readonly Trigger[],
): Promise<TriggerView[]> {
  const facts = await tokens.load([...new Set(triggers.map(({ mint }) => mint))]);
  const names = await loadBookNames(database, [...new Set(triggers.map(({ bookId }) => bookId))]);
  const orders = await loadOrders(database, [...new Set(triggers.flatMap(({ orderId }) => orderId ?? []))]);
  const hashes = new Map(orders.map(({ id, signature }) => [id, signature]));
  return triggers.map((trigger) => ({
    ...viewOf(trigger, facts.get(trigger.mint)),
    bookName: names.get(trigger.bookId) ?? '',
    txHash: (trigger.orderId && hashes.get(trigger.orderId)) || null,
  }));
}

function viewOf(trigger: Trigger, fact: TokenFact | undefined): Omit<TriggerView, 'bookName' | 'txHash'> {
  const { rule, mint } = trigger;
  const { level, trailing, schedule } = rule;
  return {
    id: trigger.id,
    kind: rule.kind,
    side: rule.side,
    state: trigger.state,
    tokenContractAddress: mint,
    tokenSymbol: fact?.symbol ?? mint.slice(0, 4),
    tokenName: fact?.name ?? '',
    tokenLogoUrl: logoUrlOf(mint),
    bookId: trigger.bookId,
    bookKind: trigger.bookKind,
    level: level && { ...bound(level)!, when: level.when },
    amount: rule.amount && amountView(rule.amount, fact?.decimals ?? null),
    slippageBps: trigger.slippageBps,
    heldSol: trigger.holdLamports === 0n ? null : printDecimal(trigger.holdLamports, SOL_DECIMALS),
    group: trigger.group,
    trailing: trailing && {
      percent: printBasisPoints(basisPoints(trailing.bps)),
      activation: bound(trailing.activation),
      isActive: trailing.isActive,
      highPrice: price(trailing.high),
      firesAt: price(trailingLevel(trailing)),
    },
    schedule: schedule && {
      intervalSeconds: Math.round(schedule.intervalMs / 1000),
      done: schedule.done,
      count: schedule.count,
      nextAt: trigger.state === 'ended' ? null : schedule.nextAtMs,
      lowest: bound(schedule.lowest),
      highest: bound(schedule.highest),
    },
    firesAt: rule.firesAtMs,
    protect: trigger.protect,
    entryOrderId: trigger.entryOrderId,
    positionOpenedAt: trigger.position?.openedAt.getTime() ?? null,
    createdAt: trigger.createdAt.getTime(),
    expiresAt: rule.expiresAtMs,
    firedAt: trigger.firedAt?.getTime() ?? null,
    firedPrice: price(trigger.firedPrice),
    endedAt: trigger.endedAt?.getTime() ?? null,
    outcome: trigger.outcome,
    orderId: trigger.orderId,
    orderError: trigger.orderError,
    firings: trigger.firings,
  };
}

export function amountView(
  { unit, value }: TriggerAmount,
  decimals: number | null,
): NonNullable<TriggerView['amount']> {
  if (unit === 'sol') return { unit, value: printDecimal(value, SOL_DECIMALS) };
  if (unit === 'tokens') return { unit, value: printTokens(value, decimals) };
  return { unit, value: printBasisPoints(basisPoints(value)) };
}
