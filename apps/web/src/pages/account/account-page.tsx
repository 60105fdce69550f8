import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { useUser } from '../../data/session.ts';
import { useMyStream } from '../../data/stream.ts';
import { refreshCalls, useApiQuery } from '../../data/use-api-query.ts';
import { AllocationCard } from '../../features/portfolio/allocation-card.tsx';
import { EquityCard } from '../../features/portfolio/equity-card.tsx';
import { useT } from '../../i18n/i18n.ts';
import { late } from '../../ui/late.tsx';
import { Button } from '../../ui/button.tsx';
import { QueryError } from '../../ui/error-state.tsx';
import { DownloadIcon } from '../../ui/page-icons.tsx';
import { Page } from '../../ui/page.tsx';
import { useMediaQuery } from '../../ui/use-media-query.ts';
import { AccountFigures } from './account-figures.tsx';
import { readAccountSearch } from './account-search.ts';
import type { AccountSearch, Contents } from './account-search.ts';
import { AccountTabs } from './account-tabs.tsx';
import { useSharedEquity } from './shared-equity.ts';

const DepositDialog = late(() => import('../../features/deposit/deposit-dialog.tsx'));
const WithdrawDialog = late(() => import('../../features/withdraw/withdraw-dialog.tsx'));

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
  const { dialog } = search;
  const contents = useContents(search.tab === undefined || search.tab === 'strategy');
  const closeDialog = () => {
    const { dialog: _gone, ...rest } = search;
    show(rest);
  };
  // On phones and tablets one or two screens of charts would stand before what the tabs lead to.
  const isNarrow = useMediaQuery('(max-width: 1023px)');
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
      {!isNarrow && <Charts />}
      <AccountTabs search={search} contents={contents} onShow={show} />
      {isNarrow && <Charts />}
      {dialog === 'deposit' && <DepositDialog onClose={closeDialog} />}
      {dialog === 'withdraw' && <WithdrawDialog onClose={closeDialog} />}
    </Page>
  );
}

function Charts() {
  return (
    <div className="mb-3.5 grid grid-cols-1 gap-3.5 lg:grid-cols-[minmax(0,2fr)_minmax(300px,1fr)]">
      <EquityCard />
      <AllocationCard />
    </div>
  );
}

/** What the user has when the page opens: what comes later must not change the tab under the reader's eyes. */
function useContents(asked: boolean): Contents | null {
  const [contents, setContents] = useState<Contents | null>(null);
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
