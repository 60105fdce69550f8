// The candles of one token. The chart library draws on canvases and lives outside React: effects below tell it what
// changed. It is loaded lazily, because it weighs as much as the rest of the page.
import { dispose, init } from 'klinecharts';
import type { Chart, DataLoader, IndicatorCreate, Period } from 'klinecharts';
import { bucketStartMs } from '@hunter/domain/candle-interval';
import type { CandleInterval } from '@hunter/domain/candle-interval';
import { useEffect, useRef, useState } from 'react';
import type { RefObject } from 'react';
import { api } from '../data/api.ts';
import { liveClock } from '../live-clock.ts';
import { stream } from '../data/stream.ts';
import { useI18n } from '../i18n/i18n.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { ErrorState } from '../ui/error-state.tsx';
import { Ring } from '../ui/ring.tsx';
import { useTheme } from '../ui/theme.ts';
import { useMediaQuery } from '../ui/use-media-query.ts';
import { BARS_PER_PAGE, createCandleFeed } from './candle-feed.ts';
import type { CandleFeed, FeedPhase } from './candle-feed.ts';
import { drawnOverCandles } from './chart-choices.ts';
import type { DrawingTool, IndicatorName } from './chart-choices.ts';
import { chartStyles, chartTheme } from './chart-styles.ts';
import { OWN_TRADE, ownTradeOverlay, registerOwnTrades } from './own-trades.ts';
import type { OwnTrade } from './own-trades.ts';
import { foldZeros, pricePrecision } from './price-scale.ts';

const CANDLE_PANE = 'candle_pane';
const DRAWINGS = 'drawings';

const periods: Record<CandleInterval, Period> = {
  '1s': { type: 'second', span: 1 },
  '1m': { type: 'minute', span: 1 },
  '5m': { type: 'minute', span: 5 },
  '15m': { type: 'minute', span: 15 },
  '1h': { type: 'hour', span: 1 },
  '4h': { type: 'hour', span: 4 },
  '1d': { type: 'day', span: 1 },
};

export type ChartHandle = { draw: (tool: DrawingTool) => void; clearDrawings: () => void };

type CandleChartProps = {
  address: string;
  symbol: string;
  interval: CandleInterval;
  /** Decides how many decimals the scale shows; read once per token. */
  price: number;
  indicators: readonly IndicatorName[];
  ownTrades: readonly OwnTrade[];
  /** What the chart is, for those who cannot see it. */
  label: string;
  onReady: (handle: ChartHandle | null) => void;
};

