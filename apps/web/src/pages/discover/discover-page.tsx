import { getRouteApi, Link } from '@tanstack/react-router';
import { DISCOVER_LISTS } from '@hunter/domain/market/discover';
import type { DiscoverField, DiscoverList } from '@hunter/domain/market/discover';
import { lazy, memo, Suspense, useCallback, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { useStream } from '../../data/stream.ts';
import { useUser } from '../../data/session.ts';
import { useApiQuery } from '../../data/use-api-query.ts';
import { useWatchlist } from '../../data/use-watchlist.ts';
import { useCalmRows } from '../../features/discover/calm-order.ts';
import { Definitions } from '../../features/discover/definitions.tsx';
import {
  discoverRequest,
  filterOf,
  noFilter,
  periods,
  readDiscoverSearch,
  searchOf,
  views,
} from '../../features/discover/discover-search.ts';
import type { DiscoverSearch, Filter } from '../../features/discover/discover-search.ts';
import type { DiscoverToken } from '../../features/discover/discover-token.ts';
import { FilterBar } from '../../features/discover/filter-bar.tsx';
import { sameFilter, withSaved } from '../../features/discover/presets.ts';
import type { SavedFilter } from '../../features/discover/presets.ts';
import { ColumnCards, PageCards } from '../../features/discover/token-cards.tsx';
import type { RowActions } from '../../features/discover/token-parts.tsx';
import { TokenTable } from '../../features/discover/token-table.tsx';
import type { TokenListProps } from '../../features/discover/token-table.tsx';
import { useQuickBuy } from '../../features/discover/use-quick-buy.ts';
import { useRowKeys } from '../../features/discover/use-row-keys.ts';
import { useSlippage } from '../../features/trade/use-slippage.ts';
import { useT } from '../../i18n/i18n.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { SegmentedControl } from '../../ui/segmented-control.tsx';
import { Select } from '../../ui/select.tsx';
import { useMediaQuery } from '../../ui/use-media-query.ts';
import { useSavedFilters } from './use-saved-filters.ts';

const FilterDialog = lazy(() => import('../../features/discover/filter-dialog.tsx'));
const FirstBuyDialog = lazy(async () => {
  const { FirstBuyDialog: Dialog } = await import('../../features/discover/quick-buy-dialogs.tsx');
  return { default: Dialog };
});
const QuickBuySettingsDialog = lazy(async () => {
  const { QuickBuySettingsDialog: Dialog } = await import('../../features/discover/quick-buy-dialogs.tsx');
  return { default: Dialog };
});

const route = getRouteApi('/discover');
const REFRESH_EVERY_MS = 15_000;
/** The market says that it changed every three seconds; prices come by themselves, and the rest is calmer this way. */
const REFRESH_PAUSE_MS = 5_000;
const NO_ROWS: readonly DiscoverToken[] = [];
/** From launch to pool, side by side. */
const sideBySide: readonly DiscoverList[] = ['new', 'graduating', 'graduated'];

export default function DiscoverPage() {
  const t = useT();
  // The router keeps values that no reader knows, as an old link may have them.
  const search = route.useSearch({ select: readDiscoverSearch, structuralSharing: true });
  const navigate = route.useNavigate();
  const account = useUser((user) => user?.email ?? null);
  const loggedIn = account !== null;
  const onPhone = useMediaQuery('(max-width: 767px)');
  const { watched, watch } = useWatchlist();
  const slippage = useSlippage();
  const slippageText = slippage.bps === null ? '…' : String(slippage.bps / 100);
  const [dialog, setDialog] = useState<OpenDialog>(null);
  const [saved, save] = useSavedFilters();
  const toLogin = () => void navigate({ to: '/login', search: { redirect: location.pathname + location.search } });
  const quickBuy = useQuickBuy(account, slippage.bps, toLogin);
  const filter = filterOf(search);
  const view = onPhone ? 'table' : (search.view ?? 'table');

  const acts = useRef({ watch, loggedIn, toLogin });
  useEffect(() => {
    acts.current = { watch, loggedIn, toLogin };
  });
  const { amounts } = quickBuy.settings;
  const { buy } = quickBuy;
  const actions = useMemo<RowActions>(
    () => ({
      watch: (token, on) => {
        if (acts.current.loggedIn) acts.current.watch(token.tokenContractAddress, on);
        else acts.current.toLogin();
      },
      buy,
      amounts,
      slippageText,
    }),
    [buy, amounts, slippageText],
  );

  function show(change: DiscoverSearch): void {
    void navigate({ search: (old) => readDiscoverSearch({ ...old, ...change }), replace: true });
  }
  const showFilter = (next: Filter) => {
    const { f = '', with: include = '', without: exclude = '' } = searchOf(next);
    show({ f, with: include, without: exclude });
  };

  // A click is answered at once; rows follow when they are rendered, which takes longer.
  const listed = useDeferredValue(search);
  const onClear = useCallback(
    () =>
      void navigate({
        search: (old) => readDiscoverSearch({ ...old, f: '', with: '', without: '' }),
        replace: true,
      }),
    [navigate],
  );
  const shared = { search: listed, watched, actions, pending: quickBuy.pending, loggedIn, onPhone, onClear };
  return (
    <div className="px-3 py-4 sm:px-5">
      <div className="flex flex-wrap items-center gap-x-3.5 gap-y-2.5">
        <h1>{t('discover.title')}</h1>
        {view === 'table' && <ListChoice list={search.list ?? 'trending'} onList={(list) => show({ list })} />}
        <div className="ml-auto flex items-center gap-2 text-sm text-muted">
          <span>
            {t('discover.quickBuy.label')} <b className="num font-semibold text-text">{amounts.join(' / ')}</b>{' '}
            {t('discover.quickBuy.summary', { slippage: slippageText })}
          </span>
          <Button tone="plain" size="s" className="text-accent-text!" onClick={() => setDialog('quick-buy')}>
            {t('discover.quickBuy.edit')}
          </Button>
        </div>
      </div>
      <div className="mt-2.5 mb-3 flex items-center gap-2.5 max-md:flex-wrap">
        <SegmentedControl
          label={t('discover.period')}
          value={search.period ?? '1h'}
          onChange={(period) => show({ period })}
          options={periods.map((key) => ({ key, label: key }))}
        />
        <FilterBar filter={filter} saved={saved} onFilter={showFilter} onEdit={() => setDialog('filter')} />
        <SegmentedControl
          label={t('discover.view.label')}
          value={view}
          onChange={(next) =>
            void navigate({
              search: ({ view: _old, ...old }) => (next === 'columns' ? { ...old, view: next } : old),
              replace: true,
            })
          }
          options={views.map((key) => ({ key, label: t(`discover.view.${key}`) }))}
          className="shrink-0 max-md:hidden"
        />
      </div>
      {view === 'table' ? (
        <OneList {...shared} />
      ) : (
        // Narrower than this a card cannot be read; then the columns are pushed sideways.
        <div className="grid auto-cols-[minmax(316px,1fr)] grid-flow-col gap-3 overflow-x-auto scroll-thin">
          {sideBySide.map((list) => (
            <ColumnList key={list} {...shared} list={list} />
          ))}
        </div>
      )}
      <Definitions />
      <Dialogs
        open={dialog}
        onClose={() => setDialog(null)}
        filter={filter}
        onFilter={showFilter}
        saved={saved}
        onSaved={save}
        quickBuy={quickBuy}
        slippage={loggedIn ? slippage : null}
        slippageText={slippageText}
      />
    </div>
  );
}

type OpenDialog = 'filter' | 'quick-buy' | null;

/** All of them load when they are first opened. */
function Dialogs({
  open,
  onClose,
  filter,
  onFilter,
  saved,
  onSaved,
  quickBuy,
  slippage,
  slippageText,
}: {
  open: OpenDialog;
  onClose: () => void;
  filter: Filter;
  onFilter: (filter: Filter) => void;
  saved: readonly SavedFilter[];
  onSaved: (saved: SavedFilter[]) => void;
  quickBuy: ReturnType<typeof useQuickBuy>;
  /** Null for visitors. */
  slippage: ReturnType<typeof useSlippage> | null;
  slippageText: string;
}) {
  const { settings, first } = quickBuy;
  return (
    <Suspense fallback={null}>
      {open === 'filter' && (
        <FilterDialog
          filter={filter}
          saved={saved}
          onApply={(next) => {
            onFilter(next);
            onClose();
          }}
          onSave={(name, next) => onSaved(withSaved(saved, name, next))}
          onForget={(name) => onSaved(saved.filter((each) => each.name !== name))}
          onClose={onClose}
        />
      )}
      {open === 'quick-buy' && (
        <QuickBuySettingsDialog
          settings={settings}
          slippageBps={slippage?.bps ?? null}
          maxBps={slippage?.maxBps ?? 0}
          onSave={(amounts, bps) => {
            quickBuy.change({ ...settings, amounts });
            if (slippage && bps !== null && bps !== slippage.bps) void slippage.save(bps).catch(() => {});
            onClose();
          }}
          onClose={onClose}
        />
      )}
      {first && (
        <FirstBuyDialog
          symbol={first.token.tokenSymbol}
          amount={first.amount}
          slippageText={slippageText}
          onConfirm={quickBuy.confirmFirst}
          onClose={quickBuy.dismissFirst}
        />
      )}
    </Suspense>
  );
}

function ListChoice({ list, onList }: { list: DiscoverList; onList: (list: DiscoverList) => void }) {
  const t = useT();
  const options = DISCOVER_LISTS.map((key) => ({ key, label: t(`discover.list.${key}`) }));
  return (
    <>
      <SegmentedControl
        label={t('discover.lists')}
        value={list}
        onChange={onList}
        options={options}
        className="max-lg:hidden"
      />
      <Select
        aria-label={t('discover.lists')}
        value={list}
        onValue={onList}
        options={options}
        className="w-44 lg:hidden"
      />
    </>
  );
}

type ListProps = {
  search: DiscoverSearch;
  watched: ReadonlySet<string>;
  actions: RowActions;
  pending: ReadonlyMap<string, string>;
  loggedIn: boolean;
  onPhone: boolean;
  onClear: () => void;
};

/** The rows of one list, in an order that keeps still while the pointer is over them. */
function useTokens(search: DiscoverSearch, list: DiscoverList, enabled: boolean) {
  const request = discoverRequest(search, list);
  const query = useApiQuery('getTokenDiscover', request, {
    refetchIntervalMs: REFRESH_EVERY_MS,
    keepPrevious: true,
    quiet: true,
    enabled,
  });
  const refreshedAt = useRef(0);
  const refresh = () => {
    const now = performance.now();
    if (!enabled || document.hidden || now - refreshedAt.current < REFRESH_PAUSE_MS) return;
    refreshedAt.current = now;
    void query.refetch();
  };
  useStream('hot', 'all', refresh, refresh);
  const [held, setHeld] = useState(false);
  const view = JSON.stringify(request);
  const newest = query.data?.lists ?? NO_ROWS;
  const calm = useCalmRows(newest, `${view} ${query.isPlaceholderData}`, held);
  return {
    query,
    // Nothing at all means that the market is still being read, not that there is none.
    reading: query.data?.marketTokens === 0,
    ...calm,
    hold: {
      onPointerEnter: (event: React.PointerEvent) => event.pointerType === 'mouse' && setHeld(true),
      onPointerLeave: () => setHeld(false),
    },
  };
}

const OneList = memo(function OneList({ search, onClear, ...props }: ListProps) {
  const t = useT();
  const navigate = route.useNavigate();
  const { list = 'trending', sort, order = 'desc' } = search;
  const needsLogin = list === 'watchlist' && !props.loggedIn;
  const { query, reading, rows, behind, takeOver, hold } = useTokens(search, list, !needsLogin);
  const active = useRowKeys(rows, (tokenAddress) => {
    void navigate({ to: '/token/$tokenAddress', params: { tokenAddress } });
  });
  const shared: TokenListProps = {
    label: t('discover.table'),
    rows: needsLogin ? NO_ROWS : rows,
    period: search.period ?? '1h',
    loading: query.isLoading || (reading && !needsLogin),
    stale: query.isPlaceholderData,
    empty: <Empty list={list} filter={filterOf(search)} needsLogin={needsLogin} onClear={onClear} />,
    watched: props.watched,
    actions: props.actions,
    pending: props.pending,
    active,
  };
  const onSort = (field: DiscoverField) => {
    // Highest first, then lowest first, then the list's own order again.
    const next = sort !== field ? { sort: field } : order === 'desc' ? { sort: field, order: 'asc' as const } : {};
    const { sort: _sort, order: _order, ...rest } = search;
    void navigate({ search: { ...rest, ...next }, replace: true });
  };
  if (query.isError && !query.data) return <Failed error={query.error} onRetry={() => void query.refetch()} />;
  return (
    <div className="relative" {...hold}>
      {props.onPhone ? <PageCards {...shared} /> : <TokenTable {...shared} sort={sort} order={order} onSort={onSort} />}
      {behind && <NewOrder onTake={takeOver} />}
      <p className="mt-1.5 flex justify-between gap-4 text-xs text-faint">
        <span role="status">
          {query.data &&
            !query.isPlaceholderData &&
            !needsLogin &&
            (reading ? t('discover.reading') : t('discover.count', { count: query.data.total }))}
        </span>
        <span className="pointer-coarse:hidden">{t('discover.keys')}</span>
      </p>
    </div>
  );
});

const ColumnList = memo(function ColumnList({ search, list, onClear, ...props }: ListProps & { list: DiscoverList }) {
  const t = useT();
  const { query, reading, rows, behind, takeOver, hold } = useTokens(search, list, true);
  return (
    <section className="card relative min-w-0 overflow-hidden" aria-labelledby={`column-${list}`} {...hold}>
      <h2 id={`column-${list}`} className="border-b border-line px-3.5 py-2.5">
        {t(`discover.list.${list}`)}
      </h2>
      {query.isError && !query.data ? (
        <ErrorState title={t('discover.failed')} error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <ColumnCards
          label={t(`discover.list.${list}`)}
          rows={rows}
          period={search.period ?? '1h'}
          loading={query.isLoading || reading}
          stale={query.isPlaceholderData}
          empty={<Empty list={list} filter={filterOf(search)} needsLogin={false} onClear={onClear} />}
          watched={props.watched}
          actions={props.actions}
          pending={props.pending}
          active={-1}
        />
      )}
      {behind && <NewOrder onTake={takeOver} />}
    </section>
  );
});

function NewOrder({ onTake }: { onTake: () => void }) {
  const t = useT();
  return (
    <Button
      size="s"
      className="absolute top-11 left-1/2 z-3 -translate-x-1/2 rounded-full shadow-pop"
      onClick={onTake}
      data-testid="new-order"
    >
      {t('discover.behind')}
    </Button>
  );
}

function Failed({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const t = useT();
  return (
    <div className="card">
      <ErrorState title={t('discover.failed')} error={error} onRetry={onRetry} height={420} />
    </div>
  );
}

function Empty({
  list,
  filter,
  needsLogin,
  onClear,
}: {
  list: DiscoverList;
  filter: Filter;
  needsLogin: boolean;
  onClear: () => void;
}): ReactNode {
  const t = useT();
  if (needsLogin) {
    return (
      <EmptyState
        text={t('discover.watchlistLogin')}
        height={340}
        action={
          <Link
            to="/login"
            search={{ redirect: location.pathname + location.search }}
            className={buttonClass('accent', 's')}
          >
            {t('discover.login')}
          </Link>
        }
      />
    );
  }
  if (!sameFilter(filter, noFilter)) {
    return (
      <EmptyState
        text={t('discover.noneFiltered')}
        height={340}
        action={
          <Button tone="ghost" size="s" onClick={onClear}>
            {t('discover.clearFilter')}
          </Button>
        }
      />
    );
  }
  return <EmptyState text={t(list === 'watchlist' ? 'discover.noneWatched' : 'discover.none')} height={340} />;
}
