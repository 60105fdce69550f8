import { formatSol } from '@hunter/domain/format/format-sol';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { failureText } from '../../data/api-failure.ts';
import { useI18n } from '../../i18n/i18n.ts';
import { classNames } from '../../ui/class-names.ts';
import { ChevronDownIcon, WarningIcon } from '../../ui/icons.tsx';
import { Percent, Sol, Tokens } from '../../ui/numbers.tsx';
import { KeyValue } from '../../ui/stat.tsx';
import type { Quote, QuoteState } from './use-quote.ts';

/** What the order would bring, at least, and what it costs. Every line is there from the start, so nothing moves. */
export function QuoteLines({ state, symbol, children }: { state: QuoteState; symbol: string; children: ReactNode }) {
  const { t, language } = useI18n();
  const { quote, fresh, error } = state;
  const [feesOpen, setFeesOpen] = useState(false);
  const out = (value: string, floor = false) =>
    quote?.side === 'buy' ? (
      <>
        <Tokens value={value} floor={floor} />{' '}
        <bdi className="inline-block max-w-24 truncate align-bottom">{symbol}</bdi>
      </>
    ) : (
      <Sol value={value} floor={floor} />
    );
  return (
    <div className="flex flex-col" aria-label={t('trade.quote.title')} role="group" data-testid="quote">
      <div className={classNames('transition-opacity', quote && !fresh && 'opacity-55')}>
        <KeyValue label={t('trade.quote.receive')}>
          <span className="font-semibold" data-testid="expected-out">
            {quote ? out(quote.expectedOut) : '-'}
          </span>
        </KeyValue>
        <KeyValue label={t('trade.quote.atLeast')}>{quote ? out(quote.minimumOut, true) : '-'}</KeyValue>
        <KeyValue label={t('trade.quote.impact')}>
          {quote ? (
            <Percent
              value={quote.priceImpact}
              tone={false}
              className={
                quote.impactLevel === 'ok' ? '' : quote.impactLevel === 'warn' ? 'text-warn' : 'font-semibold text-down'
              }
            />
          ) : (
            '-'
          )}
        </KeyValue>
        <div className="flex items-center justify-between py-[3px] text-sm">
          <span className="text-muted">{t('trade.quote.fees')}</span>
          <button
            type="button"
            disabled={!quote}
            aria-expanded={feesOpen}
            aria-label={t('trade.quote.showFees', { fees: quote ? formatSol(quote.fees.total) : '-' })}
            className="num -mr-1.5 flex items-center gap-1 rounded-md px-1.5 py-0.5 hover:not-disabled:bg-hover"
            onClick={() => setFeesOpen(!feesOpen)}
          >
            {quote ? <Sol value={quote.fees.total} /> : '-'}
            <ChevronDownIcon
              size={13}
              className={classNames('text-faint transition-transform', feesOpen && 'rotate-180')}
            />
          </button>
        </div>
        {feesOpen && quote && <Fees fees={quote.fees} />}
      </div>
      {children}
      {quote && quote.impactLevel !== 'ok' && (
        <Note tone={quote.impactLevel === 'warn' ? 'warn' : 'down'}>
          {t(quote.impactLevel === 'warn' ? 'trade.quote.warn' : 'trade.quote.refused', {
            impact: Number(quote.priceImpact).toFixed(2),
          })}
        </Note>
      )}
      {error !== null && error !== undefined && <Note tone="warn">{failureText(error, language)}</Note>}
    </div>
  );
}

function Fees({ fees }: { fees: Quote['fees'] }) {
  const { t } = useI18n();
  return (
    <div className="mb-1 rounded-lg border border-line bg-bg px-2.5 py-1">
      <KeyValue label={t('trade.quote.network')}>
        <Sol value={fees.network} />
      </KeyValue>
      <KeyValue label={t('trade.quote.venue')}>
        <Sol value={fees.venue} />
      </KeyValue>
      {/[1-9]/.test(fees.rent) && (
        <KeyValue label={t('trade.quote.rent')}>
          {fees.rentIsMaximum ? t('trade.quote.atMost', { amount: formatSol(fees.rent) }) : <Sol value={fees.rent} />}
        </KeyValue>
      )}
    </div>
  );
}

function Note({ tone, children }: { tone: 'warn' | 'down'; children: ReactNode }) {
  return (
    <p
      role="alert"
      className={classNames(
        'mt-1.5 flex items-start gap-2 rounded-lg px-2.5 py-2 text-sm',
        tone === 'warn' ? 'bg-warn-soft text-warn' : 'bg-down-soft text-down',
      )}
    >
      <WarningIcon size={15} className="mt-px shrink-0" />
      {children}
    </p>
  );
}
