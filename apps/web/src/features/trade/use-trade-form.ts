import { useEffect } from 'react';
import type { RefObject } from 'react';
import { useStreamStatus } from '../../data/stream.ts';
import type { TextKey } from '../../i18n/areas.ts';
import { isUnderWay } from './order-progress.ts';
import { useOwnBooks, useReplacedBook } from './own-books.ts';
import { useTellPlanned } from './planned-lines.ts';
import type { PlannedOrders } from './planned-lines.ts';
import { protectionOf } from './protect-choice.ts';
import { useProtectChoice } from './protect-fields.tsx';
import { protectedBuy } from './protect-lines.ts';
import type { TradeSide } from './side-tabs.tsx';
import { cleanAmount, isAmount, obstacle } from './trade-amounts.ts';
import type { RunningOrder } from './use-order.ts';
import { useQuote } from './use-quote.ts';
import type { QuoteState } from './use-quote.ts';
import { useSlippage } from './use-slippage.ts';

export type TradeAmounts = Readonly<Record<TradeSide, string>>;

export type TradeFormProps = {
  address: string;
  side: TradeSide;
  /** Counts up when the amount should get the focus: a key was pressed or the panel was opened for it. */
  focusRequest: number;
  /** The chosen book; null, or one that is not tradable here, means the personal one. */
  bookId: string | null;
  /** Of the page, because they stay when the panel is closed. */
  amounts: TradeAmounts;
  onAmounts: (change: (before: TradeAmounts) => TradeAmounts) => void;
  /** Of the page, because it goes on when the panel is closed. */
  order: RunningOrder;
  /** Told what is being composed, for others to draw; null once there is nothing to draw. */
  onPlanned: (orders: PlannedOrders | null) => void;
};

/** What is typed and chosen, the quote for it, and the order that it makes. */
export function useTradeForm(props: TradeFormProps, input: RefObject<HTMLInputElement | null>) {
  const { address, side, focusRequest, bookId, order, amounts, onAmounts } = props;
  const [protect, setProtect] = useProtectChoice();
  const slippage = useSlippage();
  const { query: ownBooks, books, book } = useOwnBooks(address, bookId);
  const typed = amounts[side];
  const amount = cleanAmount(typed);

  const running = isUnderWay(order.progress);
  const { watch } = order;
  useEffect(() => watch(), [watch]);
  useReplacedBook(bookId, book?.bookId, () => onAmounts(() => ({ buy: '', sell: '' })));

  const ownSlippage = slippage.bps === null ? {} : { slippageBps: slippage.bps };
  const trade = { tokenContractAddress: address, side, amount, ...ownSlippage };
  const quoteState = useQuote(isAmount(amount) ? { ...trade, ...(book ? { bookId: book.bookId } : {}) } : null);

  const isComposed = order.progress.phase === 'idle' || order.progress.phase === 'refused';
  useTellPlanned(
    isComposed && side === 'buy' && book ? protectedBuy(book.bookId, quoteState.quote, protect) : null,
    props.onPlanned,
  );

  useEffect(() => {
    if (focusRequest > 0) input.current?.focus();
  }, [focusRequest, input]);

  function setAmount(text: string): void {
    onAmounts((before) => ({ ...before, [side]: text }));
    order.reset();
  }

  const against = book ? obstacle(side, amount, book) : null;
  const protection = side === 'buy' ? protectionOf(protect) : null;
  const isConnected = useStreamStatus() !== 'waiting';
  const reason =
    reasonKey(ownBooks, against, quoteState, isConnected) ??
    (protection === 'incomplete' ? 'triggers.protect.none' : null);

  // What is bought is what is shown: an order without a quote of this moment would be one in the dark.
  const hasQuote = quoteState.quote !== null && quoteState.fresh;

  function submit(): void {
    if (reason !== null || !hasQuote || running || !book || protection === 'incomplete') return;
    order.submit({ ...trade, bookId: book.bookId, ...(protection ? { protect: protection } : {}) });
  }

  return {
    typed,
    amount,
    setAmount,
    isTooMuch: against === 'insufficient',
    books,
    book,
    slippage,
    protect,
    setProtect,
    isProtected: protection !== null,
    quoteState,
    hasQuote,
    reason,
    running,
    submit,
  };
}

/** Why there is no order to place, as a text; null where there is one. */
function reasonKey(
  ownBooks: ReturnType<typeof useOwnBooks>['query'],
  against: ReturnType<typeof obstacle>,
  { fresh, quote }: QuoteState,
  isConnected: boolean,
): TextKey | null {
  if (!isConnected) return 'trade.reason.offline';
  if (ownBooks.isLoading) return 'trade.reason.loading';
  if (!ownBooks.data) return 'trade.reason.failed';
  if (!ownBooks.data.books.some(({ tradable }) => tradable)) return 'trade.reason.noBook';
  if (against === 'nothing-to-sell') return 'trade.reason.nothing';
  if (against === 'no-amount') return 'trade.reason.noAmount';
  if (against === 'insufficient') return 'trade.insufficient';
  return fresh && quote?.impactLevel === 'refused' ? 'trade.reason.impact' : null;
}
