import { addDecimals } from '@hunter/domain/decimal';
import { Link } from '@tanstack/react-router';
import { useApiQuery } from '../../data/use-api-query.ts';
import { FollowsTable } from '../../features/follow/follows-table.tsx';
import { useT } from '../../i18n/i18n.ts';
import { buttonClass } from '../../ui/button.tsx';
import { Sol } from '../../ui/numbers.tsx';
import { Page } from '../../ui/page.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Stat } from '../../ui/stat.tsx';

export default function MyFollowingPage() {
  const t = useT();
  const follows = useApiQuery('getMyFollows', { pageSize: 100 }, { refetchIntervalMs: 10_000 });
  const active = (follows.data?.lists ?? []).filter((follow) => follow.status !== 'closed');
  const sum = (pick: 'equity' | 'pnl') => addDecimals(...active.map((follow) => follow[pick] ?? '0'));
  const figure = (content: React.ReactNode) => (follows.data ? content : <Skeleton width={80} height={22} />);
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
            <span className="text-2xl">{figure(active.length)}</span>
          </Stat>
        </div>
        <div className="card p-4">
          <Stat label={t('strategies.following.total')}>
            {figure(<Sol value={sum('equity')} className="text-2xl" />)}
          </Stat>
        </div>
        <div className="card p-4">
          <Stat label={t('strategies.following.totalProfit')}>
            {figure(<Sol value={sum('pnl')} tone className="text-2xl" />)}
          </Stat>
        </div>
      </div>
      <section className="card overflow-hidden">
        <FollowsTable />
      </section>
    </Page>
  );
}
