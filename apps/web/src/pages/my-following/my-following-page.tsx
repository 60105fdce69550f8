import { Link } from '@tanstack/react-router';
import { sumFollows } from '../../features/follow/follow-sum.ts';
import { FollowsTable } from '../../features/follow/follows-table.tsx';
import { PaperTable } from '../../features/follow/paper-table.tsx';
import { useMyFollows } from '../../features/follow/use-my-follows.ts';
import { PaperWalletsTable } from '../../features/wallet-follow/paper-wallets-table.tsx';
import { WalletFollowsTable } from '../../features/wallet-follow/wallet-follows-table.tsx';
import { useT } from '../../i18n/i18n.ts';
import { buttonClass } from '../../ui/button.tsx';
import { Sol } from '../../ui/numbers.tsx';
import { Page } from '../../ui/page.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Stat } from '../../ui/stat.tsx';

export default function MyFollowingPage() {
  const t = useT();
  const follows = useMyFollows();
  const sum = follows.error ? null : sumFollows(follows.rows, follows.hasMore);
  const figure = (content: React.ReactNode) => (follows.loading ? <Skeleton width={80} height={30} /> : content);
  return (
    <Page
      title={t('shell.titles.myFollowing')}
      text={t('strategies.following.text')}
      actions={
        <Link to="/strategies" className={buttonClass('ghost')}>
          {t('strategies.following.browse')}
        </Link>
      }
    >
      <div className="mb-3.5 grid grid-cols-2 gap-3.5 sm:grid-cols-3">
        <div className="card p-4 max-sm:col-span-2">
          <Stat label={t('strategies.following.activeCount')}>
            <span className="text-2xl">{figure(sum?.count ?? '-')}</span>
          </Stat>
        </div>
        <div className="card p-4">
          <Stat label={t('strategies.following.total')}>
            {figure(<Sol value={sum?.equity} className="text-xl sm:text-2xl" />)}
          </Stat>
        </div>
        <div className="card p-4">
          <Stat label={t('strategies.following.totalProfit')}>
            {figure(<Sol value={sum?.pnl} tone className="text-xl sm:text-2xl" />)}
          </Stat>
        </div>
      </div>
      {sum?.complete === false && (
        <p className="mb-3.5 text-sm text-muted">{t('strategies.following.ofShown', { count: sum.count })}</p>
      )}
      <section className="card overflow-hidden">
        <FollowsTable follows={follows} />
      </section>
      <WalletFollowsTable />
      <PaperTable />
      <PaperWalletsTable />
    </Page>
  );
}
