import type { CallReply } from '@hunter/contract/calls';
import { Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useApiMutation, useApiQuery } from '../../data/use-api-query.ts';
import { useT } from '../../i18n/i18n.ts';
import type { Translate } from '../../i18n/i18n.ts';
import { Address } from '../../ui/address.tsx';
import { Button, buttonClass } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { QueryError } from '../../ui/error-state.tsx';
import { Sol } from '../../ui/numbers.tsx';
import { RelativeTime } from '../../ui/relative-time-text.tsx';
import { Table } from '../../ui/table.tsx';
import type { Column } from '../../ui/table.tsx';
import { toast } from '../../ui/toast-store.ts';
import { WinRate } from '../../ui/win-rate.tsx';
import { refreshTracked, TrackDialog } from './track-dialog.tsx';

type Tracked = CallReply<'getMyTrackedWallets'>['lists'][number];

const REFRESH_MS = 30_000;

/** The wallets that the user tracks, with what they did in seven days. */
export function TrackedList() {
  const t = useT();
  const query = useApiQuery('getMyTrackedWallets', {}, { refetchIntervalMs: REFRESH_MS });
  const [renamed, setRenamed] = useState<Tracked | null>(null);
  const { mutate: remove } = useApiMutation('untrackWallet');
  const columns = useMemo(
    () =>
      columnsOf(t, setRenamed, (address) =>
        remove(
          { address },
          {
            onSuccess: () => {
              refreshTracked();
              toast.success(t('wallet.track.removed'));
            },
          },
        ),
      ),
    [t, remove],
  );
  if (query.isError && !query.data) return <QueryError query={query} title={t('wallet.track.failed')} />;
  return (
    <>
      <Table
        label={t('wallet.track.list')}
        columns={columns}
        rows={query.data?.lists ?? []}
        rowKey={({ address }) => address}
        loading={query.isPending}
        empty={
          <EmptyState
            text={t('wallet.track.none')}
            action={
              <Link to="/traders" className={buttonClass('ghost', 's')}>
                {t('wallet.allTraders')}
              </Link>
            }
          />
        }
      />
      {query.data && query.data.lists.length > 0 && (
        <p className="num px-4 py-2.5 text-xs text-faint">
          {t('wallet.track.count', { count: query.data.lists.length, max: query.data.max })}
        </p>
      )}
      {renamed && <TrackDialog address={renamed.address} name={renamed.name} onClose={() => setRenamed(null)} />}
    </>
  );
}

function columnsOf(
  t: Translate,
  onRename: (row: Tracked) => void,
  onRemove: (address: string) => void,
): readonly Column<Tracked>[] {
  return [
    {
      key: 'wallet',
      header: t('wallet.track.name'),
      align: 'start',
      cell: ({ address, name }) => <Address address={address} name={name} wallet className="max-w-44 sm:max-w-64" />,
    },
    {
      key: 'profit',
      header: t('wallet.track.realizedWeek'),
      cell: ({ week }) => <Sol value={week.realizedProfit} tone />,
    },
    { key: 'rate', header: t('wallet.winRate'), from: 'sm', cell: ({ week }) => <WinRate figures={week} /> },
    { key: 'volume', header: t('wallet.volume'), from: 'md', cell: ({ week }) => <Sol value={week.volume} /> },
    {
      key: 'last',
      header: t('wallet.lastTrade'),
      from: 'sm',
      cell: ({ lastTrade }) =>
        lastTrade === null ? <span className="text-faint">-</span> : <RelativeTime timeMs={lastTrade} />,
    },
    {
      key: 'actions',
      header: t('wallet.track.actions'),
      headerHidden: true,
      cell: (row) => (
        <span className="inline-flex gap-1.5 max-sm:flex-col">
          <Button tone="plain" size="s" onClick={() => onRename(row)}>
            {t('wallet.track.rename')}
          </Button>
          <Button tone="plain" size="s" onClick={() => onRemove(row.address)}>
            {t('wallet.track.untrack')}
          </Button>
        </span>
      ),
    },
  ];
}
