import { getRouteApi } from '@tanstack/react-router';
import type { DiscoverField, DiscoverList } from '@hunter/domain/market/discover';
import { memo } from 'react';
import { filterOf } from '../../features/discover/discover-search.ts';
import type { DiscoverSearch } from '../../features/discover/discover-search.ts';
import { ColumnCards, PageCards } from '../../features/discover/token-cards.tsx';
import type { RowActions } from '../../features/discover/token-parts.tsx';
import { TokenTable } from '../../features/discover/token-table.tsx';
import type { TokenListProps } from '../../features/discover/token-table.tsx';
import { useRowKeys } from '../../features/discover/use-row-keys.ts';
import { useT } from '../../i18n/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorState, QueryError } from '../../ui/error-state.tsx';
import { NoTokens } from './no-tokens.tsx';
import { NO_ROWS, useListedTokens } from './use-listed-tokens.ts';

const route = getRouteApi('/discover');

type ListProps = {
  search: DiscoverSearch;
  watched: ReadonlySet<string>;
  actions: RowActions;
  pending: ReadonlyMap<string, string>;
  loggedIn: boolean;
  onPhone: boolean;
  onClear: () => void;
};

/** One list over the whole page: a table, on phones cards. */
export const OneList = memo(function OneList({ search, onClear, ...props }: ListProps) {
  const t = useT();
  const navigate = route.useNavigate();
  const { list = 'trending', sort, order = 'desc' } = search;
  const needsLogin = list === 'watchlist' && !props.loggedIn;
  const { query, reading, rows, behind, takeOver, hold } = useListedTokens(search, list, !needsLogin);
  const active = useRowKeys(rows, (tokenAddress) => {
    void navigate({ to: '/token/$tokenAddress', params: { tokenAddress } });
  });
  const shared: TokenListProps = {
    label: t('discover.table'),
    rows: needsLogin ? NO_ROWS : rows,
    period: search.period ?? '1h',
    loading: query.isLoading || (reading && !needsLogin),
    stale: query.isPlaceholderData,
    empty: <NoTokens list={list} filter={filterOf(search)} needsLogin={needsLogin} onClear={onClear} />,
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

/** One of several lists side by side. */
export const ColumnList = memo(function ColumnList({
  search,
  list,
  onClear,
  ...props
}: ListProps & { list: DiscoverList }) {
  const t = useT();
  const { query, reading, rows, behind, takeOver, hold } = useListedTokens(search, list, true);
  return (
    <section className="card relative min-w-0 overflow-hidden" aria-labelledby={`column-${list}`} {...hold}>
      <h2 id={`column-${list}`} className="border-b border-line px-3.5 py-2.5">
        {t(`discover.list.${list}`)}
      </h2>
      {query.isError && !query.data ? (
        <QueryError query={query} title={t('discover.failed')} />
      ) : (
        <ColumnCards
          label={t(`discover.list.${list}`)}
          rows={rows}
          period={search.period ?? '1h'}
          loading={query.isLoading || reading}
          stale={query.isPlaceholderData}
          empty={<NoTokens list={list} filter={filterOf(search)} needsLogin={false} onClear={onClear} />}
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
