import type { CallReply } from '@hunter/contract/calls';
import { useMemo, useState } from 'react';
import { useLivePrice } from '../../data/live-prices.ts';
import { useApiQuery } from '../../data/use-api-query.ts';
import { useT } from '../../i18n/i18n.ts';
import type { Translate } from '../../i18n/i18n.ts';
import { Address } from '../../ui/address.tsx';
import { Chip } from '../../ui/chip.tsx';
import type { ChipTone } from '../../ui/chip.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { QueryError } from '../../ui/error-state.tsx';
import { Percent, Sol, Tokens } from '../../ui/numbers.tsx';
import { SegmentedControl } from '../../ui/segmented-control.tsx';
import { Table } from '../../ui/table.tsx';
import type { Column } from '../../ui/table.tsx';

type Holder = CallReply<'getTokenHolders'>['lists'][number] & { rank: number };

const REFRESH_EVERY_MS = 30_000;
const ROWS = 100;
const FOOT = 46;
const labelTones: Record<NonNullable<Holder['label']>, ChipTone> = {
  pool: 'plain',
  creator: 'warn',
  strategy: 'plain',
  'top-trader': 'gold',
  you: 'accent',
};

/** The largest holders, with their share of the supply. */
export function HoldersTab({ address, height }: { address: string; height: number }) {
  const t = useT();
  const [sortBy, setSortBy] = useState<'amount' | 'profit'>('amount');
  const query = useApiQuery(
    'getTokenHolders',
    { tokenContractAddress: address, limit: ROWS, sortBy },
    { refetchIntervalMs: REFRESH_EVERY_MS, quiet: true, keepPrevious: true },
  );
  const holders = query.data?.lists;
  const rows = useMemo(() => holders?.map((holder, index) => ({ ...holder, rank: index + 1 })) ?? [], [holders]);
  const largest = Math.max(...rows.map(({ percent }) => Number(percent)), 0.01);
  const columns = useMemo(() => columnsOf(t, largest), [t, largest]);
  if (query.isError && !query.data) {
    return <QueryError query={query} title={t('token.holderList.failed')} height={height} />;
  }
  return (
    <div style={{ height }} className="flex flex-col" data-testid="holders">
      <Table
        label={t('token.tabs.holders')}
        columns={columns}
        rows={rows}
        rowKey={({ address: wallet }) => wallet}
        loading={query.isLoading}
        skeletonRows={9}
        empty={<EmptyState text={t('token.holderList.none')} />}
        maxHeight={height - FOOT}
        className="flex-1"
      />
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 border-t border-line px-4 py-1.5 text-xs text-faint">
        <p>
          {!query.data ? (
            '\u00a0'
          ) : sortBy === 'amount' ? (
            <Shown address={address} reply={query.data} />
          ) : (
            t('token.holderList.profitText')
          )}
        </p>
        <SegmentedControl
          label={t('token.holderList.sort')}
          value={sortBy}
          onChange={setSortBy}
          options={[
            { key: 'amount', label: t('token.holderList.byAmount') },
            { key: 'profit', label: t('token.holderList.byProfit') },
          ]}
        />
      </div>
    </div>
  );
}

/** A component of its own, so that a tick does not render the list. */
function Shown({ address, reply }: { address: string; reply: CallReply<'getTokenHolders'> }) {
  const t = useT();
  // The number in the page's header. Pools hold tokens without being holders, and the list may be older than the number.
  const total = useLivePrice(address)?.holders ?? reply.total;
  const count = reply.lists.filter(({ label }) => label !== 'pool').length;
  return t('token.holderList.shown', { count: Math.min(count, total), total });
}

function columnsOf(t: Translate, largest: number): readonly Column<Holder>[] {
  return [
    { key: 'rank', header: t('token.holderList.rank'), align: 'start', width: 48, cell: ({ rank }) => rank },
    {
      key: 'wallet',
      header: t('token.holderList.wallet'),
      align: 'start',
      cell: ({ address: wallet, label }) => (
        <span className="flex items-center gap-2 max-sm:flex-col max-sm:items-start max-sm:gap-0.5">
          <Address address={wallet} wallet />
          {label && <Chip tone={labelTones[label]}>{t(`token.holderList.label.${label}`)}</Chip>}
        </span>
      ),
    },
    {
      key: 'amount',
      header: t('token.holderList.amount'),
      cell: ({ amount, percent }) => (
        <>
          <Tokens value={amount} />
          {/* A phone has no room for the column of shares. */}
          <Percent value={percent} tone={false} className="block text-xs text-muted sm:hidden" />
        </>
      ),
    },
    {
      key: 'realized',
      header: t('token.holderList.realized'),
      cell: ({ realizedProfit }) => <Sol value={realizedProfit} tone />,
    },
    {
      key: 'unrealized',
      header: t('token.holderList.unrealized'),
      from: 'sm',
      cell: ({ unrealizedProfit }) => <Sol value={unrealizedProfit} tone />,
    },
    {
      key: 'share',
      header: t('token.holderList.share'),
      width: '24%',
      from: 'sm',
      cell: ({ percent }) => (
        <span className="flex items-center justify-end gap-2.5">
          <span className="h-1.5 w-full max-w-40 overflow-hidden rounded-full bg-hover max-sm:hidden">
            <span
              className="block h-full rounded-full bg-accent"
              style={{ width: `${Math.min(100, (Number(percent) / largest) * 100)}%` }}
            />
          </span>
          <Percent value={percent} tone={false} className="w-14 shrink-0" />
        </span>
      ),
    },
  ];
}
