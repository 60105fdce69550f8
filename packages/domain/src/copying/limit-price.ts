import { minimumAfterSlippage, type BasisPoints } from '../numbers/basis-points.ts';
import { quotePool, type AmountIn, type Pool, type Ratio, type Side } from '../market/swap-maths.ts';

/**
 * The least that one unit of a planned swap may bring: what the pool that it was planned with gives, less the slippage. Null where
 * the pool cannot fill it.
 */
export function limitPrice(pool: Pool, side: Side, amountIn: AmountIn, slippage: BasisPoints): Ratio | null {
  const quote = quotePool(pool, side, amountIn);
  if (quote.kind === 'refused') return null;
  return { numerator: minimumAfterSlippage(quote.amountOut, slippage), denominator: amountIn };
}

/** The one that asks for more. */
export function tighterPrice(one: Ratio, other: Ratio): Ratio {
  return one.numerator * other.denominator >= other.numerator * one.denominator ? one : other;
}
