// The candles of one token. The chart library draws on canvases and lives outside React: effects below tell it what
// changed. It is loaded lazily, because it weighs as much as the rest of the page.
import { dispose, init, registerYAxis } from 'klinecharts';
import type {
  AxisCreateRangeParams,
  AxisRange,
  AxisTemplate,
  Chart,
  DataLoader,
  IndicatorCreate,
  Period,
} from 'klinecharts';
import { intervalMs } from '@hunter/domain/market/candle-interval';
import type { CandleInterval } from '@hunter/domain/market/candle-interval';
import { useEffect, useRef, useState } from 'react';
import type { RefObject } from 'react';
import { api } from '../data/api.ts';
import { stream } from '../data/stream.ts';
import { useI18n } from '../i18n/i18n.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { ErrorState } from '../ui/error-state.tsx';
import { useTheme } from '../ui/theme.ts';
import { useMediaQuery } from '../ui/use-media-query.ts';
import { useOnScreen } from '../ui/use-on-screen.ts';
import { BARS_PER_PAGE, CandleFeed } from './candle-feed.ts';
import type { CandleFeedDeps, FeedPhase } from './candle-feed.ts';
import { drawnOverCandles } from './chart-choices.ts';
import type { Drawing, IndicatorName } from './chart-choices.ts';
import type { Bar, ChartScale } from './chart-scale.ts';
import { ChartSkeleton } from './chart-skeleton.tsx';
import { chartStyles, chartTheme } from './chart-styles.ts';
import { createDrawingBoard } from './drawings.ts';
import type { DrawingBoard } from './drawings.ts';
import { groupTrades } from './group-trades.ts';
import type { OwnTrade } from './group-trades.ts';
import { CANDLE_PANE, isOnDraggable, rangeWithLines, registerLevelLines, showLevelLines } from './level-lines.ts';
import type { LevelLine } from './level-lines.ts';
import { OWN_TRADE, ownTradeOverlay, registerOwnTrades } from './own-trades.ts';
import { axisFormat, paneRange, pricePrecision } from './price-scale.ts';
import { createSeenBeats } from './seen-beats.ts';

/** Pixels from bar to bar; the few of a young token stand further apart. */
const USUAL_BAR = 10;
const WIDE_BAR = 18;
const FEW_BARS = 30;

const periods: Record<CandleInterval, Period> = {
  '1s': { type: 'second', span: 1 },
  '1m': { type: 'minute', span: 1 },
  '5m': { type: 'minute', span: 5 },
  '15m': { type: 'minute', span: 15 },
  '1h': { type: 'hour', span: 1 },
  '4h': { type: 'hour', span: 4 },
  '1d': { type: 'day', span: 1 },
};

type CandleChartProps = {
  address: string;
  symbol: string;
  interval: CandleInterval;
  scale: ChartScale;
  isLog: boolean;
  /** On the chart's scale. Decides the number format of the axis; read when the token or the scale changes. */
  price: number;
  indicators: readonly IndicatorName[];
  /** Read when the token, the scale or their revision changes; from then on the chart tells what becomes of them. */
  drawings: readonly Drawing[];
  drawingsRevision: string;
  onDrawings: (drawings: readonly Drawing[], unit: ChartScale['unit']) => void;
  ownTrades: readonly OwnTrade[];
  lines: readonly LevelLine[];
  /** The line stays where it was dropped until other lines are given. */
  onLineMoved: (id: string, value: number) => void;
  /** What the chart is, for those who cannot see it. */
  label: string;
  onReady: (board: DrawingBoard | null) => void;
};

