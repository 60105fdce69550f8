import type { CallReply } from '@hunter/contract/calls';
import type { Address } from '@hunter/solana/address';
import type { Sql } from '../../platform/postgres.ts';
import { hotToken, type HotRow, type RiskOf } from './hot-token.ts';
import { LAUNCH_COLUMNS, sinceLaunchOf, type LaunchRow } from './since-launch.ts';
import { printMicroUsd, printPrice, TOKEN_COLUMNS } from './token-views.ts';

type BaseRow = HotRow & LaunchRow & { trades: bigint; buys: number; sells: number };

export async function loadBaseInfo(
  sql: Sql,
  mint: Address,
  riskOf: RiskOf,
  safety: CallReply<'getTokenBaseInfo'>['safety'],
): Promise<CallReply<'getTokenBaseInfo'> | null> {
  const rows = await sql.query<BaseRow>(
    `select ${TOKEN_COLUMNS}, s.volume_24h as volume, s.change_24h as "periodChange", s.trades, s.buys_24h as buys, s.sells_24h as sells,
            ${LAUNCH_COLUMNS}
     from token t join token_stats s on s.token_id = t.id where t.mint = $1`,
    [mint],
  );
  const row = rows[0];
  if (!row) return null;
  return {
    token: {
      ...hotToken(row, riskOf),
      decimals: row.decimals,
      priceSol: printPrice(row.priceSol),
      creator: row.creator,
      sinceLaunch: sinceLaunchOf(row),
    },
    // Trades, volume, buys and sells of the last 24 hours.
    market: {
      holders: row.holders,
      tradeCount: row.buys + row.sells,
      tradeVolume: printMicroUsd(row.volume),
      buyCount: row.buys,
      sellCount: row.sells,
    },
    safety,
  };
}
