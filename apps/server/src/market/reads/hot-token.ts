import { printDecimal } from '@hunter/domain/numbers/decimal';
import type { Address } from '@hunter/solana/address';
import { printChange, printVolume, tokenListItem, type TokenViewRow } from './token-views.ts';

export type RiskOf = (mint: Address, nameFlags: readonly string[]) => 'ok' | 'warn' | 'danger' | 'unknown';

export type HotRow = TokenViewRow & { volume: bigint | null; periodChange: number | null };

export function hotToken(row: HotRow, riskOf: RiskOf) {
  return {
    ...tokenListItem(row),
    volume: printVolume(row.volume),
    periodChange: printChange(row.periodChange),
    change1h: printChange(row.change1h),
    trend: row.trend,
    supply: printDecimal(row.supply, row.decimals),
    risk: riskOf(row.mint, row.nameFlags),
    createdAt: row.createdAt.getTime(),
  };
}
