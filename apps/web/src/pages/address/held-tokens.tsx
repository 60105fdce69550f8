import { useMemo } from 'react';
import { useT } from '../../i18n/i18n.ts';
import type { Translate } from '../../i18n/i18n.ts';
import { Address } from '../../ui/address.tsx';
import { ChainToken } from '../../ui/chain-token.tsx';
import { ExactAmount } from '../../ui/exact-amount.tsx';
import { Table } from '../../ui/table.tsx';
import type { Column } from '../../ui/table.tsx';
import type { ChainAddress } from './chain-address.ts';

export function HeldTokens({ tokens }: { tokens: ChainAddress['tokens'] }) {
  const t = useT();
  const columns = useMemo(() => columnsOf(t), [t]);
  return (
    <section className="card mb-3.5 overflow-hidden">
      <h2 className="px-4 py-3">{t('chain.address.tokens')}</h2>
      <Table
        label={t('chain.address.tokens')}
        columns={columns}
        rows={tokens}
        rowKey={({ account }) => account}
        maxHeight={420}
      />
    </section>
  );
}

function columnsOf(t: Translate): readonly Column<ChainAddress['tokens'][number]>[] {
  return [
    { key: 'token', header: t('chain.address.token'), align: 'start', cell: (row) => <ChainToken token={row} /> },
    { key: 'amount', header: t('chain.address.amount'), cell: ({ amount }) => <ExactAmount value={amount} /> },
    {
      key: 'account',
      header: t('chain.address.account'),
      from: 'sm',
      cell: ({ account }) => <Address address={account} />,
    },
  ];
}
