import type { CallReply } from '@hunter/contract/calls';
import type { Address } from '@hunter/solana/address';
import { isCovered, isReadInto, windowCoverage } from '@hunter/domain/market/known-window';
import type { Sql } from '../../platform/postgres.ts';
import { hotToken, type HotRow, type RiskOf } from './hot-token.ts';
import { LAUNCH_COLUMNS, sinceLaunchOf, type LaunchRow } from './since-launch.ts';
import { printPrice, printVolume, TOKEN_COLUMNS } from './token-views.ts';

type BaseRow = Omit<HotRow, 'periodChange'> &
  LaunchRow & { volume: bigint; trades: bigint; buys: number; sells: number };

export async function loadBaseInfo(
  sql: Sql,
  mint: Address,
  riskOf: RiskOf,
  safety: CallReply<'getTokenBaseInfo'>['safety'],
  { nowMs, lagMs }: { nowMs: number; lagMs: number | null },
): Promise<CallReply<'getTokenBaseInfo'> | null> {
  const rows = await sql.query<BaseRow>(
    `select ${TOKEN_COLUMNS}, s.volume_24h as volume, s.trades, s.buys_24h as buys, s.sells_24h as sells,
            ${LAUNCH_COLUMNS}
     from token t join token_stats s on s.token_id = t.id where t.mint = $1`,
    [mint],
  );
  const row = rows[0];
  if (!row) return null;
  const coverage = windowCoverage('24h', { sinceMs: row.recordedSinceMs, lagMs }, nowMs);
  const isKnown = isCovered(coverage, row.createdAt.getTime(), row.recordedSinceMs);
  const volume = isKnown ? row.volume : null;
  const change1h = isReadInto('1h', lagMs) ? row.change1h : null;
  const change24h = isReadInto('24h', lagMs) ? row.change24h : null;
  return {
    token: {
      ...hotToken({ ...row, volume, change1h, change24h, periodChange: change24h }, riskOf),
      decimals: row.decimals,
      priceSol: printPrice(row.priceSol),
      creator: row.creator,
      sinceLaunch: sinceLaunchOf(row),
    },
    // Trades, volume, buys and sells of the last 24 hours.
    market: {
      holders: row.holders,
      tradeCount: isKnown ? row.buys + row.sells : null,
      tradeVolume: printVolume(volume),
      buyCount: isKnown ? row.buys : null,
      sellCount: isKnown ? row.sells : null,
    },
    safety,
  };
}
