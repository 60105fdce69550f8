// What the chart's menus offer, and what of it is remembered in this browser. No chart library in here, so that the menus
// show before it is loaded.
import { isCandleInterval } from '@hunter/domain/market/candle-interval';
import type { CandleInterval } from '@hunter/domain/market/candle-interval';

export const mainIndicators = ['MA', 'EMA', 'BOLL', 'SAR'] as const;
export const paneIndicators = ['VOL', 'MACD', 'RSI', 'KDJ', 'OBV'] as const;
export type IndicatorName = (typeof mainIndicators)[number] | (typeof paneIndicators)[number];

export function drawnOverCandles(name: IndicatorName): boolean {
  return (mainIndicators as readonly string[]).includes(name);
}

export const drawingTools = [
  'segment',
  'straightLine',
  'rayLine',
  'horizontalStraightLine',
  'verticalStraightLine',
  'priceLine',
  'parallelStraightLine',
  'fibonacciLine',
] as const;
export type DrawingTool = (typeof drawingTools)[number];

/** Values are prices of one token in that unit, so that a drawing fits the market cap too. */
export type Drawing = {
  tool: DrawingTool;
  unit: 'usd' | 'sol';
  points: readonly { timestamp?: number; value?: number }[];
};

/** How the chart shows any token; the same for all of them. */
export type ChartView = {
  interval: CandleInterval;
  unit: 'usd' | 'sol';
  value: 'price' | 'cap';
  log: boolean;
  marks: boolean;
};

type TextStorage = Pick<Storage, 'getItem' | 'setItem'>;
type TokenChart = { indicators: readonly IndicatorName[]; drawings: readonly Drawing[] };

const VIEW_KEY = 'chart.view';
const DEFAULT_VIEW: ChartView = { interval: '15m', unit: 'usd', value: 'price', log: false, marks: true };
const DEFAULT_INDICATORS: readonly IndicatorName[] = ['VOL'];
/** The oldest are forgotten: storage is small, and few people draw on more. */
const TOKENS_KEPT = 100;
const known: readonly string[] = [...mainIndicators, ...paneIndicators];

export function readView(storage: TextStorage): ChartView {
  const { interval, unit, value, log, marks } = read(storage, VIEW_KEY);
  return {
    interval: typeof interval === 'string' && isCandleInterval(interval) ? interval : DEFAULT_VIEW.interval,
    unit: unit === 'sol' ? 'sol' : 'usd',
    value: value === 'cap' ? 'cap' : 'price',
    log: log === true,
    marks: marks !== false,
  };
}

export function writeView(storage: TextStorage, view: ChartView): void {
  write(storage, VIEW_KEY, view);
}

/** Indicators and drawings of one account on one token. A token that has none of its own shows the indicators last chosen. */
export function readTokenChart(storage: TextStorage, account: string, token: string): TokenChart {
  const { tokens, indicators } = read(storage, keyOf(account));
  return tokenChartOf(recordOf(tokens)[token], readIndicators(indicators) ?? DEFAULT_INDICATORS);
}

/** As another device of the account saved it; null where it is no chart. */
export function parseTokenChart(text: string): TokenChart | null {
  try {
    return tokenChartOf(JSON.parse(text), DEFAULT_INDICATORS);
  } catch {
    return null;
  }
}

function tokenChartOf(stored: unknown, indicators: readonly IndicatorName[]): TokenChart {
  const own = recordOf(stored);
  return {
    indicators: readIndicators(own['indicators']) ?? indicators,
    drawings: Array.isArray(own['drawings']) ? own['drawings'].filter(isDrawing) : [],
  };
}

export function writeTokenChart(storage: TextStorage, account: string, token: string, chart: TokenChart): void {
  const others = Object.entries(recordOf(read(storage, keyOf(account))['tokens'])).filter(([each]) => each !== token);
  const tokens = Object.fromEntries([...others, [token, chart]].slice(-TOKENS_KEPT));
  write(storage, keyOf(account), { indicators: chart.indicators, tokens });
}

function keyOf(account: string): string {
  return `chart.of.${account}`;
}

function readIndicators(stored: unknown): readonly IndicatorName[] | null {
  if (!Array.isArray(stored)) return null;
  return stored.filter((name): name is IndicatorName => typeof name === 'string' && known.includes(name));
}

function isDrawing(stored: unknown): stored is Drawing {
  const { tool, unit, points } = recordOf(stored);
  return (
    (drawingTools as readonly unknown[]).includes(tool) &&
    (unit === 'usd' || unit === 'sol') &&
    Array.isArray(points) &&
    points.every((point) => Number.isFinite(recordOf(point)['value'] ?? recordOf(point)['timestamp']))
  );
}

function recordOf(stored: unknown): Record<string, unknown> {
  return typeof stored === 'object' && stored !== null ? (stored as Record<string, unknown>) : {};
}

function read(storage: TextStorage, key: string): Record<string, unknown> {
  try {
    return recordOf(JSON.parse(storage.getItem(key) ?? 'null'));
  } catch {
    return {};
  }
}

function write(storage: TextStorage, key: string, value: unknown): void {
  storage.setItem(key, JSON.stringify(value));
}
