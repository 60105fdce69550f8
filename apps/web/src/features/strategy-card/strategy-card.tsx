import { Link } from '@tanstack/react-router';
import { useT } from '../../i18n/i18n.ts';
import { Chip } from '../../ui/chip.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Percent, Sol } from '../../ui/numbers.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Sparkline } from '../../ui/sparkline.tsx';
import type { Scale } from '../../ui/sparkline-path.ts';
import { Stat } from '../../ui/stat.tsx';
import { toneOf } from '../../ui/tone.ts';
import { UserAvatar } from '../../ui/user-avatar.tsx';
import { asLoss } from '../../ui/as-loss.ts';
import { CoinStack } from './coin-stack.tsx';
import { CreatorLink } from './creator-link.tsx';
import { FollowerSample, NoFollowerReturn } from './follower-sample.tsx';
import { Age, RunningTime } from './running-time.tsx';
import type { Strategy } from './strategy.ts';
import { StateChip } from './strategy-chips.tsx';
import { TierBadge } from './tier-badge.tsx';

const frame = 'card flex h-full flex-col gap-3.5 p-4';

/** A strategy at a glance. The whole card leads to its page; its rows have fixed heights, so cards of a row align. */
export function StrategyCard({ strategy, scale }: { strategy: Strategy; scale?: Scale }) {
  const t = useT();
  const tone = toneOf(strategy.yieldRate);
  return (
    <article
      className={`${frame} relative transition-colors hover:border-line-strong has-[a:focus-visible]:outline-2 has-[a:focus-visible]:outline-offset-2 has-[a:focus-visible]:outline-accent-text`}
      data-testid="strategy-card"
      data-slug={strategy.slug}
    >
      <CardHead strategy={strategy} />

      <div>
        <div className="flex h-[38px] items-end justify-between gap-3">
          <Percent value={strategy.yieldRate} className="block text-3xl leading-[1.15] font-bold tracking-[-0.5px]" />
          <Sparkline
            values={strategy.trend}
            width={124}
            height={38}
            className="min-w-0 shrink"
            {...(scale ? { scale } : {})}
            {...(tone ? { tone } : {})}
          />
        </div>
        <FollowerReturn strategy={strategy} />
      </div>

      {/* Above the link that covers the card. */}
      <div className="relative z-10 flex h-6 items-center">
        <TierBadge strategy={strategy} />
      </div>

      <div className="grid grid-cols-[1.1fr_1fr] gap-x-4 gap-y-2.5 border-t border-line pt-3">
        <Stat label={t('strategies.card.winRate')}>
          <WinRate strategy={strategy} />
        </Stat>
        <Stat label={t('strategies.card.followers')}>{strategy.followers}</Stat>
        <Stat label={t('strategies.card.maxDrawdown')}>
          <Percent value={asLoss(strategy.maxDrawdown)} />
        </Stat>
        <Stat label={t('strategies.card.age')}>
          <Age strategy={strategy} />
        </Stat>
        <Stat label={t('strategies.card.copiedFunds')}>
          <Sol value={strategy.copyTradeFunds} />
        </Stat>
        <Stat label={t('strategies.card.capital')}>
          <Sol value={strategy.capitalAmount} />
        </Stat>
      </div>

      <footer className="mt-auto flex h-6 items-center justify-between gap-2">
        <CoinStack coins={strategy.coins} />
        <Chip>{t(strategy.autoClear ? 'strategies.card.autoClearOn' : 'strategies.card.autoClearOff')}</Chip>
      </footer>
    </article>
  );
}