export default function CandleChart(props: CandleChartProps) {
  const { address, symbol, interval, scale, isLog, price, indicators, label } = props;
  const { language } = useI18n();
  const theme = useTheme();
  const narrow = useMediaQuery('(max-width: 639px)');
  const place = useRef<HTMLDivElement>(null);
  const [beats] = useState(createSeenBeats);
  const { ref: seenRef, isOnScreen } = useOnScreen();
  useEffect(() => beats.setSeen(isOnScreen), [beats, isOnScreen]);
  const latest = useRef(props);
  useEffect(() => {
    latest.current = props;
  });
  const made = useChart(place, latest);
  const chart = made?.chart;
  const [phase, setPhase] = useState<FeedPhase>({ phase: 'loading' });
  const [attempt, setAttempt] = useState(0);

  useEffect(() => {
    chart?.setStyles(chartStyles(chartTheme(), narrow));
  }, [chart, theme, narrow]);

  useEffect(() => {
    chart?.setLocale(language === 'zh' ? 'zh-CN' : 'en-US');
  }, [chart, language]);

  useEffect(() => {
    chart?.overrideYAxis({
      paneId: CANDLE_PANE,
      name: isLog ? LOG_AXIS : 'normal',
      createRange: isLog ? logRange : plainRange,
      gap: { bottom: ROOM_BELOW },
    });
  }, [chart, isLog]);

  // The number format stays while the price moves, or the axis would jump.
  const format = useRef({ precision: 10, text: String as (value: string | number) => string });
  useEffect(() => {
    if (!chart) return undefined;
    format.current = { precision: pricePrecision(price), text: axisFormat(price) };
    chart.setDecimalFold({ threshold: 3, format: format.current.text });
    const feed = feedOf(address, interval, scale, setPhase, beats.atNext);
    chart.setSymbol({ ticker: symbol, pricePrecision: format.current.precision, volumePrecision: 0 });
    chart.setPeriod(periods[interval]);
    chart.setDataLoader(loaderOf(feed, chart));
    return () => feed.stop();
    // The price is read once per token and scale on purpose, and the symbol is only a caption.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [chart, address, interval, scale, attempt]);

  useEffect(() => {
    if (chart) showIndicators(chart, indicators, format.current.precision);
  }, [chart, indicators, scale]);

  const isReady = phase.phase === 'ready';
  useEffect(() => {
    if (made && isReady) made.board.show(latest.current.drawings, scale);
  }, [made, isReady, address, scale, props.drawingsRevision]);
  useOwnTrades(isReady ? chart : undefined, props);
  useLevelLines(isReady ? chart : undefined, props, format);

  return (
    <div ref={seenRef} className="relative h-full w-full" data-testid="chart" data-phase={phase.phase}>
      <div ref={place} className="h-full w-full [contain:strict]" role="img" aria-label={label} />
      <PhaseNotice phase={phase} onRetry={() => setAttempt(attempt + 1)} />
    </div>
  );
}

type MadeChart = { chart: Chart; board: DrawingBoard };

/** The library's chart inside that element, while it is mounted. */
function useChart(place: RefObject<HTMLDivElement | null>, props: RefObject<CandleChartProps>): MadeChart | null {
  const [made, setMade] = useState<MadeChart | null>(null);
  useEffect(() => {
    const element = place.current;
    if (!element) return undefined;
    registerOwnTrades();
    registerLevelLines();
    registerYAxis(logAxis);
    const chart = init(element, {
      // Its keys (arrows, plus, minus) work on the whole document, so they would answer while another part is used.
      hotkey: { enabled: false },
      layout: { barSpaceLimit: { min: 1, max: 24 } },
    });
    if (!chart) return undefined;
    // A positive tabindex would put the chart before everything else on the page.
    const focusable = element.querySelector<HTMLElement>('[tabindex]');
    if (focusable) {
      focusable.tabIndex = -1;
      // A finger that moves up or down scrolls the page, not the chart.
      focusable.style.touchAction = 'pan-y';
      // One that starts on a line which can be dragged moves the line instead.
      focusable.addEventListener(
        'touchstart',
        (event) => {
          const y = (event.touches[0]?.clientY ?? 0) - element.getBoundingClientRect().top;
          if (event.touches.length === 1 && isOnDraggable(chart, y)) event.preventDefault();
        },
        { passive: false, capture: true },
      );
    }
    chart.setOffsetRightDistance(60);
    const board = createDrawingBoard(chart, (drawings, unit) => props.current.onDrawings(drawings, unit));
    // oxlint-disable-next-line react/set-state-in-effect -- the chart is made by the effect, from an element that must exist.
    setMade({ chart, board });
    props.current.onReady(board);
    return () => {
      // oxlint-disable-next-line react/exhaustive-deps -- whoever is there when the chart goes is told.
      props.current.onReady(null);
      setMade(null);
      dispose(chart);
    };
  }, [place, props]);
  return made;
}

function useOwnTrades(chart: Chart | undefined, { ownTrades, interval, scale }: CandleChartProps): void {
  const { t } = useI18n();
  const theme = useTheme();
  useEffect(() => {
    if (!chart) return;
    const { up, down, upSolid, downSolid, onAccent, family } = chartTheme();
    const colours = theme === 'dark' ? { up: upSolid, down: downSolid } : { up, down };
    const letters = { buy: t('token.chart.buyMark'), sell: t('token.chart.sellMark') };
    chart.removeOverlay({ groupId: OWN_TRADE });
    for (const mark of groupTrades(ownTrades, interval, scale)) {
      chart.createOverlay(ownTradeOverlay(mark, letters, { ...colours, text: onAccent, family }) as never);
    }
  }, [chart, ownTrades, interval, scale, theme, t]);
}

function useLevelLines(
  chart: Chart | undefined,
  { lines, onLineMoved }: CandleChartProps,
  format: RefObject<{ precision: number; text: (value: string | number) => string }>,
): void {
  const theme = useTheme();
  const isDragging = useRef(false);
  const moved = useRef(onLineMoved);
  useEffect(() => {
    moved.current = onLineMoved;
  });
  useEffect(() => {
    // A line that is held must not be replaced under the pointer; the next change of the lines comes after it.
    if (!chart || isDragging.current) return;
    const { up, down, upSolid, downSolid, accent, accentText, onAccent, surface, family } = chartTheme();
    const sides = theme === 'dark' ? { up: upSolid, down: downSolid } : { up, down };
    const axisText = (value: number) => format.current.text(value.toFixed(format.current.precision));
    const texts = { up, down, accent: accentText };
    const colours = { ...sides, accent, onLine: onAccent, surface, texts, family, axisText };
    showLevelLines(chart, lines, colours, {
      onStart: () => {
        isDragging.current = true;
      },
      onEnd: (id, value) => {
        isDragging.current = false;
        moved.current(id, value);
      },
    });
    // The range of the pane follows the lines.
    chart.resize();
  }, [chart, lines, theme, format]);
}

function feedOf(
  address: string,
  interval: CandleInterval,
  scale: ChartScale,
  onPhase: (phase: FeedPhase) => void,
  atNextBeat: CandleFeedDeps['atNextBeat'],
): CandleFeed {
  return new CandleFeed({
    scale,
    stepMs: intervalMs(interval),
    nowMs: () => Date.now(),
    setTimer: (run, delayMs) => {
      const timer = setTimeout(run, delayMs);
      return () => clearTimeout(timer);
    },
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
    atNextBeat,
  });
}

function loaderOf(feed: CandleFeed, chart: Chart): DataLoader {
  return {
    getBars: ({ type, timestamp, callback }) => {
      if (type === 'init') {
        void feed.first((bars, more) => {
          chart.setBarSpace(bars.length < FEW_BARS ? WIDE_BAR : USUAL_BAR);
          callback(bars, { forward: more, backward: false });
        });
      } else if (type === 'forward' && timestamp !== null) {
        void feed.older(timestamp, (bars, more) => callback(bars, { forward: more, backward: false }));
      } else callback([], false);
    },
    subscribeBar: ({ callback }) =>
      feed.follow(
        (bar) => callback(replacedOlder(chart, bar) ?? bar),
        () => chart.resetData(),
      ),
    unsubscribeBar: () => feed.unfollow(),
  };
}

/** The library takes the newest bar only. One before it goes into its list, and is drawn with the newest: that is returned. */
function replacedOlder(chart: Chart, bar: Bar): Bar | null {
  const bars = chart.getDataList() as Bar[];
  const last = bars.at(-1);
  if (!last || bar.timestamp >= last.timestamp) return null;
  const index = bars.findLastIndex(({ timestamp }) => timestamp <= bar.timestamp);
  if (bars[index]?.timestamp === bar.timestamp) bars[index] = bar;
  else if (index >= 0) bars.splice(index + 1, 0, bar);
  return last;
}

/** The library's own logarithmic axis takes the logarithm of a small price for a negative price. */
const LOG_AXIS = 'priceLog';
/** Pixels, less what scaling takes of them: the mark of the lowest price above a tag at the lower edge. */
const ROOM_BELOW = 42;
const logAxis: AxisTemplate = {
  name: LOG_AXIS,
  minSpan: () => 1e-9,
  valueToRealValue: Math.log10,
  displayValueToRealValue: Math.log10,
  realValueToDisplayValue: (value) => 10 ** value,
  realValueToValue: (value) => 10 ** value,
};

const plainRange = ({ chart, defaultRange }: AxisCreateRangeParams): AxisRange =>
  rangeOf(chart, defaultRange, (value) => value);
const logRange = ({ chart, defaultRange }: AxisCreateRangeParams): AxisRange =>
  rangeOf(chart, defaultRange, Math.log10);

function rangeOf(chart: Chart, { from, to }: AxisRange, real: (value: number) => number): AxisRange {
  const { low, high } = rangeWithLines(chart, paneRange(from, to, chart.getDataList().length));
  const [realFrom, realTo] = [real(low), real(high)];
  return {
    from: low,
    to: high,
    range: high - low,
    realFrom,
    realTo,
    realRange: realTo - realFrom,
    displayFrom: low,
    displayTo: high,
    displayRange: high - low,
  };
}

function showIndicators(chart: Chart, indicators: readonly IndicatorName[], precision: number): void {
  const present = chart.getIndicators();
  for (const { name, id } of present) {
    if (!indicators.includes(name as IndicatorName)) chart.removeIndicator({ id });
    else if (drawnOverCandles(name as IndicatorName) || name === 'MACD')
      chart.overrideIndicator({ id, name, precision });
  }
  for (const name of indicators) {
    if (present.some((other) => other.name === name)) continue;
    const over = drawnOverCandles(name);
    const shown: IndicatorCreate = { name };
    if (over || name === 'MACD') shown.precision = precision;
    if (over) shown.paneId = CANDLE_PANE;
    // The averages of volume hide the bars more than they tell, and so does a caption: the volume stands above the candles.
    if (name === 'VOL') {
      shown.calcParams = [];
      shown.createTooltipDataSource = () => ({ name: '', calcParamsText: '', features: [], legends: [] });
    }
    chart.createIndicator(shown, over);
  }
}

function PhaseNotice({ phase, onRetry }: { phase: FeedPhase; onRetry: () => void }) {
  const { t } = useI18n();
  return (
    <>
      {phase.phase === 'loading' && (
        <div className="absolute inset-0 bg-surface">
          <ChartSkeleton />
        </div>
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
