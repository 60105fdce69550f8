import { AppError } from '@hunter/contract/app-error';
import type { CallParsedRequest } from '@hunter/contract/calls';
import { readDecimal } from '@hunter/domain/numbers/decimal';
import { SOL_DECIMALS } from '@hunter/domain/numbers/lamports';
import type { ProtectiveLevel } from '@hunter/domain/triggers/protective-level';
import {
  EXPIRY_MS_DEFAULT,
  isBoundToPosition,
  LEVEL_DECIMALS,
  type Bound,
  type Schedule,
  type Trailing,
  type TriggerAmount,
  type TriggerRule,
} from '@hunter/domain/triggers/trigger';
import type { Protect } from './trigger.ts';

export type TriggersRequest = CallParsedRequest<'placeTrigger'>;
export type TriggerRequest = TriggersRequest['triggers'][number];

const PERCENT_DECIMALS = 2;
const WHOLE = 10_000n;
/** A million percent: further away nobody means it. */
const PERCENT_MAX = 100_000_000n;
const VALUE_MAX = 10n ** 40n;

/** A rule whose level may still have to be worked out from a position. */
export type Draft = { rule: TriggerRule; wantedLevel: ProtectiveLevel | null; when: 'below' | 'above' | null };

/** What a request asks for, each field checked; whether it makes sense in the market is for the preview to say. */
export function readTrigger(request: TriggerRequest, decimals: number, nowMs: number): Draft {
  const { kind } = request;
  const takesSide = kind === 'limit' || kind === 'dca';
  if (takesSide && request.side === undefined) throw refuse('side', 'required');
  if (!takesSide && request.side === 'buy') throw refuse('side', 'choice');
  const side = takesSide ? request.side! : 'sell';
  const wanted = readWanted(request);
  const schedule = readSchedule(request, nowMs);
  const trailing = readTrailing(request);
  const rule: TriggerRule = {
    kind,
    side,
    level: null,
    amount: readAmount(request.amount, side, decimals),
    trailing,
    schedule,
    firesAtMs: readAfter(request, nowMs),
    expiresAtMs: null,
  };
  if (request.protect) readProtect(request.protect);
  if (request.protect && (kind !== 'limit' || side !== 'buy')) throw refuse('protect', 'choice');
  if (request.holdFunds === true && (kind !== 'limit' || side !== 'buy')) throw refuse('holdFunds', 'choice');
  return { ...wanted, rule: { ...rule, expiresAtMs: readExpiry(request, rule, nowMs) } };
}

function readWanted({ kind, level }: TriggerRequest): Pick<Draft, 'wantedLevel' | 'when'> {
  const takesLevel = kind === 'limit' || kind === 'stop-loss' || kind === 'take-profit';
  if (!takesLevel) {
    if (level) throw refuse('level', 'choice');
    return { wantedLevel: null, when: null };
  }
  if (!level) throw refuse('level', 'required');
  const own = kind === 'stop-loss' ? 'below' : kind === 'take-profit' ? 'above' : level.when;
  if (own === undefined) throw refuse('level.when', 'required');
  if (level.when !== undefined && level.when !== own) throw refuse('level.when', 'choice');
  const { unit, value } = level;
  if (unit !== 'percent') return { wantedLevel: readBound({ unit, value }, 'level.value'), when: own };
  if (kind === 'limit') throw refuse('level.unit', 'choice');
  const most = kind === 'stop-loss' ? WHOLE - 1n : PERCENT_MAX;
  return { wantedLevel: { unit: 'percent', value: readPercent(value, most, 'level.value') }, when: own };
}

export function readBound({ unit, value }: { unit: Bound['unit']; value: string }, field: string): Bound {
  const reading = readDecimal(value, LEVEL_DECIMALS);
  if (!reading.ok) throw refuse(field, 'format');
  if (reading.raw <= 0n || reading.raw > VALUE_MAX) throw refuse(field, 'range');
  return { unit, value: reading.raw };
}

/** Basis points of a percentage above zero. */
export function readPercent(text: string, most: bigint, field: string): bigint {
  const reading = readDecimal(text, PERCENT_DECIMALS);
  if (!reading.ok) throw refuse(field, 'format');
  if (reading.raw <= 0n || reading.raw > most) throw refuse(field, 'range');
  return reading.raw;
}

