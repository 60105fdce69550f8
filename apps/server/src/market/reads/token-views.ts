import { printDecimal } from '@hunter/domain/numbers/decimal';
import { PRICE_DECIMALS } from '@hunter/domain/numbers/price';
import type { Address } from '@hunter/solana/address';

/** Columns that every list of tokens needs; `t` is token, `s` is token_stats. */
export const TOKEN_COLUMNS = `t.mint, t.name, t.symbol, t.decimals, t.supply, t.created_at as "createdAt", t.creator,
  t.name_flags as "nameFlags", s.price_sol as "priceSol", s.price_usd as "priceUsd", s.market_cap_usd as "marketCap",
  s.liquidity_usd as "liquidity", s.holders, s.change_1h as "change1h", s.change_24h as "change24h", s.trend`;

export type TokenViewRow = {
  mint: Address;
  name: string;
  symbol: string;
  decimals: number;
  supply: bigint;
  createdAt: Date;
  creator: string | null;
  nameFlags: string[];
  priceSol: bigint;
  priceUsd: bigint;
  marketCap: bigint;
  liquidity: bigint;
  holders: number;
  change1h: number | null;
  change24h: number | null;
  trend: number[];
};

export function printMicroUsd(micro: bigint): string {
  return printDecimal(micro, 6);
}

/** Null is what is not known. */
export function printVolume(micro: bigint | null): string | null {
  return micro === null ? null : printMicroUsd(micro);
}

export function printPrice(price: bigint): string {
  return printDecimal(price, PRICE_DECIMALS);
}

/** A stored change is a display value; four decimals are more than it is worth. */
export function printChange(change: number | null): string | null {
  return change === null ? null : printDecimal(BigInt(Math.round(change * 10_000)), 4);
}

export function logoUrlOf(mint: Address): string {
  return `/api/token/logo/${mint}`;
}

/** With the change of a day, which the caller leaves out of the row while it is not known. */
export function tokenListItem(row: TokenViewRow) {
  return {
    tokenContractAddress: row.mint,
    tokenLogoUrl: logoUrlOf(row.mint),
    tokenName: row.name,
    tokenSymbol: row.symbol,
    price: printPrice(row.priceUsd),
    change: printChange(row.change24h),
    marketCap: printMicroUsd(row.marketCap),
    liquidity: printMicroUsd(row.liquidity),
    holders: row.holders,
  };
}
