import { flagArray, numberArray, textArray, timeArray } from './array-text.ts';
import type { StoredTrade } from './stored-trade.ts';

/** Takes `tradeColumns`. The table is named, so that the store's own insert can be measured beside the store. */
export function insertingTrades(table: string): string {
  return `insert into ${table}
    (token_id, seq, at, is_buy, lamports, base_units, price_sol, price_usd, value_usd, trader_id, signature, fee_lamports)
  select * from unnest($1::int[], $2::bigint[], $3::timestamptz[], $4::bool[], $5::bigint[], $6::numeric[],
                       $7::numeric[], $8::numeric[], $9::bigint[], $10::int[], $11::text[], $12::bigint[])`;
}

export function tradeColumns(trades: readonly StoredTrade[]): string[] {
  return [
    numberArray(trades, (trade) => trade.tokenId),
    numberArray(trades, (trade) => trade.seq),
    timeArray(trades, (trade) => trade.atMs),
    flagArray(trades, (trade) => trade.isBuy),
    numberArray(trades, (trade) => trade.lamports),
    numberArray(trades, (trade) => trade.baseUnits),
    numberArray(trades, (trade) => trade.priceSol),
    numberArray(trades, (trade) => trade.priceUsd),
    numberArray(trades, (trade) => trade.valueUsd),
    numberArray(trades, (trade) => trade.traderId),
    textArray(trades, (trade) => trade.signature),
    numberArray(trades, (trade) => trade.feeLamports),
  ];
}
