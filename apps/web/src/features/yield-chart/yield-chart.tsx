import { formatPercent } from '@hunter/domain/format/format-percent';
import { useI18n } from '../../i18n/i18n.ts';
import { LineChart } from '../../ui/line-chart.tsx';
import type { ChartRow } from '../../ui/line-chart.tsx';
import type { LinePoint } from '../../ui/line-scale.ts';
import { exactTime } from '../../ui/relative-time.ts';
import { toneOf } from '../../ui/tone.ts';

type YieldChartProps = {
  strategy: readonly LinePoint[];
  followers: readonly LinePoint[];
  /** Whose line stands beside the strategy's. */
  other?: 'follower' | 'simulated';
};

/** The yield of a strategy over time, and what the median follower, or a simulated one, got of it. */
export function YieldChart({ strategy, followers, other = 'follower' }: YieldChartProps) {
  const { t, language } = useI18n();
  return (
    <LineChart
      points={strategy}
      second={followers}
      label={t('strategy.chart.label')}
      tone={toneOf(strategy.at(-1)?.value)}
      axisText={(tick) => `${Number(tick) > 0 ? '+' : ''}${tick}%`}
      spoken={(point, follower) =>
        t(follower === null ? 'strategy.chart.point' : 'strategy.chart.pointBoth', {
          time: exactTime(point.t, language),
          strategy: formatPercent(point.value),
          other: t(`strategy.chart.${other}`),
          follower: formatPercent(follower),
        })
      }
      rows={(point, follower) => [
        percentRow(t('strategy.chart.strategy'), point.value),
        ...(follower === null ? [] : [percentRow(t(`strategy.chart.${other}`), follower)]),
      ]}
      testId="yield-chart"
    />
  );
}

/** What is shown as 0.00% is neither gain nor loss. */
function percentRow(label: string, value: number): ChartRow {
  const text = formatPercent(value);
  return { label, text, tone: text === '0.00%' ? null : toneOf(value) };
}
