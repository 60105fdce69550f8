import type { CallReply } from '@hunter/contract/calls';
import { useMemo } from 'react';
import { useApiPages } from '../../data/use-api-pages.ts';
import { useT } from '../../i18n/i18n.ts';
import type { Translate } from '../../i18n/i18n.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PagedTable } from '../../ui/paged-table.tsx';
import { RelativeTime } from '../../ui/relative-time-text.tsx';
import type { Column } from '../../ui/table.tsx';
import { TxHash } from '../../ui/tx-hash.tsx';

type Row = CallReply<'getChainSignatures'>['lists'][number];

export function Signatures({ address }: { address: string }) {
  const t = useT();
  const list = useApiPages(
    'getChainSignatures',
    { address, limit: 25 },
    // The page says itself that this is no address, and the table that it could not be read.
    { rowKey: ({ signature }) => signature, quiet: true },
  );
  const columns = useMemo(() => columnsOf(t), [t]);
  return (
    <section className="card overflow-hidden">
      <h2 className="px-4 pt-3">{t('chain.address.signatures')}</h2>
      <p className="px-4 pb-2 text-xs text-faint">{t('chain.address.signaturesHint')}</p>
      <PagedTable
        label={t('chain.address.signatures')}
        columns={columns}
        list={list}
        rowKey={({ signature }) => signature}
        empty={<EmptyState text={t('chain.address.noSignatures')} />}
      />
    </section>
  );
}

function columnsOf(t: Translate): readonly Column<Row>[] {
  return [
    {
      key: 'time',
      header: t('chain.address.time'),
      align: 'start',
      cell: ({ time }) =>
        time === null ? <span className="text-faint">-</span> : <RelativeTime timeMs={time} className="text-muted" />,
    },
    {
      key: 'result',
      header: t('chain.address.result'),
      align: 'start',
      cell: ({ failed }) => (
        <span className={failed ? 'text-down' : ''}>{t(`chain.tx.statuses.${failed ? 'failed' : 'success'}`)}</span>
      ),
    },
    {
      key: 'slot',
      header: t('chain.address.slot'),
      from: 'sm',
      cell: ({ slot }) => <span className="num">{slot}</span>,
    },
    { key: 'hash', header: t('chain.address.hash'), cell: ({ signature }) => <TxHash hash={signature} /> },
  ];
}
