import { useMemo } from 'react';
import { useT } from '../../i18n/i18n.ts';
import type { Translate } from '../../i18n/i18n.ts';
import { Address } from '../../ui/address.tsx';
import { ChainToken } from '../../ui/chain-token.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ExactAmount } from '../../ui/exact-amount.tsx';
import { Table } from '../../ui/table.tsx';
import type { Column } from '../../ui/table.tsx';
import type { ChainTransaction } from './chain-transaction.ts';

type Details = NonNullable<ChainTransaction['details']>;
type TokenChange = Details['tokenChanges'][number];

/** Who has more and who has less, in SOL and in tokens. */
export function BalanceChanges({ details }: { details: Details }) {
  const t = useT();
  const solColumns = useMemo(() => solColumnsOf(t), [t]);
  const tokenColumns = useMemo(() => tokenColumnsOf(t), [t]);
  return (
    <div className="mb-3.5 grid items-start gap-3.5 xl:grid-cols-2">
      <section className="card overflow-hidden">
        <h2 className="px-4 py-3">{t('chain.tx.solChanges')}</h2>
        <Table
          label={t('chain.tx.solChanges')}
          columns={solColumns}
          rows={details.solChanges}
          rowKey={({ address }) => address}
        />
      </section>
      <section className="card overflow-hidden">
        <h2 className="px-4 py-3">{t('chain.tx.tokenChanges')}</h2>
        <Table
          label={t('chain.tx.tokenChanges')}
          columns={tokenColumns}
          rows={details.tokenChanges}
          rowKey={({ owner, tokenContractAddress }) => `${owner} ${tokenContractAddress}`}
          empty={<EmptyState height={120} text={t('chain.tx.noTokenChanges')} />}
        />
      </section>
    </div>
  );
}

function solColumnsOf(t: Translate): readonly Column<Details['solChanges'][number]>[] {
  return [
    {
      key: 'address',
      header: t('chain.tx.address'),
      align: 'start',
      cell: ({ address }) => <Address address={address} />,
    },
    {
      key: 'change',
      header: t('chain.tx.change'),
      cell: ({ change }) => <ExactAmount value={change} unit="SOL" tone />,
    },
    {
      key: 'after',
      header: t('chain.tx.after'),
      from: 'sm',
      cell: ({ after }) => <ExactAmount value={after} unit="SOL" />,
    },
  ];
}

function tokenColumnsOf(t: Translate): readonly Column<TokenChange>[] {
  return [
    { key: 'owner', header: t('chain.tx.owner'), align: 'start', cell: ({ owner }) => <Address address={owner} /> },
    { key: 'token', header: t('chain.tx.token'), align: 'start', cell: (row) => <ChainToken token={row} /> },
    { key: 'change', header: t('chain.tx.change'), cell: ({ change }) => <ExactAmount value={change} tone /> },
    { key: 'after', header: t('chain.tx.after'), from: 'sm', cell: ({ after }) => <ExactAmount value={after} /> },
  ];
}
