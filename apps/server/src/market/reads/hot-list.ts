import type { CallParsedRequest, CallReply } from '@hunter/contract/calls';
import { printDecimal } from '@hunter/domain/decimal';
import type { Sql } from '../../platform/postgres.ts';
import { printChange, printMicroUsd, TOKEN_COLUMNS, tokenListItem, type TokenViewRow } from './token-views.ts';

export type RiskOf = (mint: string, nameFlags: readonly string[]) => 'ok' | 'warn' | 'danger' | 'unknown';

export type HotRow = TokenViewRow & { volume: bigint; periodChange: number | null };

export function hotToken(row: HotRow, riskOf: RiskOf) {
  return {
    ...tokenListItem(row),
    volume: printMicroUsd(row.volume),
    periodChange: printChange(row.periodChange),
    change1h: printChange(row.change1h),
    trend: row.trend,
    supply: printDecimal(row.supply, row.decimals),
    risk: riskOf(row.mint, row.nameFlags),
    createdAt: row.createdAt.getTime(),
  };
}

export async function loadHotList(
  sql: Sql,
  request: CallParsedRequest<'getTokenHotList'>,
  riskOf: RiskOf,
): Promise<CallReply<'getTokenHotList'>> {
  const { period, sortBy, limit } = request;
  const order = {
    score: 's.score desc, s.token_id',
    volume: `s.volume_${period} desc, s.token_id`,
    change: `s.change_${period} desc nulls last, s.token_id`,
    holders: 's.holders_ranked desc, s.token_id',
    newest: 't.created_at desc, t.id',
  }[sortBy];
  const rows = await sql.query<HotRow>(
    `select ${TOKEN_COLUMNS}, s.volume_${period} as volume, s.change_${period} as "periodChange"
     from token_stats s join token t on t.id = s.token_id
     where s.last_trade_at is not null
     order by ${order} limit $1`,
    [limit],
  );
  return { lists: rows.map((row) => hotToken(row, riskOf)) };
}
