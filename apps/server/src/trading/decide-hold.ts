import type { ErrorName } from '@hunter/contract/error-catalogue';
import { baseUnits, type BaseUnits } from '@hunter/domain/numbers/base-units';
import { lamports, type Lamports } from '@hunter/domain/numbers/lamports';
import { larger, smaller } from '@hunter/domain/numbers/rounding';
import type { BookKind, BookStatus } from '../ledger/books.ts';
import { spendableLamports } from '../ledger/balances.ts';
import type { NewOrder, Order } from './order.ts';
import { BUY_MINIMUM_LAMPORTS } from './order-limits.ts';

export type HoldInput = {
  order: Pick<NewOrder, 'side' | 'amountIn' | 'kind' | 'fit'>;
  book: { kind: BookKind; status: BookStatus };
  /** Free amounts of the book. */
  cashLamports: Lamports;
  cashTokens: BaseUnits;
  feeReserveLamports: Lamports;
  /** Zero where the wallet already has the token account. */
  rentLamports: Lamports;
};

export type HoldDecision =
  | ({ kind: 'hold' } & Pick<Order, 'amountIn' | 'holdLamports' | 'holdTokens'>)
  | { kind: 'refuse'; error: ErrorName };

/** What must be set aside before an order may be signed: the amount, the network's fee and a possible rent deposit. */
export function decideHold(input: HoldInput): HoldDecision {
  const { order, book } = input;
  if (book.status === 'closed' || (book.status === 'closing' && order.kind !== 'close'))
    return refuse('STRATEGY_ENDED');
  return order.side === 'buy' ? decideBuy(input) : decideSell(input);
}

/** The largest buy a book can pay for, fee and rent kept back. */
export function largestBuy(input: Omit<HoldInput, 'order' | 'cashTokens'>): Lamports {
  const free = spendableLamports(input.cashLamports, input.book.kind);
  return lamports(larger(0n, free - input.feeReserveLamports - input.rentLamports));
}

function decideBuy(input: HoldInput): HoldDecision {
  const { order, feeReserveLamports, rentLamports } = input;
  const most = largestBuy(input);
  const amountIn = lamports(order.fit === true ? smaller(order.amountIn, most) : order.amountIn);
  if (amountIn > most) return refuse('INSUFFICIENT_BALANCE');
  if (amountIn < BUY_MINIMUM_LAMPORTS) {
    return refuse(amountIn < order.amountIn ? 'INSUFFICIENT_BALANCE' : 'AMOUNT_TOO_SMALL');
  }
  const holdLamports = lamports(amountIn + feeReserveLamports + rentLamports);
  return { kind: 'hold', amountIn, holdLamports, holdTokens: baseUnits(0n) };
}

/**
 * A sale pays its fee out of what it brings; only a failed one needs SOL of the book, so the fee is set aside as far as
 * there is any.
 */
function decideSell(input: HoldInput): HoldDecision {
  const { order, cashTokens, cashLamports, feeReserveLamports } = input;
  if (cashTokens === 0n) return refuse('NOTHING_TO_SELL');
  const amountIn = baseUnits(order.fit === true ? smaller(order.amountIn, cashTokens) : order.amountIn);
  if (amountIn > cashTokens) return refuse('INSUFFICIENT_BALANCE');
  return { kind: 'hold', amountIn, holdLamports: smaller(cashLamports, feeReserveLamports), holdTokens: amountIn };
}

function refuse(error: ErrorName): HoldDecision {
  return { kind: 'refuse', error };
}
