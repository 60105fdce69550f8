import { CANDLE_INTERVALS } from '@hunter/domain/candle-interval';
import type { CandleInterval } from '@hunter/domain/candle-interval';
import { lazy, Suspense, useCallback, useMemo, useRef, useState } from 'react';
import type { RefObject } from 'react';
import {
  drawingTools,
  mainIndicators,
  paneIndicators,
  readIndicators,
  writeIndicators,
} from '../../chart/chart-choices.ts';
import type { IndicatorName } from '../../chart/chart-choices.ts';
import type { ChartHandle } from '../../chart/candle-chart.tsx';
import type { OwnTrade } from '../../chart/own-trades.ts';
import { useApiQuery } from '../../data/use-api-query.ts';
import { useT } from '../../i18n/i18n.ts';
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
  const t = useT();
  const [indicators, setIndicators] = useState(() => readIndicators(localStorage));
  const [marks, setMarks] = useState(() => localStorage.getItem(MARKS_KEY) !== 'off');
  const handle = useRef<ChartHandle | null>(null);
  const onReady = useCallback((ready: ChartHandle | null) => {
    handle.current = ready;
  }, []);
  const ownTrades = useOwnTrades(address, marks);

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
          <IndicatorMenu indicators={indicators} onToggle={toggle} />
          <DrawMenu handle={handle} />
          <MarksButton
            marks={marks}
            onMarks={(shown) => {
              setMarks(shown);
              localStorage.setItem(MARKS_KEY, shown ? 'on' : 'off');
            }}
          />
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

/** The user's trades as marks on the chart; none while they are switched off. */
function useOwnTrades(address: string, marks: boolean): readonly OwnTrade[] {
  const t = useT();
  const mine = useApiQuery(
    'getTokenTransactionData',
    { tokenContractAddress: address, type: 'mine', limit: 200 },
    { quiet: true },
  );
  const trades = mine.data?.lists;
  return useMemo(
    () =>
      marks && trades
        ? trades.map(({ id, time, side, price }) => ({
            id,
            time,
            side,
            price: Number(price),
            text: t(side === 'buy' ? 'token.chart.buyMark' : 'token.chart.sellMark'),
          }))
        : [],
    [marks, trades, t],
  );
}

type IndicatorMenuProps = { indicators: readonly IndicatorName[]; onToggle: (name: IndicatorName) => void };

function IndicatorMenu({ indicators, onToggle }: IndicatorMenuProps) {
  const t = useT();
  return (
    <Menu
      label={t('token.chart.indicators')}
      triggerClassName={menuButton}
      trigger={<MenuName name={t('token.chart.indicators')} />}
      items={[...mainIndicators, ...paneIndicators].map((name) => ({
        key: name,
        label: (
          <>
            {name} <span className="font-normal text-faint">{t(`token.chart.names.${name}`)}</span>
          </>
        ),
        selected: indicators.includes(name),
        onSelect: () => onToggle(name),
      }))}
    />
  );
}

function DrawMenu({ handle }: { handle: RefObject<ChartHandle | null> }) {
  const t = useT();
  return (
    <Menu
      label={t('token.chart.draw')}
      triggerClassName={menuButton}
      trigger={<MenuName name={t('token.chart.draw')} />}
      items={[
        ...drawingTools.map((tool) => ({
          key: tool as string,
          label: t(`token.chart.tools.${tool}`),
          onSelect: () => handle.current?.draw(tool),
        })),
        { key: 'clear', label: t('token.chart.clearDrawings'), onSelect: () => handle.current?.clearDrawings() },
      ]}
    />
  );
}

function MenuName({ name }: { name: string }) {
  return (
    <>
      {name}
      <ChevronDownIcon size={13} />
    </>
  );
}

function MarksButton({ marks, onMarks }: { marks: boolean; onMarks: (marks: boolean) => void }) {
  const t = useT();
  return (
    <button
      type="button"
      aria-pressed={marks}
      className={`${menuButton} aria-pressed:text-text max-[420px]:hidden`}
      onClick={() => onMarks(!marks)}
    >
      <span className={`size-1.5 rounded-full ${marks ? 'bg-accent-text' : 'bg-line-strong'}`} aria-hidden="true" />
      {t('token.chart.myTrades')}
    </button>
  );
}
