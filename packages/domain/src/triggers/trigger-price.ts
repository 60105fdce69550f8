import {
  leastUnitsOut,
  liquidationValue,
  quotePool,
  type AmountOut,
  type Pool,
  type Ratio,
  type Side,
} from '../market/swap-maths.ts';
import { baseUnits } from '../numbers/base-units.ts';
import { BASIS_POINTS_WHOLE } from '../numbers/basis-points.ts';
import { lamports } from '../numbers/lamports.ts';
import { divCeil, divFloor } from '../numbers/rounding.ts';
import type { Bound, Level, LevelUnit } from './trigger.ts';

/**
 * What turns lamports per base unit into the units of levels. Null is unknown, and so is a supply of nothing of what somebody holds or
 * SOL that costs nothing: nothing fires on a price nobody knows.
 */
export type PriceScale = {
  readonly decimals: number;
  readonly supply: bigint | null;
  readonly solUsdMicro: bigint | null;
};

/**
 * What an order of this size would pay or get per base unit, the pool's fee included; null where it cannot be traded. A sale that is
 * larger than the pool can pay for gets what the pool has.
 */
export function ownPrice(pool: Pool, side: Side, size: bigint): Ratio | null {
  if (size <= 0n || pool.solReserve + pool.virtualSol <= 0n || pool.tokenReserve + pool.virtualTokens <= 0n)
    return null;
  if (side === 'sell') return { numerator: liquidationValue(pool, baseUnits(size)), denominator: size };
  const quote = quotePool(pool, 'buy', lamports(size));
  return quote.kind === 'quote' ? { numerator: quote.amountIn, denominator: quote.amountOut } : null;
}

/** Lamports per base unit as a fraction in the unit of a level, with 18 decimals. */
export function inUnit({ numerator, denominator }: Ratio, unit: LevelUnit, scale: PriceScale): Ratio | null {
  const perToken = 10n ** BigInt(scale.decimals);
  if (unit === 'sol') return { numerator: numerator * perToken * 10n ** 9n, denominator };
  if (!scale.solUsdMicro) return null;
  if (unit === 'usd') return { numerator: numerator * perToken * scale.solUsdMicro * 1_000n, denominator };
  if (!scale.supply) return null;
  return { numerator: numerator * scale.supply * scale.solUsdMicro * 1_000n, denominator };
}

/** One lamport per base unit in the unit of a level, as `inUnit` says it, for sorting. */
export function perLamport(unit: LevelUnit, { decimals, supply, solUsdMicro }: PriceScale): number | null {
  if (unit === 'sol') return 10 ** (decimals + 9);
  if (!solUsdMicro) return null;
  if (unit === 'usd') return 10 ** (decimals + 3) * Number(solUsdMicro);
  return !supply ? null : Number(supply) * Number(solUsdMicro) * 1_000;
}

/** Null where nobody knows. */
export function isAtLeast(price: Ratio, bound: Bound, scale: PriceScale): boolean | null {
  const known = inUnit(price, bound.unit, scale);
  return known && known.numerator >= bound.value * known.denominator;
}

/** Null where nobody knows. */
export function isAtMost(price: Ratio, bound: Bound, scale: PriceScale): boolean | null {
  const known = inUnit(price, bound.unit, scale);
  return known && known.numerator <= bound.value * known.denominator;
}

/** A price that jumped past the level is past it: what counts is where it is, not which prices it touched. */
export function isPast(price: Ratio, level: Level, scale: PriceScale): boolean {
  return (level.when === 'below' ? isAtMost(price, level, scale) : isAtLeast(price, level, scale)) ?? false;
}

/** SOL per token with 18 decimals, rounded down. */
export function priceInSol(price: Ratio, scale: PriceScale): bigint {
  const { numerator, denominator } = inUnit(price, 'sol', scale)!;
  return divFloor(numerator, denominator);
}

/** For lists and screens: exact decisions are made with fractions. */
export function approximately({ numerator, denominator }: Ratio): number {
  return Number(numerator) / Number(denominator);
}

/**
 * The pool's price, in lamports per base unit, at which an order of this size gets `price`, while nobody adds or takes liquidity. An
 * approximation: it says which triggers to look at and what a screen shows, never whether one fires.
 */
export function poolPriceFor(pool: Pool, side: Side, size: bigint, price: number): number {
  const sol = Number(pool.solReserve + pool.virtualSol);
  const product = sol * Number(pool.tokenReserve + pool.virtualTokens);
  const kept = 1 - Number(pool.feeBps) / 10_000;
  const net = Number(size) * kept;
  if (side === 'sell') {
    const tokens = positiveRoot(net, (kept * product) / price);
    return product / tokens ** 2;
  }
  return positiveRoot(net, price * kept * product) ** 2 / product;
}

/** The positive x of x² + b·x = c. Written so that a b much larger than the root does not cancel it out. */
function positiveRoot(b: number, c: number): number {
  return (2 * c) / (b + Math.sqrt(b * b + 4 * c));
}

/** A level as lamports per base unit; null where nobody knows. */
function inLamports({ unit, value }: Bound, scale: PriceScale): Ratio | null {
  const one = inUnit({ numerator: 1n, denominator: 1n }, unit, scale);
  return one && { numerator: value, denominator: one.numerator };
}

/**
 * The least an order may bring that a trigger places: the user's slippage below what it would get now, and never worse than the level of
 * one that waits for a good price. Null where the first quote decides.
 */
export function leastOut(
  order: { side: Side; size: bigint; level: Level | null; slippageBps: number; price: Ratio | null },
  scale: PriceScale,
): AmountOut | null {
  const { side, size, level, slippageBps, price } = order;
  const outAt = ({ numerator, denominator }: Ratio): bigint =>
    side === 'sell' ? divCeil(size * numerator, denominator) : divCeil(size * denominator, numerator);
  const kept = BASIS_POINTS_WHOLE - BigInt(slippageBps);
  const slipped = price && price.numerator > 0n ? divCeil(outAt(price) * kept, BASIS_POINTS_WHOLE) : null;
  const isForBetter = level !== null && (side === 'sell' ? level.when === 'above' : level.when === 'below');
  const at = isForBetter ? inLamports(level, scale) : null;
  const limit = at && outAt(at);
  const least = limit === null || (slipped !== null && slipped > limit) ? slipped : limit;
  return least === null ? null : leastUnitsOut(side, least);
}
