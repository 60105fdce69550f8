import type { ErrorName } from '@hunter/contract/error-catalogue';
import type { BookKind, BookStatus } from '../ledger/books.ts';
import { spendableLamports } from '../ledger/balances.ts';
import type { NewOrder } from './order.ts';
import { BUY_MINIMUM_LAMPORTS } from './order-limits.ts';

export type HoldInput = {
  order: Pick<NewOrder, 'side' | 'amountIn' | 'kind' | 'fit'>;
  book: { kind: BookKind; status: BookStatus };
  /** Free amounts of the book. */
  cashLamports: bigint;
  cashTokens: bigint;
  feeReserveLamports: bigint;
  /** Zero where the wallet already has the token account. */
  rentLamports: bigint;
};

export type HoldDecision =
  | { kind: 'hold'; amountIn: bigint; holdLamports: bigint; holdTokens: bigint }
  | { kind: 'refuse'; error: ErrorName };

/** What must be set aside before an order may be signed: the amount, the network's fee and a possible rent deposit. */
export function decideHold(input: HoldInput): HoldDecision {
  const { order, book } = input;
  if (book.status === 'closed' || (book.status === 'closing' && order.kind !== 'close'))
    return refuse('STRATEGY_ENDED');
  return order.side === 'buy' ? decideBuy(input) : decideSell(input);
}

/** The largest buy a book can pay for, fee and rent kept back. */
export function largestBuy(input: Omit<HoldInput, 'order' | 'cashTokens'>): bigint {
  const free = spendableLamports(input.cashLamports, input.book.kind);
  const most = free - input.feeReserveLamports - input.rentLamports;
  return most > 0n ? most : 0n;
}

function decideBuy(input: HoldInput): HoldDecision {
  const { order, feeReserveLamports, rentLamports } = input;
  const most = largestBuy(input);
  const amountIn = order.fit === true && order.amountIn > most ? most : order.amountIn;
  if (amountIn > most) return refuse('INSUFFICIENT_BALANCE');
  if (amountIn < BUY_MINIMUM_LAMPORTS) {
    return refuse(amountIn < order.amountIn ? 'INSUFFICIENT_BALANCE' : 'AMOUNT_TOO_SMALL');
  }
  return { kind: 'hold', amountIn, holdLamports: amountIn + feeReserveLamports + rentLamports, holdTokens: 0n };
}

/**
 * A sale pays its fee out of what it brings; only a failed one needs SOL of the book, so the fee is set aside as far as
 * there is any.
 */
function decideSell(input: HoldInput): HoldDecision {
  const { order, cashTokens, cashLamports, feeReserveLamports } = input;
  if (cashTokens === 0n) return refuse('NOTHING_TO_SELL');
  const amountIn = order.fit === true && order.amountIn > cashTokens ? cashTokens : order.amountIn;
  if (amountIn > cashTokens) return refuse('INSUFFICIENT_BALANCE');
  const holdLamports = cashLamports < feeReserveLamports ? cashLamports : feeReserveLamports;
  return { kind: 'hold', amountIn, holdLamports, holdTokens: amountIn };
}

function refuse(error: ErrorName): HoldDecision {
  return { kind: 'refuse', error };
}
