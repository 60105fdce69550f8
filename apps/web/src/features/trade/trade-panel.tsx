import { formatSol } from '@hunter/domain/format/format-sol';
import { formatTokens } from '@hunter/domain/format/format-tokens';
import { useEffect, useRef } from 'react';
import { useStreamStatus } from '../../data/stream.ts';
import type { TextKey } from '../../i18n/areas.ts';
import { useT } from '../../i18n/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { Form } from '../../ui/form.tsx';
import { NumberInput } from '../../ui/number-input.tsx';
import { toast } from '../../ui/toast-store.ts';
import { BookChoice } from './book-choice.tsx';
import { isUnderWay } from './order-progress.ts';
import { OrderStatus } from './order-status.tsx';
import { useOwnBooks } from './own-books.ts';
import type { OwnBook } from './own-books.ts';
import { protectionOf } from './protect-choice.ts';
import { ProtectFields, useProtectChoice } from './protect-fields.tsx';
import { QuoteLines } from './quote-lines.tsx';
import { SideTabs } from './side-tabs.tsx';
import type { TradeSide } from './side-tabs.tsx';
import { SlippageControl } from './slippage-control.tsx';
import { buyPresets, cleanAmount, isAmount, largestBuy, obstacle, sellPercents, shareOf } from './trade-amounts.ts';
import type { RunningOrder } from './use-order.ts';
import { useQuote } from './use-quote.ts';
import type { QuoteState as QuoteStateValue } from './use-quote.ts';
import { useSlippage } from './use-slippage.ts';
import { TokenRules } from './token-rules.tsx';

export type { TradeSide };
export type TradeAmounts = Readonly<Record<TradeSide, string>>;

type TradePanelProps = {
  address: string;
  symbol: string;
  decimals: number;
  side: TradeSide;
  onSide: (side: TradeSide) => void;
  /** Counts up when the amount should get the focus: a key was pressed or the panel was opened for it. */
  focusRequest: number;
  /** The chosen book; null, or one that is not tradable here, means the personal one. */
  bookId: string | null;
  onBook: (bookId: string) => void;
  /** Of the page, because they stay when the panel is closed. */
  amounts: TradeAmounts;
  onAmounts: (change: (before: TradeAmounts) => TradeAmounts) => void;
  /** Of the page, because it goes on when the panel is closed. */
  order: RunningOrder;
  /** What the token's own rules can do to whoever buys it. */
  warnings: readonly { key: string; label: string; text: string }[];
};

export function TradePanel(props: TradePanelProps) {
  const { address, symbol, decimals, side, onSide, focusRequest, bookId, onBook, order, amounts, onAmounts } = props;
  const t = useT();
  const input = useRef<HTMLInputElement>(null);
  const [protect, setProtect] = useProtectChoice();
  const slippage = useSlippage();
  const ownBooks = useOwnBooks(address);
  const books = ownBooks.data?.books.filter(({ tradable }) => tradable) ?? [];
  const book =
    books.find((each) => each.bookId === bookId) ?? books.find((each) => each.bookKind === 'personal') ?? books[0];
  const typed = amounts[side];
  const amount = cleanAmount(typed);

  const running = isUnderWay(order.progress);
  const traded = order.progress.phase === 'confirmed' ? order.progress.order : null;
  const tradedBefore = useRef(traded);
  useEffect(() => {
    if (traded === tradedBefore.current) return;
    tradedBefore.current = traded;
    if (traded) onAmounts((before) => ({ ...before, [traded.side]: '' }));
  }, [traded, onAmounts]);

  const ownSlippage = slippage.bps === null ? {} : { slippageBps: slippage.bps };
  const trade = { tokenContractAddress: address, side, amount, ...ownSlippage };
  const quoteState = useQuote(isAmount(amount) ? { ...trade, ...(book ? { bookId: book.bookId } : {}) } : null);

  useEffect(() => {
    if (focusRequest > 0) input.current?.focus();
  }, [focusRequest]);

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

  return (
    <Form data-testid="trade-panel" aria-label={t('trade.panel')} onSubmit={() => submit()}>
      <SideTabs side={side} onSide={onSide} />
      <BookChoice
        books={books}
        book={book}
        onBook={(id) => {
          onBook(id);
          order.reset();
        }}
      />
      <NumberInput
        ref={input}
        value={typed}
        onValue={setAmount}
        decimals={side === 'buy' ? 9 : decimals}
        unit={side === 'buy' ? 'SOL' : undefined}
        placeholder="0"
        aria-label={side === 'buy' ? t('trade.amountInSol') : t('trade.amountInTokens', { symbol })}
        aria-invalid={against === 'insufficient' || undefined}
        className="mt-2"
        disabled={running}
        after={<bdi className="max-w-24 shrink-0 truncate text-sm text-muted">{side === 'buy' ? 'SOL' : symbol}</bdi>}
      />
      <Presets
        side={side}
        book={book}
        symbol={symbol}
        decimals={decimals}
        amount={amount}
        disabled={running}
        onAmount={setAmount}
      />
      {side === 'buy' && <TokenRules warnings={props.warnings} />}
      {side === 'buy' && <ProtectFields choice={protect} disabled={running} onChoice={setProtect} />}
      <div className="mt-3">
        <QuoteLines state={quoteState} symbol={symbol}>
          <OwnSlippage slippage={slippage} />
        </QuoteLines>
      </div>
      {/* In a sheet, where the button is always seen, the outcome stands above it: below it would be out of sight. */}
      <div className="mt-3 flex flex-col max-lg:in-reach max-lg:mt-1 max-lg:flex-col-reverse">
        <Button
          type="submit"
          tone={side}
          size="l"
          className="w-full"
          pending={running}
          disabled={reason !== null || (!hasQuote && !running)}
          data-testid="trade-submit"
          data-phase={order.progress.phase}
        >
          <span className="max-w-60 truncate">
            {reason ? t(reason) : t(buttonKey(side, protection !== null), { symbol })}
          </span>
        </Button>
        <OrderStatus progress={order.progress} symbol={symbol} onAskAgain={order.askAgain} />
      </div>
      <QuoteState state={quoteState} />
    </Form>
  );
}

