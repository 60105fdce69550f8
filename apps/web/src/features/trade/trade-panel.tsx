import { formatSol } from '@hunter/domain/format/format-sol';
import { formatTokens } from '@hunter/domain/format/format-tokens';
import { useRef } from 'react';
import type { TextKey } from '../../i18n/areas.ts';
import { useT } from '../../i18n/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { Form } from '../../ui/form.tsx';
import { NumberInput } from '../../ui/number-input.tsx';
import { toast } from '../../ui/toast-store.ts';
import { BookChoice } from './book-choice.tsx';
import { OrderStatus } from './order-status.tsx';
import type { OwnBook } from './own-books.ts';
import { ProtectFields } from './protect-fields.tsx';
import { QuoteLines } from './quote-lines.tsx';
import { SideTabs } from './side-tabs.tsx';
import type { TradeSide } from './side-tabs.tsx';
import { SlippageControl } from './slippage-control.tsx';
import { cleanAmount, isAmount, largestBuy, sellPercents, shareOf } from './trade-amounts.ts';
import type { QuoteState as QuoteStateValue } from './use-quote.ts';
import type { useSlippage } from './use-slippage.ts';
import { useTradeForm } from './use-trade-form.ts';
import type { TradeAmounts, TradeFormProps } from './use-trade-form.ts';
import { TokenRules } from './token-rules.tsx';

export type { TradeAmounts, TradeSide };

type TradePanelProps = TradeFormProps & {
  symbol: string;
  decimals: number;
  /** Amounts of SOL, each on a button. */
  buyPresets: readonly string[];
  onSide: (side: TradeSide) => void;
  onBook: (bookId: string) => void;
  /** What the token's own rules can do to whoever buys it. */
  warnings: readonly { key: string; label: string; text: string }[];
};

export function TradePanel(props: TradePanelProps) {
  const { symbol, decimals, side, onSide, onBook, order } = props;
  const t = useT();
  const input = useRef<HTMLInputElement>(null);
  const form = useTradeForm(props, input);
  const { books, book, protect, quoteState, reason, running } = form;
  return (
    <Form data-testid="trade-panel" aria-label={t('trade.panel')} onSubmit={() => form.submit()}>
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
        value={form.typed}
        onValue={form.setAmount}
        decimals={side === 'buy' ? 9 : decimals}
        unit={side === 'buy' ? 'SOL' : undefined}
        placeholder="0"
        aria-label={side === 'buy' ? t('trade.amountInSol') : t('trade.amountInTokens', { symbol })}
        aria-invalid={form.isTooMuch || undefined}
        className="mt-2"
        disabled={running}
        after={<bdi className="max-w-24 shrink-0 truncate text-sm text-muted">{side === 'buy' ? 'SOL' : symbol}</bdi>}
      />
      <Presets
        side={side}
        book={book}
        symbol={symbol}
        decimals={decimals}
        buyPresets={props.buyPresets}
        amount={form.amount}
        disabled={running}
        onAmount={form.setAmount}
      />
      {side === 'buy' && <TokenRules warnings={props.warnings} />}
      {side === 'buy' && <ProtectFields choice={protect} disabled={running} onChoice={form.setProtect} />}
      <div className="mt-3">
        <QuoteLines state={quoteState} symbol={symbol}>
          <OwnSlippage slippage={form.slippage} />
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
          disabled={reason !== null || (!form.hasQuote && !running)}
          data-testid="trade-submit"
          data-phase={order.progress.phase}
        >
          <span className="max-w-60 truncate">
            {reason ? t(reason) : t(buttonKey(side, form.isProtected), { symbol })}
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

/** What is there to trade with, and buttons for round parts of it. */
function Presets({
  side,
  book,
  symbol,
  decimals,
  buyPresets,
  amount,
  disabled,
  onAmount,
}: {
  side: TradeSide;
  book: OwnBook | undefined;
  symbol: string;
  decimals: number;
  buyPresets: readonly string[];
  amount: string;
  disabled: boolean;
  onAmount: (amount: string) => void;
}) {
  const t = useT();
  const held = side === 'buy' ? formatSol(book?.availableSol) : `${formatTokens(book?.amount)} ${symbol}`;
  const presets =
    side === 'buy'
      ? [
          ...buyPresets.map((label) => ({ label, value: cleanAmount(label) })),
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
        {presets.map(({ label, value }, place) => (
          <button
            key={`${place} ${label}`}
            type="button"
            disabled={!isAmount(value) || disabled}
            aria-pressed={amount !== '' && amount === value}
            className="num h-8 truncate rounded-lg px-1 border border-line font-[550] text-muted hover:not-disabled:border-line-strong hover:not-disabled:text-text disabled:cursor-not-allowed disabled:opacity-50 aria-pressed:border-accent aria-pressed:bg-accent-soft aria-pressed:text-text pointer-coarse:h-11"
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
        ? t(state.error ? 'trade.quote.failed' : 'trade.quote.waiting')
        : state.loading && !state.fresh
          ? t('trade.quote.refreshing')
          : t('trade.quote.refreshIn', { seconds: state.refreshInSeconds ?? 0 })}
      <span className="block pointer-coarse:hidden">{t('trade.quote.keys')}</span>
    </p>
  );
}
