import { AppError } from '@hunter/contract/app-error';
import type { CallParsedRequest, CallReply } from '@hunter/contract/calls';
import { basisPoints } from '@hunter/domain/numbers/basis-points';
import { parseDecimal, printDecimal } from '@hunter/domain/numbers/decimal';
import {
  COIN_CAP_DEFAULT_BPS,
  RUN_UP_DEFAULT_BPS,
  type FollowSettings,
} from '@hunter/domain/copying/follow-protection';
import { lamports, printSol } from '@hunter/domain/numbers/lamports';
import { rowValues } from '../platform/columns-of.ts';

/** What a follower chose, as the database has it. */
export type SettingsRow = {
  runUpBps: number;
  coinCapBps: number | null;
  capPerTradeLamports: bigint | null;
  stopLossBps: number | null;
  takeProfitBps: number | null;
};

export const DEFAULT_SETTINGS: SettingsRow = {
  runUpBps: RUN_UP_DEFAULT_BPS,
  coinCapBps: COIN_CAP_DEFAULT_BPS,
  capPerTradeLamports: null,
  stopLossBps: 4_000,
  takeProfitBps: null,
};

export const SETTINGS_COLUMNS = `f.run_up_bps as "runUpBps", f.coin_cap_bps as "coinCapBps",
  f.cap_per_trade_lamports as "capPerTradeLamports", f.stop_loss_bps as "stopLossBps", f.take_profit_bps as "takeProfitBps"`;

/** In the order of SETTINGS_COLUMNS, for statements that write them. */
export function settingsValues(row: SettingsRow): unknown[] {
  return rowValues(row, 'runUpBps', 'coinCapBps', 'capPerTradeLamports', 'stopLossBps', 'takeProfitBps');
}

type Chosen = CallParsedRequest<'followStrategy'>['protection'];

const BOUNDS_BPS = {
  runUpLimit: [100, 1_000],
  coinCap: [100, 10_000],
  stopLoss: [500, 9_500],
  takeProfit: [500, 1_000_000],
} as const;

/** What was not chosen stays as it was. Throws INVALID_INPUT, naming the field, for what is out of bounds. */
export function chooseSettings(before: SettingsRow, chosen: Chosen): SettingsRow {
  const bps = (field: keyof typeof BOUNDS_BPS): number | null | undefined => {
    const text = chosen[field];
    if (text === undefined || text === null) return text;
    const value = Number(parseDecimal(text, 2));
    const [least, most] = BOUNDS_BPS[field];
    if (value < least || value > most) throw new AppError('INVALID_INPUT', { field, reason: 'range' });
    return value;
  };
  const kept = <Value>(next: Value | undefined, was: Value): Value => (next === undefined ? was : next);
  return {
    runUpBps: bps('runUpLimit') ?? before.runUpBps,
    coinCapBps: kept(bps('coinCap'), before.coinCapBps),
    capPerTradeLamports: kept<bigint | null>(chosen.capPerTrade, before.capPerTradeLamports),
    stopLossBps: kept(bps('stopLoss'), before.stopLossBps),
    takeProfitBps: kept(bps('takeProfit'), before.takeProfitBps),
  };
}

export function settingsOf(row: SettingsRow): FollowSettings {
  return {
    runUpLimit: basisPoints(row.runUpBps),
    coinCap: row.coinCapBps === null ? null : basisPoints(row.coinCapBps),
    capPerTradeLamports: row.capPerTradeLamports === null ? null : lamports(row.capPerTradeLamports),
    stopLoss: row.stopLossBps === null ? null : basisPoints(row.stopLossBps),
    takeProfit: row.takeProfitBps === null ? null : BigInt(row.takeProfitBps),
  };
}

export function printSettings(row: SettingsRow): CallReply<'followStrategy'>['protection'] {
  const points = (bps: number | null): string | null => (bps === null ? null : printDecimal(BigInt(bps), 2));
  return {
    runUpLimit: printDecimal(BigInt(row.runUpBps), 2),
    coinCap: points(row.coinCapBps),
    capPerTrade: row.capPerTradeLamports === null ? null : printSol(row.capPerTradeLamports),
    stopLoss: points(row.stopLossBps),
    takeProfit: points(row.takeProfitBps),
  };
}
