import { BASIS_POINTS_WHOLE, minimumAfterSlippage, type BasisPoints } from './basis-points.ts';
import { divFloor } from './rounding.ts';
import { quotePool, type Pool, type Ratio, type Side, type SwapRefusal } from './swap-maths.ts';

export type RoundRequest = {
  readonly pool: Pool;
  readonly side: Side;
  readonly slippageBps: BasisPoints;
  /** Lamports to spend for a buy, token base units for a sell. */
  readonly leadAmountIn: bigint;
  readonly participants: readonly { readonly id: string; readonly amountIn: bigint }[];
};

export type RoundShare = { readonly id: string; readonly amountIn: bigint; readonly amountOut: bigint };

export type RoundQuote =
  | {
      readonly kind: 'round';
      readonly lead: { readonly amountIn: bigint; readonly amountOut: bigint };
      /** In the order asked for. A share too small to buy anything has zero in and out. */
      readonly participants: readonly RoundShare[];
      /** What is left of each copy's size: 10 000 is all of it. The lead is never scaled. */
      readonly scaledBps: bigint;
      readonly sumIn: bigint;
      readonly sumOut: bigint;
      /** Lamports per token base unit, the same for everyone. */
      readonly price: Ratio;
      /** The pool once everyone has traded. Fewer leave it richer: the shares' price is below the curve. */
      readonly poolAfter: Pool;
    }
  | { readonly kind: 'refused'; readonly reason: SwapRefusal };

/**
 * Prices the sum of a lead and its copies as one order, so that all of them get one average price. Where the sum would push the
 * lead below what its slippage allows against its own lone quote, the copies shrink together until it does not.
 */
export function quoteRound(request: RoundRequest): RoundQuote {
  const { pool, side, leadAmountIn } = request;
  const alone = quotePool(pool, side, leadAmountIn);
  if (alone.kind === 'refused') return alone;
  const leadMinimum = minimumAfterSlippage(alone.amountOut, request.slippageBps);
  const whole = tryScale(request, BASIS_POINTS_WHOLE, leadMinimum);
  if (whole !== null) return whole;

  // Without copies the lead gets its lone quote, so the lower end always holds.
  let fits = 0n;
  let best = tryScale(request, fits, leadMinimum);
  let tooMuch = BASIS_POINTS_WHOLE;
  while (tooMuch - fits > 1n) {
    const middle = (fits + tooMuch) / 2n;
    const attempt = tryScale(request, middle, leadMinimum);
    if (attempt === null) tooMuch = middle;
    else {
      fits = middle;
      best = attempt;
    }
  }
  return best ?? { kind: 'refused', reason: 'not-enough-liquidity' };
}

function tryScale(request: RoundRequest, scaledBps: bigint, leadMinimum: bigint): RoundQuote | null {
  const { pool, side, leadAmountIn } = request;
  const amounts = request.participants.map(({ amountIn }) =>
    amountIn <= 0n ? 0n : divFloor(amountIn * scaledBps, BASIS_POINTS_WHOLE),
  );
  const sumIn = amounts.reduce((sum, amount) => sum + amount, leadAmountIn);
  const sum = quotePool(pool, side, sumIn);
  if (sum.kind === 'refused') return null;
  const sumOut = sum.amountOut;
  const shareOut = (amountIn: bigint): bigint => divFloor(amountIn * sumOut, sumIn);
  const leadOut = shareOut(leadAmountIn);
  if (leadOut === 0n || leadOut < leadMinimum) return null;
  return {
    kind: 'round',
    lead: { amountIn: leadAmountIn, amountOut: leadOut },
    participants: request.participants.map(({ id }, index) => {
      const amountIn = amounts[index] ?? 0n;
      const amountOut = shareOut(amountIn);
      return amountOut === 0n ? { id, amountIn: 0n, amountOut: 0n } : { id, amountIn, amountOut };
    }),
    scaledBps,
    sumIn,
    sumOut,
    price: side === 'buy' ? { numerator: sumIn, denominator: sumOut } : { numerator: sumOut, denominator: sumIn },
    poolAfter: sum.poolAfter,
  };
}
