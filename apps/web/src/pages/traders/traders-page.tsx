import { getRouteApi, Link } from '@tanstack/react-router';
import type { CallReply } from '@hunter/contract/calls';
import { useMemo } from 'react';
import { useLoggedIn, useUser } from '../../data/session.ts';
import { useApiQuery } from '../../data/use-api-query.ts';
import { FollowWalletButton } from '../../features/wallet-follow/follow-wallet-button.tsx';
import { useT } from '../../i18n/i18n.ts';
import { joinSentences } from '../../i18n/join-sentences.ts';
import type { Translate } from '../../i18n/i18n.ts';
import { Address } from '../../ui/address.tsx';
import { buttonClass } from '../../ui/button.tsx';
import { Chip } from '../../ui/chip.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { QueryError } from '../../ui/error-state.tsx';
import { Count, Sol } from '../../ui/numbers.tsx';
import { Page } from '../../ui/page.tsx';
import { RelativeTime } from '../../ui/relative-time-text.tsx';
import { SegmentedControl } from '../../ui/segmented-control.tsx';
import { Table } from '../../ui/table.tsx';
import type { Column } from '../../ui/table.tsx';
import { WinRate } from '../../ui/win-rate.tsx';
import { readTradersSearch, traderPeriods, traderSorts } from './traders-search.ts';
import type { TraderPeriod, TraderSort, TradersSearch } from './traders-search.ts';

const REFRESH_MS = 60_000;
const ROWS = 50;
const route = getRouteApi('/traders');

type Trader = CallReply<'getTraders'>['lists'][number] & { rank: number };

export default function TradersPage() {
  // The router keeps values that no reader knows, as an old link may have them.
  const { period = '7d', sort = 'profit' } = route.useSearch({ select: readTradersSearch });
  const navigate = route.useNavigate();
  const show = (next: TradersSearch) =>
    void navigate({ search: readTradersSearch({ period, sort, ...next }), replace: true });
  return <Traders period={period} sort={sort} onChange={show} />;
}

export function Traders({
  period,
  sort,
  onChange,
}: {
  period: TraderPeriod;
  sort: TraderSort;
  onChange: (search: TradersSearch) => void;
}) {
  const t = useT();
  const query = useApiQuery(
    'getTraders',
    { period, sortBy: sort, limit: ROWS },
    { refetchIntervalMs: REFRESH_MS, keepPrevious: true },
  );
  const names = useTrackedNames();
  const rows = useMemo(() => query.data?.lists.map((row, index) => ({ ...row, rank: index + 1 })) ?? [], [query.data]);
  const loggedIn = useLoggedIn();
  const columns = useMemo(
    () => (loggedIn ? [...columnsOf(t, names), followColumn(t, names)] : columnsOf(t, names)),
    [t, names, loggedIn],
  );
  return (
    <Page title={t('shell.titles.traders')} text={t('wallet.traders.text')}>
      <section className="card overflow-hidden">
        <div className="flex flex-wrap items-center gap-3 px-4 py-3">
          <SegmentedControl
            label={t('wallet.period')}
            value={period}
            onChange={(next) => onChange({ period: next })}
            options={traderPeriods.map((key) => ({ key, label: t(`wallet.periods.${key}`) }))}
          />
          <SegmentedControl
            label={t('wallet.traders.sort')}
            value={sort}
            onChange={(next) => onChange({ sort: next })}
            options={traderSorts.map((key) => ({ key, label: t(`wallet.traders.sorts.${key}`) }))}
          />
          {query.data && (
            <span className="ml-auto text-xs text-faint">
              {t('wallet.traders.computed')} <RelativeTime timeMs={query.data.time} />
            </span>
          )}
        </div>
        {query.isError && !query.data ? (
          <QueryError query={query} title={t('wallet.traders.failed')} />
        ) : (
          <Table
            label={t('wallet.traders.table')}
            columns={columns}
            rows={query.isPlaceholderData ? [] : rows}
            rowKey={({ address }) => address}
            loading={query.isPending || query.isPlaceholderData}
            skeletonRows={30}
            rowHeight={51}
            empty={<EmptyState text={t('wallet.traders.none')} />}
          />
        )}
      </section>
      <p className="mt-3 max-w-[90ch] text-sm text-faint">
        {joinSentences([t('wallet.definition'), t('wallet.traders.winRateHint')])}
      </p>
    </Page>
  );
}

/** Names that the user gave, by address. */
function useTrackedNames(): ReadonlyMap<string, string> {
  const user = useUser();
  const { data } = useApiQuery('getMyTrackedWallets', {}, { enabled: user !== null, quiet: true });
  return useMemo(() => new Map(data?.lists.map(({ address, name }) => [address, name])), [data]);
}

function columnsOf(t: Translate, names: ReadonlyMap<string, string>): readonly Column<Trader>[] {
  return [
    {
      key: 'rank',
      header: t('wallet.traders.rank'),
      align: 'start',
      width: 32,
      // On phones the others need its room.
      from: 'sm',
      cell: ({ rank }) => rank,
    },
    {
      key: 'wallet',
      header: t('wallet.traders.wallet'),
      align: 'start',
      cell: ({ address, strategy }) => (
        <span className="flex min-w-0 items-center gap-2 max-sm:flex-col max-sm:items-start max-sm:gap-0.5">
          <Address address={address} name={names.get(address)} wallet className="max-w-36 sm:max-w-56" />
          {strategy && (
            <Link to="/strategies/$slug" params={{ slug: strategy.slug }} className="min-w-0 max-w-48 truncate">
              <Chip tone="accent" className="max-w-full">
                <bdi className="truncate">{strategy.name}</bdi>
              </Chip>
            </Link>
          )}
        </span>
      ),
    },
    {
      key: 'profit',
      header: t('wallet.realized'),
      cell: ({ realizedProfit }) => <Sol value={realizedProfit} tone className="font-semibold" />,
    },
    { key: 'rate', header: t('wallet.winRate'), cell: (row) => <WinRate figures={row} /> },
    { key: 'volume', header: t('wallet.volume'), from: 'sm', cell: ({ volume }) => <Sol value={volume} /> },
    { key: 'trades', header: t('wallet.trades'), from: 'md', cell: ({ trades }) => <Count value={trades} /> },
    { key: 'tokens', header: t('wallet.tokens'), from: 'md', cell: ({ tokens }) => <Count value={tokens} /> },
  ];
}

/** A strategy's wallet is followed on the page of its strategy, where everybody fills in one swap. */
function followColumn(t: Translate, names: ReadonlyMap<string, string>): Column<Trader> {
  return {
    key: 'follow',
    header: t('wallet.traders.follow'),
    headerHidden: true,
    // On phones it would stand beyond the edge; the page of the wallet has it.
    from: 'sm',
    cell: ({ address, strategy }) =>
      strategy ? (
        <Link to="/strategies/$slug" params={{ slug: strategy.slug }} className={buttonClass('ghost', 's')}>
          {t('wallet.traders.strategy')}
        </Link>
      ) : (
        <FollowWalletButton inRow address={address} name={names.get(address) ?? null} />
      ),
  };
}
