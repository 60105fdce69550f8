import { randomUUID } from 'node:crypto';
import { parseDecimal } from '@hunter/domain/numbers/decimal';
import type { ProtectiveLevel } from '@hunter/domain/triggers/protective-level';
import {
  LEVEL_DECIMALS,
  STOP_SLIPPAGE_BPS_DEFAULT,
  type TriggerKind,
  type TriggerRule,
} from '@hunter/domain/triggers/trigger';
import type { Sql } from '../platform/postgres.ts';
import type { Order } from '../trading/order.ts';
import type { Protect, Trigger, TriggerGroup } from './trigger.ts';
import { insertTriggers } from './trigger-store.ts';

const PERCENT_DECIMALS = 2;

/** What protects a position, of one that is about to be bought: armed when the buy has traded, ended where it does not. */
export async function insertProtection(
  sql: Sql,
  order: Order,
  protect: Protect,
  targetSlippageBps: number,
): Promise<Trigger[]> {
  const kinds = kindsOf(protect);
  const group: TriggerGroup | null = kinds.length > 1 ? { id: randomUUID(), kind: 'one-cancels-other' } : null;
  const triggers = kinds.map((kind): Trigger => {
    const wanted = kind === 'stop-loss' ? protect.stopLoss : kind === 'take-profit' ? protect.takeProfit : undefined;
    return {
      ...blank,
      id: randomUUID(),
      userId: order.userId,
      bookId: order.bookId,
      bookKind: order.bookKind,
      mint: order.mint,
      state: 'waiting',
      rule: { ...blankRule, kind, trailing: kind === 'trailing-stop' ? trailingOf(protect.trailing!) : null },
      wantedLevel: wanted ? readProtectiveLevel(wanted) : null,
      slippageBps: kind === 'take-profit' ? targetSlippageBps : (protect.slippageBps ?? STOP_SLIPPAGE_BPS_DEFAULT),
      group,
      entryOrderId: order.id,
      createdAt: order.createdAt,
    };
  });
  await insertTriggers(sql, triggers);
  return triggers;
}

function kindsOf({ stopLoss, takeProfit, trailing }: Protect): TriggerKind[] {
  return [
    ...(stopLoss ? ['stop-loss' as const] : []),
    ...(takeProfit ? ['take-profit' as const] : []),
    ...(trailing ? ['trailing-stop' as const] : []),
  ];
}

export function readProtectiveLevel({
  unit,
  value,
}: {
  unit: ProtectiveLevel['unit'];
  value: string;
}): ProtectiveLevel {
  return { unit, value: parseDecimal(value, unit === 'percent' ? PERCENT_DECIMALS : LEVEL_DECIMALS) };
}

function trailingOf(percent: string): NonNullable<TriggerRule['trailing']> {
  return { bps: parseDecimal(percent, PERCENT_DECIMALS), activation: null, isActive: false, high: null };
}

const blankRule = {
  side: 'sell',
  level: null,
  amount: null,
  trailing: null,
  schedule: null,
  firesAtMs: null,
  expiresAtMs: null,
} as const;

/** A trigger to which nothing has happened. */
export const blank = {
  wantedLevel: null,
  protect: null,
  holdLamports: 0n,
  holds: 0,
  group: null,
  entryOrderId: null,
  position: null,
  retryAt: null,
  firings: 0,
  orderId: null,
  orderError: null,
  firstFiredAt: null,
  firedAt: null,
  firstPrice: null,
  firedPrice: null,
  endedAt: null,
  outcome: null,
  isCancelWanted: false,
} as const;
