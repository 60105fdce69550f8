import type { CallReply } from '@hunter/contract/calls';
import { isReadInto } from '@hunter/domain/market/known-window';
import type { Address } from '@hunter/solana/address';
import type { Sql } from '../../platform/postgres.ts';
import { printChange, printPrice } from './token-views.ts';

export async function loadPrices(
  sql: Sql,
  mints: readonly Address[],
  lagMs: number | null,
): Promise<CallReply<'tokenPrice'>['lists']> {
  const rows = await sql.query<{ mint: Address; usd: bigint; sol: bigint; change: number | null; at: Date | null }>(
    `select t.mint, s.price_usd as usd, s.price_sol as sol, s.change_24h as change, s.last_trade_at as at
     from token t join token_stats s on s.token_id = t.id where t.mint = any($1)`,
    [mints],
  );
  return rows
    .filter((row) => row.at !== null)
    .map((row) => ({
      tokenContractAddress: row.mint,
      price: printPrice(row.usd),
      priceSol: printPrice(row.sol),
      change: printChange(isReadInto('24h', lagMs) ? row.change : null),
      time: row.at!.getTime(),
    }));
}
