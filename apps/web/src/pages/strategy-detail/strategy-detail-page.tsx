import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useApiQuery } from '../../data/use-api-query.ts';
import { MyFollowCard } from '../../features/follow/my-follow-card.tsx';
import { PastFollowCard } from '../../features/follow/past-follow-card.tsx';
import { useFollowChanges } from '../../features/follow/use-follow-changes.ts';
import { ReceiptsTable } from '../../features/follow/receipts-table.tsx';
import { useT } from '../../i18n/i18n.ts';
import { late } from '../../ui/late.tsx';
import { ArrowLeftIcon } from '../../ui/page-icons.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { useMediaQuery } from '../../ui/use-media-query.ts';
import { usePageTitle } from '../../ui/use-page-title.ts';
import { CoinsTable } from './coins-table.tsx';
import { DetailSkeleton } from './detail-skeleton.tsx';
import { HowCard } from './how-card.tsx';
import { LoadFailure } from './load-failure.tsx';
import { RecordCard } from './record-card.tsx';
import { RoundsCard } from './rounds-card.tsx';
import { SimulatorCard } from './simulator-card.tsx';
import type { StrategyDetail } from './strategy-detail.ts';
import { SummaryCard } from './summary-card.tsx';
import type { DetailAction } from './summary-card.tsx';
import { TradesTable } from './trades-table.tsx';
import { YieldCard } from './yield-card.tsx';

const FollowDialog = late(() => import('../../features/follow/follow-dialog.tsx'));
const CancelDialog = late(() => import('../../features/follow/cancel-dialog.tsx'));
const EndDialog = late(() => import('./end-dialog.tsx'));
const TradeDialog = late(() => import('./trade-dialog.tsx'));
const RebalanceDialog = late(() => import('./rebalance-dialog.tsx'), { texts: ['create'] });

const ShareDialog = late(() => import('../../features/share/share-dialog.tsx'), { texts: ['share'] });

const REFRESH_MS = 5_000;
const route = getRouteApi('/strategies/$slug');

export default function StrategyDetailPage() {
  const { slug } = route.useParams();
  // A new strategy starts with fresh tabs and closed dialogs.
  return <Detail key={slug} slug={slug} />;
}

type DetailTab = 'coins' | 'trades' | 'receipts';

function Detail({ slug }: { slug: string }) {
  const t = useT();
  const detail = useApiQuery('getStrategyDetail', { slug }, { refetchIntervalMs: REFRESH_MS });
  const [dialog, setDialog] = useState<DetailAction | null>(null);
  const [tab, setTab] = useState<DetailTab>('coins');
  const wide = useMediaQuery('(min-width: 80rem)');
  useFollowChanges(slug);
  usePageTitle(detail.data?.name ?? t('shell.titles.strategyDetail'));
  const close = () => setDialog(null);

  if (detail.isPending) return <DetailSkeleton />;
  if (!detail.data) {
    return <LoadFailure error={detail.error} onRetry={() => void detail.refetch()} />;
  }
  const strategy = detail.data;
  const { name, myFollow } = strategy;
  const own = <OwnFollow strategy={strategy} onCancel={() => setDialog('cancel')} />;
  return (
    <div className="mx-auto w-full max-w-[1360px] px-3 py-4 sm:px-5 min-[1700px]:max-w-[1680px] min-[2200px]:max-w-[2200px]">
      <Link
        to="/strategies"
        className="mb-3 inline-flex items-center gap-1.5 rounded-md text-sm text-muted hover:text-text pointer-coarse:py-1.5"
      >
        <ArrowLeftIcon size={15} />
        {t('strategy.back')}
      </Link>
      <div className="grid grid-cols-1 items-start gap-3.5 xl:grid-cols-[minmax(0,1fr)_340px]">
        <div className="flex min-w-0 flex-col gap-3.5">
          <SummaryCard strategy={strategy} onAction={setDialog} />
          {!wide && own}
          <YieldCard strategy={strategy} />
          <SimulatorCard slug={slug} publishTime={strategy.publishTime} isRunning={strategy.status === 'running'} />
          <section className="card overflow-hidden">
            <Tabs
              label={t('strategy.tabs.label')}
              value={tab}
              onChange={setTab}
              items={[
                { key: 'coins', label: t('strategy.tabs.coins'), content: <CoinsTable strategy={strategy} /> },
                { key: 'trades', label: t('strategy.tabs.trades'), content: <TradesTable slug={slug} /> },
                ...(strategy.mine
                  ? []
                  : [
                      {
                        key: 'receipts' as const,
                        label: t('strategy.tabs.receipts'),
                        content: <ReceiptsTable slug={slug} following={myFollow !== null} />,
                      },
                    ]),
              ]}
            />
          </section>
        </div>
        <aside className="grid min-w-0 gap-3.5 md:grid-cols-2 xl:grid-cols-1">
          {wide && own}
          <HowCard />
          <RecordCard strategy={strategy} />
          <RoundsCard rounds={strategy.rounds} copies={strategy.copies} />
        </aside>
      </div>
      {dialog === 'follow' && <FollowDialog slug={slug} name={name} onClose={close} />}
      {dialog === 'cancel' && <CancelDialog slug={slug} name={name} onClose={close} />}
      {dialog === 'rebalance' && <RebalanceDialog strategy={strategy} onClose={close} />}
      {dialog === 'trade' && <TradeDialog strategy={strategy} onClose={close} />}
      {dialog === 'share' && <ShareDialog shared={{ strategy }} onClose={close} />}
      {dialog === 'end' && <EndDialog strategy={strategy} onClose={close} />}
    </div>
  );
}

type OwnFollowProps = { strategy: StrategyDetail; onCancel: () => void };

/** What the reader has in the strategy, or had until its end. */
function OwnFollow({ strategy: { slug, status, mine, myFollow }, onCancel }: OwnFollowProps) {
  if (myFollow) return <MyFollowCard follow={myFollow} onCancel={onCancel} />;
  return status === 'ended' && !mine ? <PastFollowCard slug={slug} /> : null;
}
