import { Link } from '@tanstack/react-router';
import type { CallReply } from '@hunter/contract/calls';
import { useMemo } from 'react';
import { useApiPages } from '../../data/use-api-pages.ts';
import { useT } from '../../i18n/i18n.ts';
import type { Translate } from '../../i18n/i18n.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Price, Sol, Tokens } from '../../ui/numbers.tsx';
import { RelativeTime } from '../../ui/relative-time-text.tsx';
import { PagedTable } from '../../ui/paged-table.tsx';
import type { Column } from '../../ui/table.tsx';
import { TxHash } from '../../ui/tx-hash.tsx';

type Trade = CallReply<'getStrategyTrades'>['lists'][number];

/** Everything the strategy did, with hashes: enough to recompute its figures. */
export function TradesTable({ slug }: { slug: string }) {
  const t = useT();
  const trades = useApiPages('getStrategyTrades', { slug, limit: 50 }, { refetchIntervalMs: 10_000 });
  const columns = useMemo(() => tradeColumns(t), [t]);
  return (
    <PagedTable
      label={t('strategy.trades.table')}
      columns={columns}
      list={trades}
      rowKey={(trade) => trade.id}
      empty={<EmptyState text={t('strategy.trades.none')} />}
    />
  );
}

function tradeColumns(t: Translate): readonly Column<Trade>[] {
  return [
    {
      key: 'time',
      header: t('strategy.trades.time'),
      align: 'start',
      cell: (trade) => <RelativeTime timeMs={trade.time} className="text-muted" />,
    },
    {
      key: 'what',
      header: t('strategy.trades.what'),
      align: 'start',
      cell: (trade) => (
        <span className="font-semibold">
          {t(`strategy.trades.${trade.side}`)}{' '}
          {trade.tokenContractAddress && (
            <Link
              to="/token/$tokenAddress"
              params={{ tokenAddress: trade.tokenContractAddress }}
              className="hover:text-accent-text"
            >
              <bdi>{trade.tokenSymbol}</bdi>
            </Link>
          )}
        </span>
      ),
    },
    {
      key: 'amount',
      header: t('strategy.trades.amount'),
      from: 'md',
      cell: (trade) => <Tokens value={trade.tokenAmount} />,
    },
    { key: 'sol', header: t('strategy.trades.sol'), cell: (trade) => <Sol value={trade.solAmount} /> },
    {
      key: 'price',
      header: t('strategy.trades.price'),
      from: 'lg',
      cell: (trade) => <Price value={trade.price} unit="sol" />,
    },
    {
      key: 'nav',
      header: t('strategy.trades.nav'),
      from: 'sm',
      cell: (trade) => <span className="num">{Number(trade.nav).toFixed(4)}</span>,
    },
    { key: 'hash', header: t('strategy.trades.hash'), cell: (trade) => <TxHash hash={trade.txHash} /> },
  ];
}
