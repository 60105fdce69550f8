import { InvariantError } from '../invariant-error.ts';
import { multiplyDecimals, powerOfTen, printDecimal } from './decimal.ts';
import type { BaseUnits } from './base-units.ts';
import { SOL_DECIMALS, type Lamports } from './lamports.ts';
import { divide } from './rounding.ts';

/**
 * SOL per whole token, times 10^18: an integer that orders, stores and merges exactly. A launch price of 0.00000003 SOL still
 * has ten significant digits there.
 */
export type Price = bigint & { readonly unit: 'price' };

export const PRICE_DECIMALS = 18;

export function price(raw: bigint): Price {
  if (raw < 0n) throw new InvariantError('PRICE_INVALID', { problem: 'negative' });
  return raw as Price;
}

/** The price at which `baseUnits` of a token changed hands for `lamports`. */
export function priceOfTrade(lamports: Lamports, baseUnits: BaseUnits, tokenDecimals: number): Price {
  if (baseUnits === 0n) throw new InvariantError('PRICE_INVALID', { problem: 'no tokens' });
  const scale = powerOfTen(tokenDecimals + PRICE_DECIMALS - SOL_DECIMALS);
  return price(divide(lamports * scale, baseUnits, 'nearest'));
}

export function printPriceSol(at: Price): string {
  return printDecimal(at, PRICE_DECIMALS);
}

/** `solUsd` is the reference price of one SOL as a decimal text. */
export function printPriceUsd(at: Price, solUsd: string): string {
  return multiplyDecimals(printPriceSol(at), solUsd, PRICE_DECIMALS, 'nearest');
}

/** A SOL amount in dollars, to the millionth. Works for gains and losses too. */
export function printLamportsUsd(lamports: bigint, solUsd: string): string {
  return multiplyDecimals(printDecimal(lamports, SOL_DECIMALS), solUsd, 6, 'nearest');
}

/** What tokens are worth at a price, without what selling them would cost. */
export function valueAtPrice(units: BaseUnits, at: Price, tokenDecimals: number): bigint {
  return divide(units * at, powerOfTen(tokenDecimals + PRICE_DECIMALS - SOL_DECIMALS), 'floor');
}
