import { CreatorLink } from '../../features/strategy-card/creator-link.tsx';
import { FollowerSample, NoFollowerReturn } from '../../features/strategy-card/follower-sample.tsx';
import { Age, RunningTime } from '../../features/strategy-card/running-time.tsx';
import { WinRate } from '../../features/strategy-card/strategy-card.tsx';
import { StateChip } from '../../features/strategy-card/strategy-chips.tsx';
import { TierBadge } from '../../features/strategy-card/tier-badge.tsx';
import { useI18n, useT } from '../../i18n/i18n.ts';
import { asLoss } from '../../ui/as-loss.ts';
import { Address } from '../../ui/address.tsx';
import { Button, buttonClass } from '../../ui/button.tsx';
import { Chip } from '../../ui/chip.tsx';
import { Explained } from '../../ui/explained.tsx';
import { ShieldIcon } from '../../ui/page-icons.tsx';
import { Percent, Sol } from '../../ui/numbers.tsx';
import { RelativeTime } from '../../ui/relative-time-text.tsx';
import { Stat } from '../../ui/stat.tsx';
import { useTheme } from '../../ui/theme.ts';
import { UserAvatar } from '../../ui/user-avatar.tsx';
import type { StrategyDetail } from './strategy-detail.ts';

export type DetailAction = 'follow' | 'cancel' | 'rebalance' | 'trade' | 'end' | 'share';

/** Who, what, the figures, and what the reader can do about it. */
export function SummaryCard({
  strategy,
  onAction,
}: {
  strategy: StrategyDetail;
  onAction: (action: DetailAction) => void;
}) {
  const t = useT();
  const { status } = strategy;
  return (
    <section className="card flex flex-col gap-5 p-4 sm:p-5">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-4">
        <div className="flex min-w-0 flex-1 items-start gap-3.5 max-sm:basis-full">
          <UserAvatar src={strategy.creator.avatar} name={strategy.creator.name} size={44} />
          <div className="min-w-0">
            <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
              <h1 className="break-words">
                <bdi>{strategy.name}</bdi>
              </h1>
              <StateChip strategy={strategy} />
            </div>
            <p className="mt-1 text-muted">
              <CreatorLink name={strategy.creator.name} />
              {' · '}
              {t('strategy.published')} <RelativeTime timeMs={strategy.publishTime} />
              {' · '}
              <RunningTime
                duration={strategy.duration}
                endTime={strategy.endTime}
                running={status === 'running'}
                always
              />
            </p>
            <TierBadge strategy={strategy} className="mt-1.5" />
          </div>
        </div>
        <Actions strategy={strategy} onAction={onAction} />
      </div>
      {strategy.description !== '' && (
        <p className="max-w-[75ch] text-muted [overflow-wrap:anywhere] whitespace-pre-line">
          <bdi>{strategy.description}</bdi>
        </p>
      )}
      {strategy.followsWallet !== null && (
        <p className="flex flex-wrap items-center gap-2 rounded-m bg-hover px-3 py-2 text-sm text-muted">
          {t('strategy.followsWallet')} <Address address={strategy.followsWallet} />
        </p>
      )}
      {status !== 'running' && (
        <p className="rounded-m bg-hover px-3 py-2 text-sm text-muted" role="status">
          {t(
            status === 'publishing'
              ? 'strategy.publishing'
              : status === 'ending'
                ? 'strategy.ending'
                : 'strategy.endedNote',
          )}
        </p>
      )}
      <Figures strategy={strategy} />
    </section>
  );
}

