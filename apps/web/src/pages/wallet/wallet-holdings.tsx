import type { CallReply } from '@hunter/contract/calls';
import { useMemo } from 'react';
import { useApiQuery } from '../../data/use-api-query.ts';
import { useT } from '../../i18n/i18n.ts';
import type { Translate } from '../../i18n/i18n.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { QueryError } from '../../ui/error-state.tsx';
import { Sol, Tokens, Usd } from '../../ui/numbers.tsx';
import { Profit } from '../../ui/profit.tsx';
import { Table } from '../../ui/table.tsx';
import type { Column } from '../../ui/table.tsx';
import { TokenLink } from '../../ui/token-link.tsx';

type Holding = CallReply<'getWalletHoldings'>['lists'][number];

const REFRESH_MS = 15_000;

export function WalletHoldings({ address }: { address: string }) {
  const t = useT();
  const query = useApiQuery('getWalletHoldings', { address, limit: 100 }, { refetchIntervalMs: REFRESH_MS });
  const columns = useMemo(() => columnsOf(t), [t]);
  if (query.isError && !query.data) return <QueryError query={query} title={t('wallet.holdings.failed')} />;
  const rows = query.data?.lists ?? [];
  const total = query.data?.total ?? 0;
  return (
    <>
      <Table
        label={t('wallet.tabs.holdings')}
        columns={columns}
        rows={rows}
        rowKey={({ tokenContractAddress }) => tokenContractAddress}
        loading={query.isPending}
        rowHeight={51}
        empty={<EmptyState text={t('wallet.holdings.none')} />}
      />
      {rows.length > 0 && (
        <p className="px-4 py-2.5 text-xs text-faint">
          {total > rows.length && `${t('wallet.holdings.shown', { count: rows.length, total })}. `}
          {t('wallet.holdings.hint')}
        </p>
      )}
    </>
  );
}

function columnsOf(t: Translate): readonly Column<Holding>[] {
  return [
    { key: 'token', header: t('wallet.holdings.token'), align: 'start', cell: (row) => <TokenLink token={row} /> },
    {
      key: 'amount',
      header: t('wallet.holdings.amount'),
      from: 'md',
      cell: ({ amount }) => <Tokens value={amount} />,
    },
    {
      key: 'value',
      header: t('wallet.holdings.value'),
      cell: ({ valueSol, valueUsd }) => (
        <span className="flex flex-col items-end leading-tight">
          <Sol value={valueSol} />
          <Usd value={valueUsd} className="text-xs text-faint" />
        </span>
      ),
    },
    { key: 'cost', header: t('wallet.holdings.cost'), from: 'sm', cell: ({ cost }) => <Sol value={cost} /> },
    {
      key: 'unrealized',
      header: t('wallet.holdings.unrealized'),
      cell: ({ unrealizedRate, unrealizedProfit }) => <Profit percent={unrealizedRate} sol={unrealizedProfit} />,
    },
    {
      key: 'realized',
      header: t('wallet.holdings.realized'),
      from: 'sm',
      cell: ({ realizedProfit }) => <Sol value={realizedProfit} tone />,
    },
  ];
}
