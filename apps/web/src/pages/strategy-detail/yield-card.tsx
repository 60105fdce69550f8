import { formatPercent } from '@hunter/domain/format/format-percent';
import { roundParts, roundPercent } from '@hunter/domain/format/round-parts';
import { subtractDecimals } from '@hunter/domain/numbers/decimal';
import { useMemo, useState } from 'react';
import { useApiQuery } from '../../data/use-api-query.ts';
import { YieldChart } from '../../features/yield-chart/yield-chart.tsx';
import { useT } from '../../i18n/i18n.ts';
import { classNames } from '../../ui/class-names.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { QueryError } from '../../ui/error-state.tsx';
import { Explain } from '../../ui/explain.tsx';
import { CHART_HEIGHT } from '../../ui/line-chart.tsx';
import type { LinePoint } from '../../ui/line-scale.ts';
import { opposite } from '../../ui/as-loss.ts';
import { Percent } from '../../ui/numbers.tsx';
import { SegmentedControl } from '../../ui/segmented-control.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { toneClass, toneOf } from '../../ui/tone.ts';
import type { StrategyDetail } from './strategy-detail.ts';

const ranges = ['24h', '7d', '30d', 'all'] as const;
type Range = (typeof ranges)[number];
const gapParts = ['price', 'fees', 'skipped', 'timing'] as const;
const REFRESH_MS = 20_000;

export function YieldCard({ strategy }: { strategy: StrategyDetail }) {
  const t = useT();
  const [range, setRange] = useState<Range>('all');
  const query = useApiQuery(
    'getStrategyYield',
    { slug: strategy.slug, range },
    { refetchIntervalMs: REFRESH_MS, keepPrevious: true },
  );
  const own = useMemo(() => withPresent((query.data?.lists ?? []).map(toPoint), strategy), [query.data, strategy]);
  const tone = toneOf(strategy.yieldRate);
  const followers = useMemo(() => (query.data?.followers ?? []).map(toPoint), [query.data]);
  return (
    <section className="card p-4 sm:p-5">
      <div className="mb-3 flex flex-wrap items-center justify-between gap-3">
        <h2>{t('strategy.chart.title')}</h2>
        <SegmentedControl
          label={t('strategy.chart.range')}
          value={range}
          onChange={setRange}
          options={ranges.map((key) => ({ key, label: t(`strategy.chart.ranges.${key}`) }))}
        />
      </div>
      {query.isPending ? (
        <Skeleton height={CHART_HEIGHT} />
      ) : query.isError && !query.data ? (
        <QueryError query={query} height={CHART_HEIGHT} title={t('strategy.chart.failed')} />
      ) : own.length < 2 ? (
        <EmptyState height={CHART_HEIGHT} text={t('strategy.chart.empty')} />
      ) : (
        // The curve of the range before, until that of the chosen one comes.
        <div className={classNames(query.isPlaceholderData && 'opacity-55')} aria-busy={query.isPlaceholderData}>
          <YieldChart strategy={own} followers={followers} />
        </div>
      )}
      <div className="mt-3 flex flex-wrap items-center gap-x-5 gap-y-1.5 text-sm text-muted">
        <span className="flex items-center gap-2">
          <span
            className={classNames('h-0.5 w-4 rounded-full bg-current', tone ? toneClass[tone] : 'text-muted')}
            aria-hidden="true"
          />
          {t('strategy.chart.strategy')} <Percent value={strategy.yieldRate} />
        </span>
        {strategy.followerReturn !== null && (
          <span className="flex items-center gap-2">
            <span className="w-4 border-t-2 border-dashed border-accent-text" aria-hidden="true" />
            {t('strategy.chart.follower')} <Percent value={strategy.followerReturn} />
          </span>
        )}
      </div>
      <Gap strategy={strategy} />
    </section>
  );
}

function toPoint(point: { t: number; yieldRate: string }): LinePoint {
  return { t: point.t, value: Number(point.yieldRate) };
}

/** The line ends at the figure that stands above it: a running strategy is valued now, the stored points are older. */
function withPresent(points: LinePoint[], { status, yieldRate }: StrategyDetail): LinePoint[] {
  const last = points.at(-1);
  if (!last || status !== 'running' || yieldRate === null) return points;
  return [...points, { t: Math.max(Date.now(), last.t + 1), value: Number(yieldRate) }];
}

/**
 * Where the difference between strategy and followers comes from, part by part. It is told as what followers missed, and adds up
 * with the two figures above it as they are shown.
 */
function Gap({ strategy }: { strategy: StrategyDetail }) {
  const t = useT();
  const { gap, followerReturn, yieldRate, status } = strategy;
  if (!gap || followerReturn === null || yieldRate === null) {
    return (
      <p className="mt-3 border-t border-line pt-3 text-sm text-faint">
        {t(status === 'ended' ? 'strategy.gap.noneEnded' : 'strategy.gap.none')}
      </p>
    );
  }
  const total = subtractDecimals(roundPercent(followerReturn), roundPercent(yieldRate));
  const shown = roundParts(
    gapParts.map((part) => opposite(gap[part])),
    total,
  );
  return (
    <div className="mt-3 border-t border-line pt-3" data-testid="gap">
      <h3 className="mb-2">{t('strategy.gap.title', { total: formatPercent(total) })}</h3>
      <div className="grid grid-cols-2 gap-2 sm:grid-cols-4">
        {gapParts.map((part, place) => (
          <Explain key={part} title={t(`strategy.gap.${part}`)} text={t(`strategy.gap.${part}Hint`)}>
            <button
              type="button"
              className="flex items-baseline justify-between gap-2 rounded-m bg-hover px-3 py-2 text-left text-sm text-muted hover:text-text"
            >
              {t(`strategy.gap.${part}`)}
              <Percent value={shown[place]} className="font-semibold" />
            </button>
          </Explain>
        ))}
      </div>
    </div>
  );
}