function Figures({ strategy }: { strategy: StrategyDetail }) {
  const t = useT();
  return (
    <div
      className="grid gap-x-6 gap-y-4 [grid-template-columns:repeat(auto-fill,minmax(128px,1fr))]"
      role="group"
      aria-label={t('strategy.figures')}
    >
      <Stat label={t('strategy.stats.yieldRate')}>
        <Percent value={strategy.yieldRate} className="text-xl" />
      </Stat>
      <Stat label={t('strategy.stats.followerReturn')}>
        <FollowerReturn strategy={strategy} />
      </Stat>
      <Stat label={t('strategy.stats.maxDrawdown')}>
        <Percent value={asLoss(strategy.maxDrawdown)} className="text-xl" />
      </Stat>
      <Stat label={<Explained label={t('strategy.stats.winRate')} text={t('strategy.stats.winRateHint')} />}>
        <span className="text-xl">
          <WinRate strategy={strategy} />
        </span>
      </Stat>
      <Stat label={t('strategy.stats.followers')}>
        <span className="text-xl">{strategy.followers}</span>
      </Stat>
      <Stat label={t('strategy.stats.copiedFunds')}>
        <Sol value={strategy.copyTradeFunds} className="text-xl" />
      </Stat>
      <Stat label={t('strategy.stats.capital')}>
        <Sol value={strategy.capitalAmount} className="text-xl" />
      </Stat>
      <Stat label={t(strategy.status === 'ended' ? 'strategy.stats.finalEquity' : 'strategy.stats.equity')}>
        <Sol value={strategy.equity} className="text-xl" />
      </Stat>
      {strategy.capacity !== null && (
        <Stat label={<Explained label={t('strategy.stats.capacity')} text={t('strategy.stats.capacityHint')} />}>
          <span className="text-xl">
            ≈ <Sol value={strategy.capacity} />
          </span>
        </Stat>
      )}
      <Stat label={t('strategies.card.age')}>
        <span className="text-xl">
          <Age strategy={strategy} />
        </span>
      </Stat>
      <Stat label={t('strategy.stats.duration')}>
        <RunningTime
          duration={strategy.duration}
          endTime={strategy.endTime}
          running={false}
          className={strategy.duration === null ? '' : 'text-xl'}
        />
      </Stat>
      <Stat label={<Explained label={t('strategy.stats.autoClear')} text={t('strategy.stats.autoClearHint')} />}>
        <Chip tone={strategy.autoClear ? 'accent' : 'plain'} className="mt-0.5">
          {t(strategy.autoClear ? 'strategy.stats.on' : 'strategy.stats.off')}
        </Chip>
      </Stat>
    </div>
  );
}

function FollowerReturn({ strategy }: { strategy: StrategyDetail }) {
  if (strategy.followerReturn === null) return <NoFollowerReturn strategy={strategy} />;
  return (
    <>
      <Percent value={strategy.followerReturn} className="text-xl" />{' '}
      {/* Longer than a column together with the rate. */}
      <span className="block">
        <FollowerSample strategy={strategy} />
      </span>
    </>
  );
}

function Actions({ strategy, onAction }: { strategy: StrategyDetail; onAction: (action: DetailAction) => void }) {
  const { t, language } = useI18n();
  const theme = useTheme();
  const running = strategy.status === 'running';
  return (
    <div className="flex flex-wrap items-center gap-2 max-sm:w-full max-sm:*:flex-1">
      {/* A document of its own, under its own policy: it cannot know language and theme from elsewhere. */}
      <a
        className={buttonClass('ghost')}
        href={`/verify?${new URLSearchParams({ strategy: strategy.slug, lng: language, theme }).toString()}`}
      >
        <ShieldIcon size={15} />
        {t('strategy.actions.verify')}
      </a>
      <Button tone="ghost" onClick={() => onAction('share')}>
        {t('strategy.actions.share')}
      </Button>
      {strategy.mine && strategy.status !== 'ended' && (
        <>
          <Button tone="ghost" disabled={!running} onClick={() => onAction('end')}>
            {t('strategy.actions.end')}
          </Button>
          <Button tone="ghost" disabled={!running} onClick={() => onAction('rebalance')}>
            {t('strategy.actions.rebalance')}
          </Button>
          <Button disabled={!running} onClick={() => onAction('trade')}>
            {t('strategy.actions.trade')}
          </Button>
        </>
      )}
      {/* Whoever follows finds the way out in the card of the own follow. */}
      {!strategy.mine && !strategy.myFollow && strategy.status !== 'ended' && (
        <Button disabled={!running && strategy.status !== 'publishing'} onClick={() => onAction('follow')}>
          {t('strategy.actions.follow')}
        </Button>
      )}
    </div>
  );
}
