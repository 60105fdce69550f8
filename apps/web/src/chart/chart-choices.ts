// What the chart's menus offer. No chart library in here, so that the menus show before it is loaded.
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

const STORAGE_KEY = 'chart.indicators';
const DEFAULT: readonly IndicatorName[] = ['VOL'];
const known: readonly string[] = [...mainIndicators, ...paneIndicators];

export function readIndicators(storage: Pick<Storage, 'getItem'>): readonly IndicatorName[] {
  try {
    const stored: unknown = JSON.parse(storage.getItem(STORAGE_KEY) ?? 'null');
    if (!Array.isArray(stored)) return DEFAULT;
    return stored.filter((name): name is IndicatorName => typeof name === 'string' && known.includes(name));
  } catch {
    return DEFAULT;
  }
}

export function writeIndicators(storage: Pick<Storage, 'setItem'>, names: readonly IndicatorName[]): void {
  try {
    storage.setItem(STORAGE_KEY, JSON.stringify(names));
  } catch {
    // Storage is full or forbidden; the choice lasts as long as the page.
  }
}
