import { getRouteApi, Link } from '@tanstack/react-router';
import type { CallReply } from '@hunter/contract/calls';
import { ApiFailure } from '../../data/api-failure.ts';
import { useApiQuery } from '../../data/use-api-query.ts';
import { commonScale } from '../../features/strategy-card/common-scale.ts';
import { StrategyGrid } from '../../features/strategy-card/strategy-grid.tsx';
import { scoreText } from '../../features/strategy-card/tier-badge.tsx';
import { useT } from '../../i18n/i18n.ts';
import { buttonClass } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { Explained } from '../../ui/explained.tsx';
import { Sol } from '../../ui/numbers.tsx';
import { Page } from '../../ui/page.tsx';
import { RelativeTime } from '../../ui/relative-time-text.tsx';
import { Stat } from '../../ui/stat.tsx';
import { usePageTitle } from '../../ui/use-page-title.ts';
import { UserAvatar } from '../../ui/user-avatar.tsx';

const REFRESH_MS = 15_000;
const route = getRouteApi('/creator/$name');

export default function CreatorPage() {
  const { name } = route.useParams();
  return <Creator key={name} name={name} />;
}

/** What a creator has published, ended strategies too. */
export function Creator({ name }: { name: string }) {
  const t = useT();
  const { data, error, isPending, refetch } = useApiQuery('getCreator', { name }, { refetchIntervalMs: REFRESH_MS });
  usePageTitle(data ? name : t('shell.titles.creator'));
  const missing = error instanceof ApiFailure && error.refusal === 'CREATOR_NOT_FOUND';
  return (
    <Page
      title={
        <span className="flex items-center gap-3">
          <UserAvatar src={undefined} name={name} size={40} />
          <bdi className="min-w-0 truncate">{name}</bdi>
        </span>
      }
      text={
        data && (
          <>
            {t('strategies.creator.since')} <RelativeTime timeMs={data.since} />
          </>
        )
      }
    >
      {data ? (
        <Record creator={data} />
      ) : isPending ? (
        <StrategyGrid strategies={[]} loading empty={null} />
      ) : (
        <div className="card">
          {missing ? (
            <EmptyState
              height={320}
              text={t('strategies.creator.notFound')}
              action={
                <Link to="/strategies" className={buttonClass('ghost', 's')}>
                  {t('strategies.showAll')}
                </Link>
              }
            />
          ) : (
            <ErrorState
              height={320}
              title={t('strategies.creator.loadFailed')}
              error={error}
              onRetry={() => void refetch()}
            />
          )}
        </div>
      )}
    </Page>
  );
}

function Record({ creator }: { creator: CallReply<'getCreator'> }) {
  const t = useT();
  const scale = commonScale(creator.strategies);
  const { ranked, running, ended } = creator;
  const [shown, total] = [creator.strategies.length, running + ended];
  return (
    <>
      <div
        className="card mb-5 grid gap-x-6 gap-y-4 p-4 [grid-template-columns:repeat(auto-fill,minmax(128px,1fr))] sm:p-5"
        role="group"
        aria-label={t('strategies.creator.figures')}
      >
        <Stat label={<Explained label={t('strategies.creator.score')} text={t('strategies.scoreHint')} />}>
          {creator.score === null ? (
            <span className="font-normal text-faint">{t('strategies.creator.noScore')}</span>
          ) : (
            <span className="text-xl">{scoreText(creator.score)}</span>
          )}
        </Stat>
        <Stat label={t('strategies.creator.trips')}>
          <span className="text-xl">{creator.countedTrips}</span>{' '}
          <span className="text-sm font-normal text-faint">
            {t('strategies.creator.won', { won: creator.wonTrips })}
          </span>
        </Stat>
        <Stat label={t('strategies.creator.followers')}>
          <span className="text-xl">{creator.followers}</span>
        </Stat>
        <Stat label={t('strategies.creator.funds')}>
          <Sol value={creator.copyTradeFunds} className="text-xl" />
        </Stat>
        <Stat label={t('strategies.creator.strategies')} className="max-sm:col-span-full sm:col-span-2">
          {t('strategies.creator.split', { ranked, running, ended })}
        </Stat>
      </div>
      {([false, true] as const).map((isEnded) => (
        <section key={String(isEnded)} className="mb-6">
          <h2 className="mb-2.5">{t(isEnded ? 'strategies.creator.ended' : 'strategies.creator.running')}</h2>
          <StrategyGrid
            strategies={creator.strategies.filter(({ status }) => (status === 'ended') === isEnded)}
            loading={false}
            scale={scale}
            empty={
              <EmptyState
                height={140}
                text={t(isEnded ? 'strategies.creator.noneEnded' : 'strategies.creator.noneRunning')}
              />
            }
          />
        </section>
      ))}
      {shown < total && <p className="text-sm text-muted">{t('strategies.creator.shown', { shown, total })}</p>}
    </>
  );
}
