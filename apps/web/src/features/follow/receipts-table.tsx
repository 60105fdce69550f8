import type { CallReply } from '@hunter/contract/calls';
import { useMemo } from 'react';
import { api } from '../../data/api.ts';
import { useMyStream } from '../../data/stream.ts';
import { useApiPages } from '../../data/use-api-pages.ts';
import { useT } from '../../i18n/i18n.ts';
import type { Translate } from '../../i18n/i18n.ts';
import { IconButton } from '../../ui/button.tsx';
import { Chip } from '../../ui/chip.tsx';
import { copyText } from '../../ui/copy-text.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ShieldIcon } from '../../ui/page-icons.tsx';
import { Percent, Price, Sol, Tokens } from '../../ui/numbers.tsx';
import { RelativeTime } from '../../ui/relative-time-text.tsx';
import { PagedTable } from '../../ui/paged-table.tsx';
import type { Column } from '../../ui/table.tsx';
import { TxHash } from '../../ui/tx-hash.tsx';
import { useMediaQuery } from '../../ui/use-media-query.ts';
import { skipText } from './skip-text.ts';
import { ApiFailure } from '../../data/api-failure.ts';

type Receipt = CallReply<'getCopyReceipts'>['lists'][number];

/** Every trade of the creator as it went for this follower: copied, on its way, or skipped with the reason. */
export function ReceiptsTable({ slug, following }: { slug: string; following: boolean }) {
  const t = useT();
  const receipts = useApiPages('getCopyReceipts', { slug }, { quiet: true, refetchIntervalMs: 10_000 });
  useMyStream('orders', receipts.retry);
  useMyStream('follows', receipts.retry, receipts.retry);
  const isPhone = useMediaQuery('(max-width: 639px)');
  const columns = useMemo(() => receiptColumns(t, slug, isPhone), [t, slug, isPhone]);
  const refused = receipts.error instanceof ApiFailure && receipts.error.refusal === 'NOT_FOLLOWING';
  const isEmpty = !receipts.error && !receipts.loading && receipts.rows.length === 0;
  const neverFollowed = !following && (refused || isEmpty);
  if (neverFollowed) return <EmptyState text={t('strategy.receipts.notFollowing')} />;
  return (
    <PagedTable
      label={t('strategy.receipts.table')}
      columns={columns}
      list={receipts}
      rowKey={(row) => row.id}
      empty={<EmptyState text={t('strategy.receipts.none')} />}
    />
  );
}

/** On phones time and result stand below the trade: in columns of their own a reason would have two letters a line. */
function receiptColumns(t: Translate, slug: string, isPhone: boolean): readonly Column<Receipt>[] {
  const time = (row: Receipt) => <RelativeTime timeMs={row.time} className="text-muted" />;
  const trade = (row: Receipt) => (
    <bdi className="font-semibold">
      {t(row.side === 'buy' ? 'strategy.receipts.buy' : 'strategy.receipts.sell', { symbol: row.tokenSymbol })}
    </bdi>
  );
  const result = (row: Receipt) => <Result receipt={row} t={t} />;
  const what = { key: 'what', header: t('strategy.receipts.what'), align: 'start' } as const;
  const first: readonly Column<Receipt>[] = isPhone
    ? [
        {
          ...what,
          cell: (row) => (
            <span className="flex flex-col gap-1 whitespace-normal">
              <span className="flex flex-wrap items-baseline gap-x-2">
                {trade(row)} {time(row)}
              </span>
              {result(row)}
            </span>
          ),
        },
      ]
    : [
        { key: 'time', header: t('strategy.receipts.time'), align: 'start', cell: time },
        { ...what, cell: trade },
        { key: 'result', header: t('strategy.receipts.result'), align: 'start', cell: result },
      ];
  return [
    ...first,
    {
      key: 'amount',
      header: t('strategy.receipts.amount'),
      from: 'md',
      cell: (row) => <Tokens value={row.tokenAmount} />,
    },
    { key: 'sol', header: t('strategy.receipts.sol'), cell: (row) => <Sol value={row.solAmount} /> },
    {
      key: 'price',
      header: t('strategy.receipts.price'),
      from: 'lg',
      cell: (row) => <Price value={row.price} unit="sol" />,
    },
    {
      key: 'gap',
      header: t('strategy.receipts.gap'),
      from: 'sm',
      cell: (row) => <Percent value={row.priceGap} tone={false} />,
    },
    {
      key: 'hash',
      header: t('strategy.receipts.hash'),
      cell: (row) => (
        <span className="inline-flex items-center gap-1">
          <TxHash hash={row.txHash} />
          {row.kind === 'fill' && (
            <IconButton label={t('strategy.receipts.proof')} onClick={() => void copyProof(slug, row.id, t)}>
              <ShieldIcon size={14} />
            </IconButton>
          )}
        </span>
      ),
    },
  ];
}

/** For the page /verify, which has no session to ask with. What fails is told by the call itself. */
async function copyProof(slug: string, id: string, t: Translate): Promise<void> {
  const proof = await api.call('getCopyProof', { slug, id }).catch(() => null);
  if (proof) await copyText(JSON.stringify(proof, null, 2), t('strategy.receipts.proofCopied'));
}

function Result({ receipt, t }: { receipt: Receipt; t: Translate }) {
  if (receipt.kind === 'skip') {
    return (
      <span
        className="flex items-center gap-2 max-sm:flex-wrap max-sm:gap-y-1"
        data-testid="receipt-skip"
        data-reason={receipt.reason}
      >
        <Chip tone="warn">{t('strategy.receipts.skip')}</Chip>
        <span className="max-w-80 text-sm leading-snug whitespace-normal text-muted sm:min-w-44">
          {skipText(receipt.reason, t)}
        </span>
      </span>
    );
  }
  if (receipt.kind === 'pending') return <Chip>{t('strategy.receipts.pending')}</Chip>;
  return (
    <span className="flex items-center gap-2 max-sm:flex-wrap max-sm:gap-y-1" data-testid="receipt-fill">
      <Chip tone="accent">{t('strategy.receipts.fill')}</Chip>
      {receipt.scaled !== null && (
        <span
          className="num max-w-80 text-sm leading-snug whitespace-normal text-warn sm:min-w-44"
          data-limited-by={receipt.limitedBy}
        >
          {receipt.limitedBy === null
            ? t('strategy.receipts.scaled', { percent: receipt.scaled })
            : t('strategy.receipts.limited', { percent: receipt.scaled, reason: skipText(receipt.limitedBy, t) })}
        </span>
      )}
    </span>
  );
}
