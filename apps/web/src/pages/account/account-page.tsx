import { getRouteApi } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { queryClient } from '../../data/query-client.ts';
import { useUser } from '../../data/session.ts';
import { useStream } from '../../data/stream.ts';
import { apiKey, useApiQuery } from '../../data/use-api-query.ts';
import { FollowsTable } from '../../features/follow/follows-table.tsx';
import { useMyFollows } from '../../features/follow/use-my-follows.ts';
import { PositionsTable } from '../../features/positions/positions-table.tsx';
import { CreatedStrategies } from '../../features/strategy-card/created-strategies.tsx';
import { ExportButton } from '../../features/trade-record/export-button.tsx';
import { StrategyRecord } from '../../features/trade-record/strategy-record.tsx';
import { TradeRecord } from '../../features/trade-record/trade-record.tsx';
import { useT } from '../../i18n/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { DownloadIcon } from '../../ui/icons.tsx';
import { Page } from '../../ui/page.tsx';
import { SegmentedControl } from '../../ui/segmented-control.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { AccountFigures } from './account-figures.tsx';
import { accountTabs, readAccountSearch } from './account-search.ts';
import type { AccountSearch, AccountTab } from './account-search.ts';

const DepositDialog = lazy(() => import('../../features/deposit/deposit-dialog.tsx'));
const WithdrawDialog = lazy(() => import('../../features/withdraw/withdraw-dialog.tsx'));
const SecurityTab = lazy(() => import('./security/security-tab.tsx'));

const route = getRouteApi('/account');

export default function AccountPage() {
  const t = useT();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const email = useUser((user) => user?.email ?? null);
  const account = useApiQuery('getMyAccount', {}, { refetchIntervalMs: 10_000 });
  const refresh = () => void queryClient.invalidateQueries({ queryKey: apiKey('getMyAccount') });
  const me = email === null ? null : 'me';
  useStream('balance', me, refresh, refresh);
  useStream('positions', me, refresh);

  function show(next: AccountSearch): void {
    void navigate({ search: readAccountSearch(next), replace: true });
  }
  const { tab = 'strategy', view, dialog } = search;
  const closeDialog = () => {
    const { dialog: _gone, ...rest } = search;
    show(rest);
  };
  const content: Record<AccountTab, React.ReactNode> = {
    strategy: (
      <>
        <SubViews
          options={(['created', 'followed'] as const).map((key) => ({ key, label: t(`account.strategyViews.${key}`) }))}
          value={view === 'followed' ? 'followed' : 'created'}
          onChange={(key) => show(key === 'followed' ? { view: key } : {})}
        />
        {view === 'followed' ? (
          <Follows />
        ) : (
          <div className="px-4 pb-4">
            <CreatedStrategies framed={false} />
          </div>
        )}
      </>
    ),
    position: <PositionsTable />,
    record: (
      <>
        <SubViews
          options={(['strategy', 'trade'] as const).map((key) => ({ key, label: t(`account.recordViews.${key}`) }))}
          value={view === 'trade' ? 'trade' : 'strategy'}
          onChange={(key) => show(key === 'trade' ? { tab: 'record', view: key } : { tab: 'record' })}
          aside={<ExportButton />}
        />
        {view === 'trade' ? <TradeRecord /> : <StrategyRecord />}
      </>
    ),
    security: (
      <Suspense fallback={<div className="min-h-96" />}>
        <SecurityTab />
      </Suspense>
    ),
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
          <ErrorState
            height={140}
            title={t('account.loadFailed')}
            error={account.error}
            onRetry={() => void account.refetch()}
          />
        </div>
      ) : (
        <AccountFigures account={account.data} />
      )}
      <section className="card overflow-hidden">
        <Tabs
          label={t('account.tabsLabel')}
          value={tab}
          onChange={(key) => show({ tab: key })}
          items={accountTabs.map((key) => ({ key, label: t(`account.tabs.${key}`), content: content[key] }))}
        />
      </section>
      <Suspense fallback={null}>
        {dialog === 'deposit' && <DepositDialog onClose={closeDialog} />}
        {dialog === 'withdraw' && <WithdrawDialog onClose={closeDialog} />}
      </Suspense>
    </Page>
  );
}

/** A component of its own, so that the follows are fetched only where they are shown. */
function Follows() {
  return <FollowsTable follows={useMyFollows()} />;
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
    <div className="flex items-center justify-between gap-3 px-4 py-3">
      <SegmentedControl label={t('account.viewLabel')} value={value} onChange={onChange} options={options} />
      {aside}
    </div>
  );
}
