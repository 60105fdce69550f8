import type { CallReply } from '@hunter/contract/calls';
import { printDecimal } from '@hunter/domain/numbers/decimal';
import { readIdCursor } from '../../platform/id-cursor.ts';
import type { Sql } from '../../platform/postgres.ts';
import type { TokenRow } from '../token-directory.ts';
import { printMicroUsd, printPrice } from './token-views.ts';

export type TradeRow = {
  seq: bigint;
  at: Date;
  isBuy: boolean;
  lamports: bigint;
  baseUnits: bigint;
  priceSol: bigint;
  priceUsd: bigint;
  valueUsd: bigint;
  wallet: string;
  signature: string;
};

/** Newest first. */
export async function loadTokenTrades(
  sql: Sql,
  token: TokenRow,
  request: { cursor?: string | undefined; limit: number },
): Promise<CallReply<'getTokenTransactionData'>> {
  const before = readIdCursor(request.cursor);
  const rows = await sql.query<TradeRow>(
    `select x.seq, x.at, x.is_buy as "isBuy", x.lamports, x.base_units as "baseUnits", x.price_sol as "priceSol",
            x.price_usd as "priceUsd", x.value_usd as "valueUsd", r.address as wallet, x.signature
     from trade x join trader r on r.id = x.trader_id
     where x.token_id = $1 and x.seq < $2 order by x.seq desc limit $3`,
    [token.id, before ?? 9_223_372_036_854_775_807n, request.limit],
  );
  return {
    lists: rows.map((row) => printTrade(row, token.decimals)),
    nextCursor: rows.length === request.limit ? String(rows.at(-1)!.seq) : null,
  };
}

export function printTrade(
  row: Omit<TradeRow, 'at'> & { at: Date },
  decimals: number,
): CallReply<'getTokenTransactionData'>['lists'][number] {
  return {
    id: String(row.seq),
    time: row.at.getTime(),
    side: row.isBuy ? 'buy' : 'sell',
    price: printPrice(row.priceUsd),
    priceSol: printPrice(row.priceSol),
    tokenAmount: printDecimal(row.baseUnits, decimals),
    solAmount: printDecimal(row.lamports, 9),
    valueUsd: printMicroUsd(row.valueUsd),
    wallet: row.wallet,
    txHash: row.signature,
  };
}