export function readAmount(
  amount: TriggerRequest['amount'],
  side: TriggerRule['side'],
  decimals: number,
): TriggerAmount | null {
  if (!amount) {
    if (side === 'buy') throw refuse('amount', 'required');
    return null;
  }
  const { unit } = amount;
  if ((unit === 'sol') !== (side === 'buy')) throw refuse('amount.unit', 'choice');
  if (unit === 'percent-held') return { unit, value: readPercent(amount.value, WHOLE, 'amount.value') };
  if (unit === 'percent-bought') return { unit, value: readPercent(amount.value, WHOLE, 'amount.value'), ofUnits: 0n };
  const reading = readDecimal(amount.value, unit === 'sol' ? SOL_DECIMALS : decimals);
  if (!reading.ok) throw refuse('amount.value', 'format');
  if (reading.raw <= 0n || reading.raw >= 2n ** 64n) throw refuse('amount.value', 'range');
  return { unit, value: reading.raw };
}

function readTrailing({ kind, trailing }: TriggerRequest): Trailing | null {
  if ((kind === 'trailing-stop') !== (trailing !== undefined)) {
    throw refuse('trailing', trailing ? 'choice' : 'required');
  }
  if (!trailing) return null;
  return {
    bps: readPercent(trailing.percent, WHOLE - 1n, 'trailing.percent'),
    activation: trailing.activation ? readBound(trailing.activation, 'trailing.activation.value') : null,
    isActive: false,
    high: null,
  };
}

function readSchedule({ kind, schedule }: TriggerRequest, nowMs: number): Schedule | null {
  if ((kind === 'dca') !== (schedule !== undefined)) throw refuse('schedule', schedule ? 'choice' : 'required');
  if (!schedule) return null;
  return {
    intervalMs: schedule.intervalSeconds * 1000,
    count: schedule.count,
    done: 0,
    // The first purchase is made at once.
    nextAtMs: nowMs,
    lowest: schedule.lowest ? readBound(schedule.lowest, 'schedule.lowest.value') : null,
    highest: schedule.highest ? readBound(schedule.highest, 'schedule.highest.value') : null,
  };
}

function readAfter({ kind, afterSeconds }: TriggerRequest, nowMs: number): number | null {
  if ((kind === 'after-time') !== (afterSeconds !== undefined)) {
    throw refuse('afterSeconds', afterSeconds === undefined ? 'required' : 'choice');
  }
  return afterSeconds === undefined ? null : nowMs + afterSeconds * 1000;
}

/** Seven days after the last thing it is to do; what protects a position does not end silently. */
function readExpiry({ expiresAt }: TriggerRequest, rule: TriggerRule, nowMs: number): number | null {
  if (expiresAt !== undefined) {
    if (expiresAt !== null && expiresAt <= nowMs) throw refuse('expiresAt', 'range');
    return expiresAt;
  }
  if (isBoundToPosition(rule) && rule.kind !== 'limit') return null;
  const lasts = rule.schedule ? rule.schedule.intervalMs * (rule.schedule.count - 1) : 0;
  return nowMs + lasts + EXPIRY_MS_DEFAULT;
}

/** Refuses protection that no position could have. */
export function readProtect({ stopLoss, takeProfit, trailing }: Protect): void {
  if (stopLoss?.unit === 'percent') readPercent(stopLoss.value, WHOLE - 1n, 'protect.stopLoss.value');
  else if (stopLoss) readBound({ unit: stopLoss.unit, value: stopLoss.value }, 'protect.stopLoss.value');
  if (takeProfit?.unit === 'percent') readPercent(takeProfit.value, PERCENT_MAX, 'protect.takeProfit.value');
  else if (takeProfit) readBound({ unit: takeProfit.unit, value: takeProfit.value }, 'protect.takeProfit.value');
  if (trailing) readPercent(trailing, WHOLE - 1n, 'protect.trailing');
}

export function refuse(field: string, reason: 'required' | 'choice' | 'format' | 'range'): AppError {
  return new AppError('INVALID_INPUT', { field, reason });
}
