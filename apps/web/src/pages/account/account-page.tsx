import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useUser } from '../../data/session.ts';
import { useMyStream } from '../../data/stream.ts';
import { refreshCalls, useApiQuery } from '../../data/use-api-query.ts';
import { FollowsTable } from '../../features/follow/follows-table.tsx';
import { useMyFollows } from '../../features/follow/use-my-follows.ts';
import { AllocationCard } from '../../features/portfolio/allocation-card.tsx';
import { EquityCard } from '../../features/portfolio/equity-card.tsx';
import { RealizedCalendar } from '../../features/portfolio/realized-calendar.tsx';
import { PositionsTable } from '../../features/positions/positions-table.tsx';
import { CreatedStrategies } from '../../features/strategy-card/created-strategies.tsx';
import { ExportButtons } from '../../features/trade-record/export-button.tsx';
import { TrackedList } from '../../features/tracked-wallets/tracked-list.tsx';
import { StrategyRecord } from '../../features/trade-record/strategy-record.tsx';
import { TradeRecord } from '../../features/trade-record/trade-record.tsx';
import { useT } from '../../i18n/i18n.ts';
import { late } from '../../ui/late.tsx';
import { Button, buttonClass } from '../../ui/button.tsx';
import { QueryError } from '../../ui/error-state.tsx';
import { DownloadIcon } from '../../ui/icons.tsx';
import { Page } from '../../ui/page.tsx';
import { SegmentedControl } from '../../ui/segmented-control.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { useMediaQuery } from '../../ui/use-media-query.ts';
import { AccountFigures } from './account-figures.tsx';
import {
  accountTabs,
  openPart,
  openRecordView,
  readAccountSearch,
  recordViews,
  strategyViews,
} from './account-search.ts';
import type { AccountSearch, AccountTab, RecordView } from './account-search.ts';
import { useSharedEquity } from './shared-equity.ts';

const fallback = <Spinner height={384} />;
const DepositDialog = late(() => import('../../features/deposit/deposit-dialog.tsx'));
const AlertSettings = late(() => import('../../features/alerts/alert-settings.tsx'), { texts: ['alerts'], fallback });
const WithdrawDialog = late(() => import('../../features/withdraw/withdraw-dialog.tsx'));
const OrdersView = late(() => import('../../features/triggers/orders-view.tsx'), { fallback });
const SecurityTab = late(() => import('./security/security-tab.tsx'), { fallback });

const route = getRouteApi('/account');

export default function AccountPage() {
  const t = useT();
  // The router keeps values that no reader knows, as an old link may have them.
  const search = route.useSearch({ select: readAccountSearch });
  const navigate = route.useNavigate();
  const email = useUser((user) => user?.email ?? null);
  const account = useApiQuery('getMyAccount', {}, { refetchIntervalMs: 10_000 });
  const refresh = () => void refreshCalls('getMyAccount');
  const figures = useSharedEquity(account.data);
  useMyStream('balance', refresh, refresh);
  useMyStream('positions', refresh);

  function show(next: AccountSearch): void {
    void navigate({ search: readAccountSearch(next), replace: true });
  }
  const { view, dialog } = search;
  const contents = useContents(search.tab === undefined || search.tab === 'strategy');
  const { tab, strategyView } = openPart(search, contents ?? { created: 0, followed: 0, positions: 0 });
  const closeDialog = () => {
    const { dialog: _gone, ...rest } = search;
    show(rest);
  };
  // On phones and tablets one or two screens of charts would stand before what the tabs lead to.
  const isNarrow = useMediaQuery('(max-width: 1023px)');
  const charts = (
    <div className="mb-3.5 grid grid-cols-1 gap-3.5 lg:grid-cols-[minmax(0,2fr)_minmax(300px,1fr)]">
      <EquityCard />
      <AllocationCard />
    </div>
  );
  const content: Record<AccountTab, React.ReactNode> = {
    strategy: (
      <>
        <SubViews
          options={strategyViews.map((key) => ({ key, label: t(`account.strategyViews.${key}`) }))}
          value={strategyView}
          onChange={(key) => show({ tab: 'strategy', view: key })}
          aside={strategyView === 'followed' && <AllFollows />}
        />
        {contents === null && view === undefined ? (
          <div className="min-h-[300px]" aria-busy="true" />
        ) : strategyView === 'followed' ? (
          <Follows />
        ) : (
          <div className="px-4 pb-4">
            <CreatedStrategies framed={false} />
          </div>
        )}
      </>
    ),
    position: <PositionsTable />,
    orders: (
      <OrdersView
        view={view === 'ended' ? 'ended' : 'open'}
        onView={(key) => show(key === 'ended' ? { tab: 'orders', view: key } : { tab: 'orders' })}
      />
    ),
    record: (
      <Records chosen={recordViews.find((key) => key === view)} onView={(key) => show({ tab: 'record', view: key })} />
    ),
    notifications: <AlertSettings />,
    tracked: <TrackedList />,
    security: <SecurityTab />,
  };

  return (
    <Page
      title={t('shell.titles.account')}
      text={email && <bdi>{email}</bdi>}
      actions={
        <>
          <Button tone="ghost" onClick={() => show({ ...search, dialog: 'withdraw' })}>
            {t('account.withdraw')}
          </Button>
          <Button icon={<DownloadIcon size={15} />} onClick={() => show({ ...search, dialog: 'deposit' })}>
            {t('account.deposit')}
          </Button>
        </>
      }
    >
      {account.isError && !account.data ? (
        <div className="card mb-3.5">
          <QueryError query={account} height={140} title={t('account.loadFailed')} />
        </div>
      ) : (
        <AccountFigures account={figures} />
      )}
      {!isNarrow && charts}
      <section className="card mb-3.5 min-h-[428px] overflow-hidden">
        <Tabs
          label={t('account.tabsLabel')}
          value={tab}
          onChange={(key) => show({ tab: key })}
          items={accountTabs.map((key) => ({ key, label: t(`account.tabs.${key}`), content: content[key] }))}
        />
      </section>
      {isNarrow && charts}
      {dialog === 'deposit' && <DepositDialog onClose={closeDialog} />}
      {dialog === 'withdraw' && <WithdrawDialog onClose={closeDialog} />}
    </Page>
  );
}

/** What the user has when the page opens: what comes later must not change the tab under the reader's eyes. */
function useContents(asked: boolean): Parameters<typeof openPart>[1] | null {
  const [contents, setContents] = useState<Parameters<typeof openPart>[1] | null>(null);
  const counted = { enabled: asked && contents === null, quiet: true };
  const created = useApiQuery('getStrategyList', { scope: 'created', status: 'all', pageSize: 1 }, counted);
  const followed = useApiQuery('getMyFollows', { pageSize: 1 }, counted);
  const positions = useApiQuery('getMyPositions', { pageSize: 1 }, counted);
  if (counted.enabled && !created.isPending && !followed.isPending && !positions.isPending) {
    setContents({
      created: created.data?.total ?? 0,
      followed: followed.data?.total ?? 0,
      positions: positions.data?.total ?? 0,
    });
  }
  return contents;
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
