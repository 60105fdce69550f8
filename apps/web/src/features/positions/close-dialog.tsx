import type { CallReply } from '@hunter/contract/calls';
import { addDecimals, compareDecimals } from '@hunter/domain/numbers/decimal';
import { formatSol } from '@hunter/domain/format/format-sol';
import { useState } from 'react';
import { attempt } from '../../data/attempts.ts';
import { refreshCalls, useApiQuery } from '../../data/use-api-query.ts';
import { useT } from '../../i18n/i18n.ts';
import type { Translate } from '../../i18n/i18n.ts';
import { Chip } from '../../ui/chip.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { QueryError } from '../../ui/error-state.tsx';
import { Percent, Sol, Tokens } from '../../ui/numbers.tsx';
import { Select } from '../../ui/select.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { KeyValue } from '../../ui/stat.tsx';
import { toast } from '../../ui/toast-store.ts';
import { Warning } from '../../ui/warning.tsx';
import { profitOf, sumPositions } from './position-sum.ts';
import type { Position } from './position.ts';

const ALL = 'all';

/** Sells the token from every account that holds it, unless one is chosen. Names them, because one click may sell in several. */
export default function CloseDialog({
  address,
  symbol,
  onClose,
  onClosed,
}: {
  address: string;
  symbol: string;
  onClose: () => void;
  onClosed?: () => void;
}) {
  const t = useT();
  // The position itself, so that it keeps its name when it is closed elsewhere meanwhile: nothing takes its place unasked.
  const [only, setOnly] = useState<Position | null>(null);
  const chosen = only?.bookId ?? ALL;
  const query = useApiQuery(
    'getMyPositions',
    { tokenContractAddress: address, pageSize: 100 },
    { refetchIntervalMs: 5_000, quiet: true },
  );
  const positions = query.data?.lists ?? [];
  const sold = positions.filter(({ bookId }) => chosen === ALL || bookId === chosen);
  const choices = only && sold.length === 0 ? [...positions, only] : positions;

  async function close(): Promise<void> {
    const request = { tokenContractAddress: address, ...(chosen === ALL ? {} : { bookId: chosen }) };
    // Another amount is another sale, also where the answer to the first was lost.
    const { lists } = await attempt('tokenClose', request, [request, sold.map(({ amount }) => amount)]);
    tellOutcome(lists, sold, t);
    void refreshCalls('getMyPositions', 'getMyAccount', 'getMyTradeRecord', 'getMyTokenAmount');
    onClosed?.();
    onClose();
  }

  return (
    <ConfirmDialog
      open
      title={<bdi>{t('trade.close.title', { symbol })}</bdi>}
      text={t('trade.close.text')}
      confirmLabel={t('trade.close.confirm', { symbol })}
      tone="sell"
      disabled={sold.length === 0}
      onConfirm={close}
      onClose={onClose}
    >
      {choices.length > 1 && (
        <label className="mb-3 flex items-center justify-between gap-3 text-sm text-muted">
          {t('trade.close.which')}
          <Select
            value={chosen}
            onValue={(bookId) => setOnly(choices.find((each) => each.bookId === bookId) ?? null)}
            options={[
              { key: ALL, label: t('trade.close.all') },
              ...choices.map((position) => ({ key: position.bookId, label: nameOf(position, t) })),
            ]}
          />
        </label>
      )}
      {query.isPending && <Skeleton height={44} />}
      {query.isError && !query.data && <QueryError query={query} height={120} title={t('trade.position.failed')} />}
      {query.data && sold.length === 0 && <p className="text-sm text-muted">{t('trade.close.none', { symbol })}</p>}
      <SoldList positions={sold} symbol={symbol} />
      {sold.length > 0 && <Estimate address={address} positions={sold} />}
    </ConfirmDialog>
  );
}

