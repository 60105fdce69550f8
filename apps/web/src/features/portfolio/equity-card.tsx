import type { CallReply } from '@hunter/contract/calls';
import { groupThousands } from '@hunter/domain/format/group-thousands';
import { formatSol, formatSolChange } from '@hunter/domain/format/format-sol';
import { useMemo, useState } from 'react';
import { useApiQuery } from '../../data/use-api-query.ts';
import { useI18n, useT } from '../../i18n/i18n.ts';
import { classNames } from '../../ui/class-names.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { QueryError } from '../../ui/error-state.tsx';
import { Explain } from '../../ui/explain.tsx';
import { InfoIcon } from '../../ui/icons.tsx';
import { LineChart } from '../../ui/line-chart.tsx';
import { Percent, Sol } from '../../ui/numbers.tsx';
import { exactTime } from '../../ui/relative-time.ts';
import { SegmentedControl } from '../../ui/segmented-control.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { toneOf } from '../../ui/tone.ts';

const ranges = ['24h', '7d', '30d', 'all'] as const;
type Range = (typeof ranges)[number];
const REFRESH_MS = 60_000;
/** Low enough for the tabs below to be seen without scrolling. */
const HEIGHT = 208;

/** What the account was worth, and what it earned meanwhile: deposits and withdrawals are no earnings. */
export function EquityCard() {
  const { t, language } = useI18n();
  const [range, setRange] = useState<Range>('7d');
  const query = useApiQuery('getMyEquity', { range }, { refetchIntervalMs: REFRESH_MS, keepPrevious: true });
  const { data } = query;
  const points = useMemo(
    () => (data?.points ?? []).map(({ t: at, equity, profit }) => ({ t: at, value: Number(equity), equity, profit })),
    [data],
  );
  const byTime = useMemo(() => new Map(points.map((point) => [point.t, point])), [points]);
  return (
    <section className="card flex min-w-0 flex-col p-4 sm:p-5" aria-label={t('account.portfolio.equity')}>
      <div className="mb-3 flex flex-wrap items-center justify-between gap-3">
        <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
          <h2>{t('account.portfolio.equity')}</h2>
          {data && data.profit !== null && <Change {...data} />}
        </div>
        <SegmentedControl
          label={t('account.portfolio.range')}
          value={range}
          onChange={setRange}
          options={ranges.map((key) => ({ key, label: t(`account.portfolio.ranges.${key}`) }))}
        />
      </div>
      {query.isPending ? (
        <Skeleton height={HEIGHT} />
      ) : query.isError && !data ? (
        <QueryError query={query} height={HEIGHT} title={t('account.portfolio.equityFailed')} />
      ) : points.length < 2 ? (
        <EmptyState height={HEIGHT} text={t('account.portfolio.equityEmpty')} />
      ) : (
        <div className={classNames(query.isPlaceholderData && 'opacity-55')} aria-busy={query.isPlaceholderData}>
          <LineChart
            points={points}
            height={HEIGHT}
            zero={false}
            label={t('account.portfolio.equityLabel')}
            tone={toneOf(data?.profit)}
            axisText={groupThousands}
            spoken={({ t: at, value }) =>
              t('account.portfolio.point', {
                time: exactTime(at, language),
                equity: formatSol(byTime.get(at)?.equity ?? value),
                profit: formatSolChange(byTime.get(at)?.profit ?? null),
              })
            }
            rows={({ t: at, value }) => {
              const { equity, profit } = byTime.get(at) ?? { equity: value, profit: null };
              return [
                { label: t('account.portfolio.equity'), text: formatSol(equity), tone: null },
                { label: t('account.portfolio.totalPnl'), text: formatSolChange(profit), tone: toneOf(profit) },
              ];
            }}
            testId="equity-chart"
          />
        </div>
      )}
    </section>
  );
}

function Change({ profit, profitRate }: Pick<CallReply<'getMyEquity'>, 'profit' | 'profitRate'>) {
  const t = useT();
  return (
    <span className="flex items-center gap-2 text-sm" data-testid="equity-change">
      <Sol value={profit} tone className="font-semibold" />
      <Percent value={profitRate} />
      <Explain title={t('account.portfolio.inRange')} text={t('account.portfolio.inRangeHint')}>
        <button
          type="button"
          aria-label={t('account.portfolio.inRange')}
          className="-my-1 -ml-1 grid size-[24px] place-items-center rounded-full text-faint hover:text-text pointer-coarse:size-9"
        >
          <InfoIcon size={14} />
        </button>
      </Explain>
    </span>
  );
}
