import { baseUnits } from '@hunter/domain/numbers/base-units';
import { lamports } from '@hunter/domain/numbers/lamports';
import { priceOfTrade } from '@hunter/domain/numbers/price';
import type { Sql } from '../platform/postgres.ts';
import type { MarketTrade } from './market-source.ts';

/**
 * 0.0001 SOL. A pool rounds what it pays out down to a whole lamport or base unit: who sells for one lamport what is worth nearly two
 * has traded at half the price. From here on that is less than a percent where a base unit is worth at most 1,000 lamports.
 */
const TELLING_LAMPORTS_MIN = 100_000n;

type Amounts = Pick<MarketTrade, 'lamports' | 'baseUnits'>;

export function isDust(trade: Pick<MarketTrade, 'lamports'>): boolean {
  return trade.lamports < TELLING_LAMPORTS_MIN;
}

/**
 * Prices trades in their order. Dust hardly moves a pool and its amounts tell no price, so it has the one before it: anybody could
 * print any candle for the network's fee otherwise. The first trade of a token has its own, whatever its size.
 */
export class TradePrices {
  readonly #last: Map<number, bigint>;

  /** `last` are the prices before the first of them, by token, at least of those with dust. */
  constructor(last: ReadonlyMap<number, bigint>) {
    this.#last = new Map(last);
  }

  /** SOL per token with 18 decimals. */
  of(tokenId: number, trade: Amounts, decimals: number): bigint {
    const last = this.#last.get(tokenId);
    if (last !== undefined && isDust(trade)) return last;
    const price = priceOfTrade(lamports(trade.lamports), baseUnits(trade.baseUnits), decimals);
    this.#last.set(tokenId, price);
    return price;
  }
}

/** The stored prices of tokens that have traded. */
export async function loadLastPrices(sql: Sql, tokenIds: readonly number[]): Promise<Map<number, bigint>> {
  if (tokenIds.length === 0) return new Map();
  const rows = await sql.query<{ tokenId: number; priceSol: bigint }>(
    `select token_id as "tokenId", price_sol as "priceSol" from token_stats where token_id = any($1::int[]) and price_sol > 0`,
    [tokenIds],
  );
  return new Map(rows.map(({ tokenId, priceSol }) => [tokenId, priceSol]));
}