function buttonKey(side: TradeSide, isProtected: boolean): TextKey {
  if (side === 'sell') return 'trade.sellToken';
  return isProtected ? 'triggers.protect.buy' : 'trade.buyToken';
}

/** Why there is no order to place, as a text; null where there is one. */
function reasonKey(
  ownBooks: ReturnType<typeof useOwnBooks>,
  against: ReturnType<typeof obstacle>,
  { fresh, quote }: QuoteStateValue,
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

/** What is there to trade with, and buttons for round parts of it. */
function Presets({
  side,
  book,
  symbol,
  decimals,
  amount,
  disabled,
  onAmount,
}: {
  side: TradeSide;
  book: OwnBook | undefined;
  symbol: string;
  decimals: number;
  amount: string;
  disabled: boolean;
  onAmount: (amount: string) => void;
}) {
  const t = useT();
  const held = side === 'buy' ? formatSol(book?.availableSol) : `${formatTokens(book?.amount)} ${symbol}`;
  const presets =
    side === 'buy'
      ? [
          ...buyPresets.map((value) => ({ label: value, value })),
          { label: t('trade.max'), value: book ? largestBuy(book.availableSol, book.bookKind) : '' },
        ]
      : sellPercents.map((percent) => ({
          label: t('trade.percent', { percent }),
          value: book ? shareOf(book.amount, percent, decimals) : '',
        }));
  return (
    <>
      <div className="mt-1 flex justify-end text-xs text-faint">
        <bdi className="num truncate" data-testid="available">
          {t('trade.available', { amount: book ? held : '-' })}
        </bdi>
      </div>
      <div role="group" aria-label={t('trade.presets')} className="mt-1.5 grid grid-cols-4 gap-1.5">
        {presets.map(({ label, value }) => (
          <button
            key={label}
            type="button"
            disabled={!isAmount(value) || disabled}
            aria-pressed={amount !== '' && amount === value}
            className="num h-8 rounded-lg border border-line font-[550] text-muted hover:not-disabled:border-line-strong hover:not-disabled:text-text disabled:cursor-not-allowed disabled:opacity-50 aria-pressed:border-accent aria-pressed:bg-accent-soft aria-pressed:text-text pointer-coarse:h-11"
            onClick={() => onAmount(value)}
          >
            {label}
          </button>
        ))}
      </div>
    </>
  );
}

function OwnSlippage({ slippage }: { slippage: ReturnType<typeof useSlippage> }) {
  const t = useT();
  return (
    <SlippageControl
      bps={slippage.bps}
      maxBps={slippage.maxBps}
      saving={slippage.saving}
      onSave={(bps) => {
        slippage.save(bps).then(
          () => toast.success(t('trade.slippage.saved')),
          () => {
            // The shared error handling has said why.
          },
        );
      }}
    />
  );
}

function QuoteState({ state }: { state: QuoteStateValue }) {
  const t = useT();
  return (
    <p className="num mt-2.5 text-center text-xs text-faint" aria-live="off">
      {state.quote === null && !state.loading
        ? t('trade.quote.waiting')
        : state.loading && !state.fresh
          ? t('trade.quote.refreshing')
          : t('trade.quote.refreshIn', { seconds: state.refreshInSeconds ?? 0 })}
      <span className="block pointer-coarse:hidden">{t('trade.quote.keys')}</span>
    </p>
  );
}
