import { InvariantError } from '../invariant-error.ts';
import { baseUnits, type BaseUnits } from '../numbers/base-units.ts';
import { BASIS_POINTS_WHOLE } from '../numbers/basis-points.ts';
import { printPercentOf } from '../numbers/decimal.ts';
import { lamports, type Lamports } from '../numbers/lamports.ts';
import { divCeil, divFloor, divide, larger, smaller, type Rounding } from '../numbers/rounding.ts';

export type Side = 'buy' | 'sell';

/**
 * A constant-product pool. The virtual reserves shape the curve without ever being paid out, as a launch curve needs that
 * starts with no SOL in it; a plain pool has zeros there. The fee is taken from what comes in and stays in the pool.
 */
export type Pool = {
  readonly solReserve: Lamports;
  readonly tokenReserve: BaseUnits;
  readonly virtualSol: Lamports;
  readonly virtualTokens: BaseUnits;
  readonly feeBps: bigint;
};

/** One curve for both directions, so its amounts are plain: which side is SOL is not its business. */
export type CurveSwap = {
  readonly reserveIn: bigint;
  readonly reserveOut: bigint;
  readonly amountIn: bigint;
  readonly feeBps: bigint;
};

/** An exact fraction; kept whole so that the one who prints it decides the rounding. */
export type Ratio = { readonly numerator: bigint; readonly denominator: bigint };

export type SwapRefusal = 'amount-too-small' | 'not-enough-liquidity';

/** A buy brings SOL in and takes tokens out, a sell the other way round. */
export type AmountIn<Way extends Side = Side> = Way extends 'buy' ? Lamports : BaseUnits;
export type AmountOut<Way extends Side = Side> = Way extends 'buy' ? BaseUnits : Lamports;

/** The doors to them where only the side says which unit it is. */
export function unitsIn(side: Side, raw: bigint): AmountIn {
  return side === 'buy' ? lamports(raw) : baseUnits(raw);
}

export function unitsOut(side: Side, raw: bigint): AmountOut {
  return side === 'buy' ? baseUnits(raw) : lamports(raw);
}

const AMOUNT_MAX = 2n ** 64n - 1n;

/** For the least that a swap must bring. A bound may ask for more than anybody can hold; no swap brings the most there can be either. */
export function leastUnitsOut(side: Side, raw: bigint): AmountOut {
  return unitsOut(side, smaller(raw, AMOUNT_MAX));
}

/** What went in and what came out, by unit. */
export function solAndTokens(side: Side, amountIn: AmountIn, amountOut: AmountOut): [Lamports, BaseUnits] {
  return side === 'buy' ? [lamports(amountIn), baseUnits(amountOut)] : [lamports(amountOut), baseUnits(amountIn)];
}

/** The other way round: what of the two went in, and what came out. */
export function inAndOut(side: Side, sol: Lamports, tokens: BaseUnits): [AmountIn, AmountOut] {
  return side === 'buy' ? [sol, tokens] : [tokens, sol];
}

export type PoolQuote<Way extends Side = Side> =
  | {
      readonly kind: 'quote';
      readonly amountIn: AmountIn<Way>;
      readonly amountOut: AmountOut<Way>;
      /** The pool's fee, in units of what comes in. */
      readonly feeIn: bigint;
      readonly priceImpact: Ratio;
      readonly poolAfter: Pool;
    }
  | { readonly kind: 'refused'; readonly reason: SwapRefusal };

/** What a curve gives for `amountIn`. Rounds down, in the pool's favour, so that its product never falls. */
export function quoteSwap(swap: CurveSwap): { amountOut: bigint; feeIn: bigint } {
  requireSwap(swap);
  const { reserveIn, reserveOut, amountIn, feeBps } = swap;
  const net = amountIn * (BASIS_POINTS_WHOLE - feeBps);
  return {
    amountOut: divFloor(net * reserveOut, reserveIn * BASIS_POINTS_WHOLE + net),
    feeIn: divCeil(amountIn * feeBps, BASIS_POINTS_WHOLE),
  };
}

/** How far the average price lies from the price before the swap, the fee left out. On this curve it is net ÷ (reserve + net). */
export function priceImpact(swap: CurveSwap): Ratio {
  requireSwap(swap);
  const net = swap.amountIn * (BASIS_POINTS_WHOLE - swap.feeBps);
  return { numerator: net, denominator: swap.reserveIn * BASIS_POINTS_WHOLE + net };
}

