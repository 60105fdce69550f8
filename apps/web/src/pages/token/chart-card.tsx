import { CANDLE_INTERVALS } from '@hunter/domain/candle-interval';
import type { CandleInterval } from '@hunter/domain/candle-interval';
import { lazy, Suspense, useCallback, useMemo, useRef, useState } from 'react';
import {
  drawingTools,
  mainIndicators,
  paneIndicators,
  readIndicators,
  writeIndicators,
} from '../../chart/chart-choices.ts';
import type { IndicatorName } from '../../chart/chart-choices.ts';
import type { ChartHandle } from '../../chart/candle-chart.tsx';
import { useApiQuery } from '../../data/use-api-query.ts';
import { useI18n } from '../../i18n/i18n.ts';
import { ChevronDownIcon } from '../../ui/icons.tsx';
import { Menu } from '../../ui/menu.tsx';
import { SegmentedControl } from '../../ui/segmented-control.tsx';
import { Spinner } from '../../ui/spinner.tsx';

const CandleChart = lazy(() => import('../../chart/candle-chart.tsx'));

const MARKS_KEY = 'chart.myTrades';
const intervals = CANDLE_INTERVALS.map((key) => ({ key, label: key }));
const menuButton =
  'flex h-8 items-center gap-1 rounded-lg px-2 text-sm font-medium whitespace-nowrap text-muted hover:bg-hover hover:text-text pointer-coarse:h-10';

/** The chart with its interval, indicators, drawing tools and the user's own trades. */
export function ChartCard({
  address,
  symbol,
  price,
  interval,
  onInterval,
}: {
  address: string;
  symbol: string | undefined;
  price: string | undefined;
  interval: CandleInterval;
  onInterval: (interval: CandleInterval) => void;
}) {
  const { t } = useI18n();
  const [indicators, setIndicators] = useState(() => readIndicators(localStorage));
  const [marks, setMarks] = useState(() => localStorage.getItem(MARKS_KEY) !== 'off');
  const handle = useRef<ChartHandle | null>(null);
  const onReady = useCallback((ready: ChartHandle | null) => {
    handle.current = ready;
  }, []);
  const mine = useApiQuery(
    'getTokenTransactionData',
    { tokenContractAddress: address, type: 'mine', limit: 200 },
    { quiet: true },
  );
  const trades = mine.data?.lists;
  const ownTrades = useMemo(
    () =>
      marks && trades
        ? trades.map(({ id, time, side, price: tradePrice }) => ({
            id,
            time,
            side,
            price: Number(tradePrice),
            text: t(side === 'buy' ? 'token.chart.buyMark' : 'token.chart.sellMark'),
          }))
        : [],
    [marks, trades, t],
  );

  function toggle(name: IndicatorName): void {
    const next = indicators.includes(name) ? indicators.filter((each) => each !== name) : [...indicators, name];
    setIndicators(next);
    writeIndicators(localStorage, next);
  }

  return (
    <section className="card flex flex-col">
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 border-b border-line px-3 py-2">
        <SegmentedControl
          label={t('token.chart.interval')}
          value={interval}
          onChange={onInterval}
          options={intervals}
        />
        <div className="flex items-center gap-0.5">
          <Menu
            label={t('token.chart.indicators')}
            triggerClassName={menuButton}
            trigger={
              <>
                {t('token.chart.indicators')}
                <ChevronDownIcon size={13} />
              </>
            }
            items={[...mainIndicators, ...paneIndicators].map((name) => ({
              key: name,
              label: (
                <>
                  {name} <span className="font-normal text-faint">{t(`token.chart.names.${name}`)}</span>
                </>
              ),
              selected: indicators.includes(name),
              onSelect: () => toggle(name),
            }))}
          />
          <Menu
            label={t('token.chart.draw')}
            triggerClassName={menuButton}
            trigger={
              <>
                {t('token.chart.draw')}
                <ChevronDownIcon size={13} />
              </>
            }
            items={[
              ...drawingTools.map((tool) => ({
                key: tool as string,
                label: t(`token.chart.tools.${tool}`),
                onSelect: () => handle.current?.draw(tool),
              })),
              {
                key: 'clear',
                label: t('token.chart.clearDrawings'),
                onSelect: () => handle.current?.clearDrawings(),
              },
            ]}
          />
          <button
            type="button"
            aria-pressed={marks}
            className={`${menuButton} aria-pressed:text-text max-[420px]:hidden`}
            onClick={() => {
              setMarks(!marks);
              localStorage.setItem(MARKS_KEY, marks ? 'off' : 'on');
            }}
          >
            <span
              className={`size-1.5 rounded-full ${marks ? 'bg-accent-text' : 'bg-line-strong'}`}
              aria-hidden="true"
            />
            {t('token.chart.myTrades')}
          </button>
        </div>
      </div>
      <div className="h-[340px] sm:h-[440px]">
        {price !== undefined && symbol !== undefined ? (
          <Suspense fallback={<Spinner height="100%" />}>
            <CandleChart
              address={address}
              symbol={symbol}
              interval={interval}
              price={Number(price)}
              indicators={indicators}
              ownTrades={ownTrades}
              label={t('token.chart.label', { symbol, interval })}
              onReady={onReady}
            />
          </Suspense>
        ) : (
          <Spinner height="100%" />
        )}
      </div>
    </section>
  );
}
