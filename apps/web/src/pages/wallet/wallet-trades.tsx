import type { CallReply } from '@hunter/contract/calls';
import { useMemo } from 'react';
import { useApiPages } from '../../data/use-api-pages.ts';
import { useT } from '../../i18n/i18n.ts';
import type { Translate } from '../../i18n/i18n.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Price, Sol, Tokens, Usd } from '../../ui/numbers.tsx';
import { PagedTable } from '../../ui/paged-table.tsx';
import { RelativeTime } from '../../ui/relative-time-text.tsx';
import type { Column } from '../../ui/table.tsx';
import { TokenLink } from '../../ui/token-link.tsx';
import { TxHash } from '../../ui/tx-hash.tsx';

type Trade = CallReply<'getWalletTrades'>['lists'][number];

const REFRESH_MS = 10_000;

export function WalletTrades({ address }: { address: string }) {
  const t = useT();
  const trades = useApiPages(
    'getWalletTrades',
    { address, limit: 50 },
    { refetchIntervalMs: REFRESH_MS, rowKey: (trade) => trade.id },
  );
  const columns = useMemo(() => columnsOf(t), [t]);
  return (
    <PagedTable
      label={t('wallet.tabs.trades')}
      columns={columns}
      list={trades}
      rowKey={(trade) => trade.id}
      empty={<EmptyState text={t('wallet.trade.none')} />}
    />
  );
}

function columnsOf(t: Translate): readonly Column<Trade>[] {
  return [
    {
      key: 'time',
      header: t('wallet.trade.time'),
      align: 'start',
      cell: ({ time }) => <RelativeTime timeMs={time} className="text-muted" />,
    },
    { key: 'token', header: t('wallet.trade.token'), align: 'start', cell: (trade) => <TokenLink token={trade} /> },
    {
      key: 'side',
      header: t('wallet.trade.side'),
      align: 'start',
      cell: ({ side }) => <span className={side === 'buy' ? 'text-up' : 'text-down'}>{t(`wallet.trade.${side}`)}</span>,
    },
    { key: 'price', header: t('wallet.trade.price'), from: 'md', cell: ({ price }) => <Price value={price} /> },
    {
      key: 'amount',
      header: t('wallet.trade.amount'),
      from: 'lg',
      cell: ({ tokenAmount }) => <Tokens value={tokenAmount} />,
    },
    { key: 'sol', header: t('wallet.trade.sol'), cell: ({ solAmount }) => <Sol value={solAmount} /> },
    { key: 'value', header: t('wallet.trade.value'), from: 'md', cell: ({ valueUsd }) => <Usd value={valueUsd} /> },
    { key: 'hash', header: t('wallet.trade.hash'), from: 'sm', cell: ({ txHash }) => <TxHash hash={txHash} /> },
  ];
}