/** "71% of 34": a rate without its count says nothing. */
export function WinRate({
  strategy: { winRate, closedTrades, unsoldAtLoss },
}: {
  strategy: Pick<Strategy, 'winRate' | 'closedTrades' | 'unsoldAtLoss'>;
}) {
  const t = useT();
  return (
    <>
      {winRate === null ? (
        <span className="font-normal text-faint">{t('strategies.card.noTrades')}</span>
      ) : (
        <>
          {`${wholePercent(Number(winRate))}%`}{' '}
          <span className="text-sm font-normal text-faint">
            {t('strategies.card.ofTrades', { count: closedTrades })}
          </span>
        </>
      )}
      {/* Its line is there without them, so that cards of a row align. */}
      <span className="block min-h-4 text-xs leading-4 font-normal whitespace-nowrap text-faint">
        {unsoldAtLoss > 0 && ` ${t('strategies.card.unsoldAtLoss', { count: unsoldAtLoss })}`}
      </span>
    </>
  );
}

/** Rounded to all, or to none, only where it is that. */
function wholePercent(rate: number): number {
  return rate > 0 && rate < 100 ? Math.min(99, Math.max(1, Math.round(rate))) : rate;
}

/** The frame of a card before its figures are there, at the same size. */
export function StrategyCardSkeleton() {
  return (
    <div className={frame} aria-hidden="true">
      <div className="flex h-9 items-center gap-2.5">
        <Skeleton width={32} height={32} className="shrink-0 rounded-full!" />
        <div className="flex flex-1 flex-col gap-2">
          <Skeleton width="55%" height={13} />
          <Skeleton width="75%" height={10} />
        </div>
      </div>
      <div>
        <div className="flex h-[38px] items-end justify-between gap-3">
          <Skeleton width="45%" height={28} />
          <Skeleton width={124} height={38} />
        </div>
        <div className="mt-1 flex h-5 items-center">
          <Skeleton width="70%" height={11} />
        </div>
      </div>
      <div className="flex h-6 items-center">
        <Skeleton width="60%" height={16} />
      </div>
      <div className="grid grid-cols-[1.1fr_1fr] gap-x-4 gap-y-2.5 border-t border-line pt-3">
        {[0, 1, 2, 3, 4, 5].map((cell) => (
          <div key={cell} className={classNames('flex flex-col justify-center gap-2', cell < 2 ? 'h-14' : 'h-10')}>
            <Skeleton width="50%" height={9} />
            <Skeleton width="70%" height={13} />
          </div>
        ))}
      </div>
      <div className="flex h-6 items-center justify-between">
        <Skeleton width={96} height={20} />
        <Skeleton width={80} height={18} />
      </div>
    </div>
  );
}

function CardHead({ strategy }: { strategy: Strategy }) {
  return (
    <header className="flex h-9 items-center gap-2.5">
      <UserAvatar src={strategy.creator.avatar} name={strategy.creator.name} size={32} />
      <div className="min-w-0 flex-1">
        <div className="flex items-center justify-between gap-2.5">
          <h2 className="truncate text-md! leading-[1.35]">
            <Link
              to="/strategies/$slug"
              params={{ slug: strategy.slug }}
              className="outline-none after:absolute after:inset-0 after:rounded-l"
              title={strategy.name}
            >
              <bdi>{strategy.name}</bdi>
            </Link>
          </h2>
          <StateChip strategy={strategy} />
        </div>
        {/* A long name of a creator makes way for the time. */}
        <p className="flex text-sm whitespace-pre text-faint">
          <CreatorLink name={strategy.creator.name} className="relative z-10 min-w-0 truncate" />
          {' · '}
          <RunningTime
            duration={strategy.duration}
            endTime={strategy.endTime}
            running={strategy.status === 'running'}
            className="shrink-0"
          />
        </p>
      </div>
    </header>
  );
}

function FollowerReturn({ strategy }: { strategy: Strategy }) {
  const t = useT();
  return (
    <p className="mt-1 flex h-5 items-center gap-1 text-sm whitespace-nowrap text-muted">
      {strategy.followerReturn === null ? (
        <NoFollowerReturn strategy={strategy} />
      ) : (
        <>
          <span className="truncate" title={t('strategies.card.followersGotHint')}>
            {t('strategies.card.followersGot')}
          </span>{' '}
          <Percent value={strategy.followerReturn} className="shrink-0 font-semibold" />{' '}
          <FollowerSample strategy={strategy} />
        </>
      )}
    </p>
  );
}
