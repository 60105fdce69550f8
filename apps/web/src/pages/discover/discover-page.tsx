import type { DiscoverList } from '@hunter/domain/market/discover';
import { useDeferredValue, useState } from 'react';
import { useUser } from '../../data/session.ts';
import { useWatchlist } from '../../data/use-watchlist.ts';
import { Definitions } from '../../features/discover/definitions.tsx';
import { filterOf, periods, views } from '../../features/discover/discover-search.ts';
import { FilterBar } from '../../features/discover/filter-bar.tsx';
import type { RowActions } from '../../features/discover/token-parts.tsx';
import { useSlippage } from '../../features/trade/use-slippage.ts';
import { useT } from '../../i18n/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { SegmentedControl } from '../../ui/segmented-control.tsx';
import { useMediaQuery } from '../../ui/use-media-query.ts';
import { DiscoverDialogs } from './discover-dialogs.tsx';
import type { OpenDialog } from './discover-dialogs.tsx';
import { ListChoice } from './list-choice.tsx';
import { ColumnList, OneList } from './token-lists.tsx';
import { useDiscoverSearch } from './use-discover-search.ts';
import { useRowActions } from './use-row-actions.ts';
import { useSavedFilters } from './use-saved-filters.ts';

/** From launch to pool, side by side. */
const sideBySide: readonly DiscoverList[] = ['new', 'graduating', 'graduated'];

export default function DiscoverPage() {
  const t = useT();
  const { search, show, showFilter, showView, clearFilter } = useDiscoverSearch();
  const account = useUser((user) => user?.email ?? null);
  const loggedIn = account !== null;
  const onPhone = useMediaQuery('(max-width: 767px)');
  const { watched, watch } = useWatchlist();
  const slippage = useSlippage();
  const [dialog, setDialog] = useState<OpenDialog>(null);
  const [saved, save] = useSavedFilters();
  const { quickBuy, actions } = useRowActions(account, slippage.bps, watch);
  const filter = filterOf(search);
  const view = onPhone ? 'table' : (search.view ?? 'table');

  // A click is answered at once; rows follow when they are rendered, which takes longer.
  const listed = useDeferredValue(search);
  const { pending } = quickBuy;
  const shared = { search: listed, watched, actions, pending, loggedIn, onPhone, onClear: clearFilter };
  return (
    <div className="px-3 py-4 sm:px-5">
      <div className="flex flex-wrap items-center gap-x-3.5 gap-y-2.5">
        <h1>{t('discover.title')}</h1>
        {view === 'table' && <ListChoice list={search.list ?? 'trending'} onList={(list) => show({ list })} />}
        <QuickBuySummary actions={actions} onEdit={() => setDialog('quick-buy')} />
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
          onChange={showView}
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
      <DiscoverDialogs
        open={dialog}
        onClose={() => setDialog(null)}
        filter={filter}
        onFilter={showFilter}
        saved={saved}
        onSaved={save}
        quickBuy={quickBuy}
        slippage={loggedIn ? slippage : null}
        slippageText={actions.slippageText}
      />
    </div>
  );
}

/** What a click on a row's button buys. */
function QuickBuySummary({ actions, onEdit }: { actions: RowActions; onEdit: () => void }) {
  const t = useT();
  return (
    <div className="ml-auto flex items-center gap-2 text-sm text-muted">
      <span>
        {t('discover.quickBuy.label')} <b className="num font-semibold text-text">{actions.amounts.join(' / ')}</b>{' '}
        {t('discover.quickBuy.summary', { slippage: actions.slippageText })}
      </span>
      <Button tone="plain" size="s" className="text-accent-text!" onClick={onEdit}>
        {t('discover.quickBuy.edit')}
      </Button>
    </div>
  );
}