/** In percent points, rounded up: an impact is never shown smaller than it is. */
export function printPriceImpact(impact: Ratio): string {
  return printPercentOf(impact.numerator, impact.denominator, 4, 'ceil');
}

export function quotePool<Way extends Side>(pool: Pool, side: Way, amountIn: AmountIn<Way>): PoolQuote<Way> {
  if (amountIn === 0n) return { kind: 'refused', reason: 'amount-too-small' };
  const swap = curveOf(pool, side, amountIn);
  const { amountOut, feeIn } = quoteSwap(swap);
  if (amountOut === 0n) return { kind: 'refused', reason: 'amount-too-small' };
  const payable = side === 'buy' ? pool.tokenReserve : pool.solReserve;
  if (amountOut > payable) return { kind: 'refused', reason: 'not-enough-liquidity' };
  // Somebody may ask for more than there is of anything; no pool could hold it.
  const reserveIn = side === 'buy' ? pool.solReserve : pool.tokenReserve;
  if (reserveIn + amountIn > AMOUNT_MAX) return { kind: 'refused', reason: 'not-enough-liquidity' };
  return {
    kind: 'quote',
    amountIn,
    amountOut: amountOut as AmountOut<Way>,
    feeIn,
    priceImpact: priceImpact(swap),
    poolAfter: poolAfterSwap(pool, side, amountIn, amountOut),
  };
}

function poolAfterSwap(pool: Pool, side: Side, amountIn: bigint, amountOut: bigint): Pool {
  const [solChange, tokenChange] = side === 'buy' ? [amountIn, -amountOut] : [-amountOut, amountIn];
  return {
    ...pool,
    solReserve: lamports(pool.solReserve + solChange),
    tokenReserve: baseUnits(pool.tokenReserve + tokenChange),
  };
}

/** The price of an infinitely small swap without fee: lamports per token base unit. */
export function spotPrice(pool: Pool): Ratio {
  return { numerator: pool.solReserve + pool.virtualSol, denominator: pool.tokenReserve + pool.virtualTokens };
}

/** 9 million SOL: whoever leaves a pool with almost no tokens makes any price, and many holdings at it must still add up. */
const WORTH_MAX = 2n ** 53n;

/** Tokens at a price that has nothing to do with how many they are. A price that is absurd is cut off and stops nothing. */
export function worthAt(tokens: bigint, { numerator, denominator }: Ratio, rounding: Rounding = 'floor'): Lamports {
  return lamports(smaller(WORTH_MAX, divide(tokens * numerator, denominator, rounding)));
}

/**
 * What selling a whole position now returns, after the pool's fee and the network's. A position larger than the pool can pay
 * for is worth what the pool has, and nothing is ever worth less than leaving it alone.
 */
export function liquidationValue(pool: Pool, tokens: BaseUnits, networkFee = lamports(0n)): Lamports {
  if (tokens === 0n) return lamports(0n);
  const { amountOut } = quoteSwap(curveOf(pool, 'sell', tokens));
  return lamports(larger(0n, smaller<bigint>(amountOut, pool.solReserve) - networkFee));
}

function curveOf(pool: Pool, side: Side, amountIn: bigint): CurveSwap {
  const sol = pool.solReserve + pool.virtualSol;
  const tokens = pool.tokenReserve + pool.virtualTokens;
  return side === 'buy'
    ? { reserveIn: sol, reserveOut: tokens, amountIn, feeBps: pool.feeBps }
    : { reserveIn: tokens, reserveOut: sol, amountIn, feeBps: pool.feeBps };
}

function requireSwap({ reserveIn, reserveOut, amountIn, feeBps }: CurveSwap): void {
  if (reserveIn <= 0n || reserveOut <= 0n) throw new InvariantError('POOL_INVALID', { problem: 'a reserve is empty' });
  if (feeBps < 0n || feeBps >= BASIS_POINTS_WHOLE)
    throw new InvariantError('POOL_INVALID', { problem: 'fee out of range' });
  if (amountIn < 0n) throw new InvariantError('SWAP_AMOUNT_INVALID', { amount: amountIn });
}
