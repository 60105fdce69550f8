import { Link } from '@tanstack/react-router';
import { useApiQuery } from '../../data/use-api-query.ts';
import { FollowsTable } from '../../features/follow/follows-table.tsx';
import { useMyFollows } from '../../features/follow/use-my-follows.ts';
import { RealizedCalendar } from '../../features/portfolio/realized-calendar.tsx';
import { PositionsTable } from '../../features/positions/positions-table.tsx';
import { CreatedStrategies } from '../../features/strategy-card/created-strategies.tsx';
import { ExportButtons } from '../../features/trade-record/export-button.tsx';
import { TrackedList } from '../../features/tracked-wallets/tracked-list.tsx';
import { StrategyRecord } from '../../features/trade-record/strategy-record.tsx';
import { TradeRecord } from '../../features/trade-record/trade-record.tsx';
import { useT } from '../../i18n/i18n.ts';
import { buttonClass } from '../../ui/button.tsx';
import { late } from '../../ui/late.tsx';
import { SegmentedControl } from '../../ui/segmented-control.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { accountTabs, openPart, openRecordView, recordViews, strategyViews } from './account-search.ts';
import type { AccountSearch, AccountTab, Contents, RecordView, StrategyView } from './account-search.ts';

const fallback = <Spinner height={384} />;
const AlertSettings = late(() => import('../../features/alerts/alert-settings.tsx'), { texts: ['alerts'], fallback });
const OrdersView = late(() => import('../../features/triggers/orders-view.tsx'), { fallback });
const SecurityTab = late(() => import('./security/security-tab.tsx'), { fallback });

/** What the user has and did, by kind. `contents` are null until they are counted. */
export function AccountTabs({
  search,
  contents,
  onShow,
}: {
  search: AccountSearch;
  contents: Contents | null;
  onShow: (next: AccountSearch) => void;
}) {
  const t = useT();
  const { view } = search;
  const { tab, strategyView } = openPart(search, contents ?? { created: 0, followed: 0, positions: 0 });
  const content: Record<AccountTab, React.ReactNode> = {
    strategy: (
      <Strategies
        view={strategyView}
        isOpen={contents !== null || view !== undefined}
        onView={(key) => onShow({ tab: 'strategy', view: key })}
      />
    ),
    position: <PositionsTable />,
    orders: (
      <OrdersView
        view={view === 'ended' ? 'ended' : 'open'}
        onView={(key) => onShow(key === 'ended' ? { tab: 'orders', view: key } : { tab: 'orders' })}
      />
    ),
    record: (
      <Records
        chosen={recordViews.find((key) => key === view)}
        onView={(key) => onShow({ tab: 'record', view: key })}
      />
    ),
    notifications: <AlertSettings />,
    tracked: <TrackedList />,
    security: <SecurityTab />,
  };
  return (
    <section className="card mb-3.5 min-h-[428px] overflow-hidden">
      <Tabs
        label={t('account.tabsLabel')}
        value={tab}
        onChange={(key) => onShow({ tab: key })}
        items={accountTabs.map((key) => ({ key, label: t(`account.tabs.${key}`), content: content[key] }))}
      />
    </section>
  );
}

/** Not open until it is known which of both lists has rows. */
function Strategies({
  view,
  isOpen,
  onView,
}: {
  view: StrategyView;
  isOpen: boolean;
  onView: (view: StrategyView) => void;
}) {
  const t = useT();
  return (
    <>
      <SubViews
        options={strategyViews.map((key) => ({ key, label: t(`account.strategyViews.${key}`) }))}
        value={view}
        onChange={onView}
        aside={view === 'followed' && <AllFollows />}
      />
      {!isOpen ? (
        <div className="min-h-[300px]" aria-busy="true" />
      ) : view === 'followed' ? (
        <Follows />
      ) : (
        <div className="px-4 pb-4">
          <CreatedStrategies framed={false} />
        </div>
      )}
    </>
  );
}

function AllFollows() {
  const t = useT();
  return (
    <Link to="/myfollowing" className={buttonClass('ghost', 's')}>
      {t('account.allFollows')}
    </Link>
  );
}

/** A component of its own, so that the follows are fetched only where they are shown. */
function Follows() {
  return <FollowsTable follows={useMyFollows()} />;
}

/** Both lists are counted once, so that the tab opens on the one that has rows. */
function Records({ chosen, onView }: { chosen: RecordView | undefined; onView: (view: RecordView) => void }) {
  const t = useT();
  const counted = { enabled: chosen === undefined, quiet: true };
  const strategies = useApiQuery('getMyTradeRecord', { type: 'strategy', pageSize: 1 }, counted);
  const trades = useApiQuery('getMyTradeRecord', { type: 'trade', pageSize: 1 }, counted);
  const isOpen = chosen !== undefined || !(strategies.isPending || trades.isPending);
  const view = openRecordView(chosen, strategies.data?.total ?? 0, trades.data?.total ?? 0);
  const content: Record<RecordView, React.ReactNode> = {
    strategy: <StrategyRecord />,
    trade: <TradeRecord />,
    calendar: <RealizedCalendar />,
  };
  return (
    <>
      <SubViews
        options={recordViews.map((key) => ({ key, label: t(`account.recordViews.${key}`) }))}
        value={view}
        onChange={onView}
        aside={<ExportButtons />}
      />
      {isOpen ? content[view] : <div className="min-h-[300px]" aria-busy="true" />}
    </>
  );
}

function SubViews<Key extends string>({
  options,
  value,
  onChange,
  aside,
}: {
  options: readonly { key: Key; label: string }[];
  value: Key;
  onChange: (key: Key) => void;
  aside?: React.ReactNode;
}) {
  const t = useT();
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 px-4 py-3">
      <SegmentedControl label={t('account.viewLabel')} value={value} onChange={onChange} options={options} />
      {aside}
    </div>
  );
}