export default function CandleChart(props: CandleChartProps) {
  const { address, symbol, interval, price, indicators, ownTrades, label, onReady } = props;
  const { language } = useI18n();
  const theme = useTheme();
  const narrow = useMediaQuery('(max-width: 639px)');
  const place = useRef<HTMLDivElement>(null);
  const chart = useChart(place, onReady);
  const [phase, setPhase] = useState<FeedPhase>({ phase: 'loading' });
  const [attempt, setAttempt] = useState(0);

  useEffect(() => {
    chart?.setStyles(chartStyles(chartTheme(), narrow));
  }, [chart, theme, narrow]);

  useEffect(() => {
    chart?.setLocale(language === 'zh' ? 'zh-CN' : 'en-US');
  }, [chart, language]);

  const precision = useRef({ address: '', value: 10 });
  useEffect(() => {
    if (!chart) return undefined;
    if (precision.current.address !== address) precision.current = { address, value: pricePrecision(price) };
    const feed = feedOf(address, interval, setPhase);
    chart.setSymbol({ ticker: symbol, pricePrecision: precision.current.value, volumePrecision: 0 });
    chart.setPeriod(periods[interval]);
    chart.setDataLoader(loaderOf(feed, chart));
    return () => feed.stop();
    // The price is read once per token on purpose, and the symbol is only a caption.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [chart, address, interval, attempt]);

  useEffect(() => {
    if (chart) showIndicators(chart, indicators, precision.current.value);
  }, [chart, indicators]);

  const ready = phase.phase === 'ready';
  useEffect(() => {
    if (!chart || !ready) return;
    const { up, down, upSolid, downSolid, onAccent, family } = chartTheme();
    const colours = theme === 'dark' ? { up: upSolid, down: downSolid } : { up, down };
    chart.removeOverlay({ groupId: OWN_TRADE });
    for (const trade of ownTrades) {
      const placed = { ...trade, time: bucketStartMs(trade.time, interval) };
      chart.createOverlay(ownTradeOverlay(placed, { ...colours, text: onAccent, family }) as never);
    }
  }, [chart, ready, ownTrades, interval, theme]);

  return (
    <div className="relative h-full w-full" data-testid="chart" data-phase={phase.phase}>
      <div ref={place} className="h-full w-full [contain:strict]" role="img" aria-label={label} />
      <PhaseNotice phase={phase} onRetry={() => setAttempt(attempt + 1)} />
    </div>
  );
}

/** The library's chart inside that element, while it is mounted. */
function useChart(place: RefObject<HTMLDivElement | null>, onReady: CandleChartProps['onReady']): Chart | null {
  const [chart, setChart] = useState<Chart | null>(null);
  useEffect(() => {
    const element = place.current;
    if (!element) return undefined;
    registerOwnTrades();
    const made = init(element, {
      decimalFold: { threshold: 3, format: foldZeros },
      // Its keys (arrows, plus, minus) work on the whole document, so they would answer while another part is used.
      hotkey: { enabled: false },
    });
    if (!made) return undefined;
    // A positive tabindex would put the chart before everything else on the page.
    const focusable = element.querySelector<HTMLElement>('[tabindex]');
    if (focusable) {
      focusable.tabIndex = -1;
      // A finger that moves up or down scrolls the page, not the chart.
      focusable.style.touchAction = 'pan-y';
    }
    made.setOffsetRightDistance(60);
    // oxlint-disable-next-line react/set-state-in-effect -- the chart is made by the effect, from an element that must exist.
    setChart(made);
    onReady({
      draw: (tool) => void made.createOverlay({ name: tool, groupId: DRAWINGS }),
      clearDrawings: () => void made.removeOverlay({ groupId: DRAWINGS }),
    });
    return () => {
      onReady(null);
      setChart(null);
      dispose(made);
    };
  }, [place, onReady]);
  return chart;
}

function feedOf(address: string, interval: CandleInterval, onPhase: (phase: FeedPhase) => void): CandleFeed {
  return createCandleFeed({
    load: async (before, signal) => {
      const request = { tokenContractAddress: address, interval, limit: BARS_PER_PAGE };
      const reply = await api.call('kline', before === null ? request : { ...request, before }, {
        signal,
        quiet: true,
      });
      return reply.lists;
    },
    subscribe: (onData, onGap) => stream.subscribe('candles', `${address}:${interval}`, { onData, onGap }),
    onPhase,
    atNextBeat: (run) => liveClock.atNext('chart', run),
  });
}

function loaderOf(feed: CandleFeed, chart: Chart): DataLoader {
  return {
    getBars: ({ type, timestamp, callback }) => {
      if (type === 'init') void feed.first((bars, more) => callback(bars, { forward: more, backward: false }));
      else if (type === 'forward' && timestamp !== null) {
        void feed.older(timestamp, (bars, more) => callback(bars, { forward: more, backward: false }));
      } else callback([], false);
    },
    subscribeBar: ({ callback }) =>
      feed.follow(
        (bar) => callback(bar),
        () => chart.resetData(),
      ),
    unsubscribeBar: () => feed.unfollow(),
  };
}

function showIndicators(chart: Chart, indicators: readonly IndicatorName[], precision: number): void {
  const present = chart.getIndicators();
  for (const { name, id } of present) {
    if (!indicators.includes(name as IndicatorName)) chart.removeIndicator({ id });
  }
  for (const name of indicators) {
    if (present.some((other) => other.name === name)) continue;
    const over = drawnOverCandles(name);
    const shown: IndicatorCreate = { name };
    if (over || name === 'MACD') shown.precision = precision;
    if (over) shown.paneId = CANDLE_PANE;
    // The averages of volume hide the bars more than they tell.
    if (name === 'VOL') shown.calcParams = [];
    chart.createIndicator(shown, over);
  }
}

function PhaseNotice({ phase, onRetry }: { phase: FeedPhase; onRetry: () => void }) {
  const { t } = useI18n();
  return (
    <>
      {phase.phase === 'loading' && (
        <span className="absolute top-3 right-20 text-faint">
          <Ring size={18} />
        </span>
      )}
      {phase.phase === 'failed' && (
        <div className="absolute inset-0 bg-surface">
          <ErrorState title={t('token.chart.failed')} error={phase.error} height="100%" onRetry={onRetry} />
        </div>
      )}
      {phase.phase === 'ready' && phase.bars === 0 && (
        <div className="absolute inset-0 bg-surface">
          <EmptyState text={t('token.chart.empty')} height="100%" />
        </div>
      )}
    </>
  );
}
