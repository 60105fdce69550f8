import { AppError } from '@hunter/contract/app-error';
import { basisPoints, minimumAfterSlippage } from '@hunter/domain/numbers/basis-points';
import { printSol, type Lamports } from '@hunter/domain/numbers/lamports';
import type { AmountOut } from '@hunter/domain/market/swap-maths';
import type { VenueQuote } from '../venue/venue.ts';
import type { Order } from './order.ts';
import { impactLevel } from './order-limits.ts';

type Quoted = Pick<Order, 'kind' | 'side' | 'slippageBps' | 'minOut'>;

/** Null where the order may be signed at this quote; otherwise why not. */
export function refuseQuote(
  order: Quoted,
  quote: Pick<VenueQuote, 'outAmount' | 'impactPercent' | 'networkFeeLamports'>,
  feeReserveLamports: Lamports,
): AppError | null {
  if (order.minOut !== null && quote.outAmount < order.minOut) return new AppError('PRICE_MOVED');
  if (order.kind !== 'close' && impactLevel(quote.impactPercent) === 'refused') {
    return new AppError('PRICE_IMPACT_TOO_HIGH', { impact: quote.impactPercent.toFixed(1) });
  }
  if (quote.networkFeeLamports > feeReserveLamports) return new AppError('UNAVAILABLE');
  if (order.side === 'sell' && quote.outAmount <= quote.networkFeeLamports) {
    return new AppError('AMOUNT_TOO_SMALL', { minimum: `${printSol(quote.networkFeeLamports)} SOL` });
  }
  return null;
}

/** The least any attempt of the order may bring, fixed by its first quote. */
export function minimumOut(
  order: Pick<Quoted, 'slippageBps'> & { minOut?: Order['minOut'] },
  quotedOut: AmountOut,
): AmountOut {
  return order.minOut ?? minimumAfterSlippage(quotedOut, basisPoints(order.slippageBps));
}