function SoldList({ positions, symbol }: { positions: readonly Position[]; symbol: string }) {
  const t = useT();
  return (
    <ul aria-label={t('trade.close.books')} className="divide-y divide-line rounded-lg border border-line empty:hidden">
      {positions.map((position) => (
        <li
          key={position.bookId}
          className="flex items-center justify-between gap-3 px-3 py-2.5"
          data-testid="closing-book"
        >
          <span className="flex min-w-0 flex-col">
            <bdi className="truncate font-[550]">{nameOf(position, t)}</bdi>
            {position.bookKind !== 'personal' && (
              <Chip className="mt-0.5 self-start">
                {t(position.bookKind === 'strategy' ? 'trade.close.strategy' : 'trade.close.follow')}
              </Chip>
            )}
          </span>
          <span className="num shrink-0 text-right">
            <Tokens value={position.amount} /> <bdi>{symbol}</bdi>
            <span className="block text-xs text-muted">
              {'≈ '}
              <Sol value={position.value} />
            </span>
          </span>
        </li>
      ))}
    </ul>
  );
}

/**
 * What the whole sale would bring now, and what was paid for it. Several accounts sell into the same pool one after the other, so
 * what they get together is less than the sum of what each would get alone: their sum is quoted as one sale.
 */
function Estimate({ address, positions }: { address: string; positions: readonly Position[] }) {
  const t = useT();
  const sum = sumPositions(positions);
  const { amount, cost, value } = sum;
  // In the own strategy its followers sell along into the same pool, whatever else is sold.
  const book = positions.length === 1 ? positions[0] : positions.find(({ bookKind }) => bookKind === 'strategy');
  const { data, isPlaceholderData } = useApiQuery(
    'quote',
    { tokenContractAddress: address, side: 'sell', amount: amount ?? '0', ...(book ? { bookId: book.bookId } : {}) },
    { enabled: amount !== null, refetchIntervalMs: 5_000, staleTimeMs: 0, keepPrevious: true, quiet: true },
  );
  const quote = isPlaceholderData ? undefined : data;
  const received = quote?.expectedOut ?? value;
  const { profit, percent } = profitOf(received, sum);
  return (
    <div className="mt-3" data-testid="close-estimate">
      <KeyValue label={t('trade.close.estimate')}>
        <Sol value={received} className="font-semibold" />
      </KeyValue>
      <KeyValue label={t('trade.quote.atLeast')}>
        <Sol value={quote?.minimumOut ?? null} floor />
      </KeyValue>
      <KeyValue label={t('trade.quote.impact')}>
        <Percent
          value={quote?.priceImpact ?? null}
          tone={false}
          className={quote && quote.impactLevel !== 'ok' ? 'font-semibold text-warn' : ''}
        />
      </KeyValue>
      <KeyValue label={t('trade.position.cost')}>
        <Sol value={cost} />
      </KeyValue>
      <KeyValue label={t('trade.close.profit')}>
        <Sol value={profit} tone />
        {' · '}
        <Percent value={percent} />
      </KeyValue>
      {quote && quote.impactLevel !== 'ok' && (
        <Warning text={t('trade.quote.warn', { impact: Number(quote.priceImpact).toFixed(2) })} />
      )}
    </div>
  );
}

/** Null where something of it came from outside, which has no known cost. */
function costOfAll(sold: readonly Position[]): string | null {
  const { amount, boughtAmount, cost } = sumPositions(sold);
  return amount !== null && boughtAmount !== null && compareDecimals(amount, boughtAmount) === 0 ? cost : null;
}

function nameOf({ bookKind, bookName }: Position, t: Translate): string {
  return bookKind === 'personal' ? t('trade.books.personal') : bookName;
}

function tellOutcome(orders: CallReply<'tokenClose'>['lists'], sold: readonly Position[], t: Translate): void {
  const expected = sold.length;
  const done = orders.filter(({ status }) => status === 'confirmed' || status === 'finalized').length;
  const failed = orders.filter(({ status }) => status === 'failed' || status === 'dead').length;
  if (failed > 0 || orders.length < expected) toast.error(t('trade.close.partly'));
  else if (done < orders.length) toast.info(t('trade.close.sent'));
  else {
    toast.success(t('trade.closed'));
    const received = orders.flatMap(({ amountOut }) => amountOut ?? []);
    const cost = costOfAll(sold);
    if (received.length < orders.length || received.length === 0) return;
    const amount = formatSol(addDecimals(...received));
    toast.info(
      cost === null
        ? t('trade.close.received', { amount })
        : t('trade.close.result', { amount, cost: formatSol(cost) }),
    );
  }
}
