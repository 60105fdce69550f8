import type { Chart, OverlayTemplate } from 'klinecharts';
import { expect, it, vi } from 'vitest';
import { isOnDraggable, LEVEL_LINE, registerLevelLines } from './level-lines.ts';

const registered = vi.hoisted(() => ({ templates: [] as OverlayTemplate[] }));
vi.mock('klinecharts', () => ({
  registerOverlay: (template: OverlayTemplate) => registered.templates.push(template),
  utils: { calcTextWidth: (text: string) => text.length * 6 },
}));

const PANE_WIDTH = 320;
const tones = { up: 'up', down: 'down', accent: 'accent' };
const colours = { ...tones, onLine: 'on-line', surface: 'surface', texts: tones, family: '', axisText: String };

function line(label: string, value: number, draggable: boolean) {
  return {
    id: label,
    lock: !draggable,
    points: [{ value }],
    extendData: { label, tone: 'accent', draggable, colours },
  };
}

/** The value is the height. */
function chartOf(all: ReturnType<typeof line>[], indicators: { figures: string[] }[] = []): Chart {
  return {
    getOverlays: () => all,
    getSize: () => ({ width: PANE_WIDTH, height: 300 }),
    getIndicators: () => indicators,
    getStyles: () => ({ candle: { tooltip: { showRule: 'always' } } }),
    convertToPixel: ({ value }: { value: number }) => ({ y: value }),
  } as unknown as Chart;
}

/** The tag of one of those lines. */
function figureOf(
  drawn: ReturnType<typeof line>,
  all: ReturnType<typeof line>[],
  coarse: boolean,
  wanted: 'text' | 'line' = 'text',
  { width, chart }: { width: number; chart: Chart } = { width: PANE_WIDTH, chart: chartOf(all) },
) {
  vi.stubGlobal('matchMedia', () => ({ matches: coarse }));
  registerLevelLines();
  const template = registered.templates.find(({ name }) => name === LEVEL_LINE)!;
  const figures = template.createPointFigures!({
    chart,
    overlay: drawn,
    coordinates: [{ x: 0, y: drawn.points[0]?.value ?? 0 }],
    bounding: { width, height: 300 },
  } as never);
  const found = [figures].flat().find(({ type }) => type === wanted)!;
  return found as { attrs: Record<string, unknown>; styles: Record<string, unknown> };
}

function tagOf(drawn: ReturnType<typeof line>, all: ReturnType<typeof line>[]): unknown {
  const { x, text, align } = figureOf(drawn, all, false).attrs;
  return { x, text, align };
}

it('names the average cost away from the newest candles, and beside an order that waits there', () => {
  const cost = line('Cost', 100, false);
  const stop = line('Stop', 104, true);
  expect(tagOf(cost, [cost])).toEqual({ x: 8, text: 'Cost 100', align: 'left' });
  expect(tagOf(stop, [cost, stop])).toEqual({ x: 8, text: '⇕ Stop 104', align: 'left' });
  // The tag of the order is as wide as its ten letters and what is around them.
  expect(tagOf(cost, [cost, stop])).toEqual({ x: 8 + 10 * 6 + 10 + 8, text: 'Cost 100', align: 'left' });
});

it('keeps the tags of two lines apart that cannot be dragged', () => {
  const cost = line('Cost', 100, false);
  const trailing = line('Trailing stop', 100, false);
  const all = [trailing, cost];
  expect(tagOf(trailing, all)).toEqual({ x: 8, text: 'Trailing stop 100', align: 'left' });
  expect(tagOf(cost, all)).toEqual({ x: 8 + 17 * 6 + 10 + 8, text: 'Cost 100', align: 'left' });
});

it('keeps the tags of two lines apart that can be dragged', () => {
  const stop = line('Stop', 100, true);
  const limit = line('Limit', 102, true);
  const cost = line('Cost', 101, false);
  const all = [cost, stop, limit];
  expect(tagOf(stop, all)).toMatchObject({ x: 8 });
  expect(tagOf(limit, all)).toMatchObject({ x: 8 + 10 * 6 + 10 + 8 });
  expect(tagOf(cost, all)).toMatchObject({ x: 8 + 10 * 6 + 10 + 8 + 11 * 6 + 10 + 8 });
});

it('takes a finger on a tag that had to move away from its line for one on the line', () => {
  const wide = line('W'.repeat(45), 100, true);
  const moved = line('Stop', 104, true);
  const chart = chartOf([wide, moved]);
  const { y } = figureOf(moved, [wide, moved], true).attrs;
  expect(y).toBe(128);
  expect(isOnDraggable(chart, 140)).toBe(true);
  expect(isOnDraggable(chart, 143)).toBe(false);
});

it('makes a tag as tall as a finger only where a finger can drag it', () => {
  const paddings = (draggable: boolean, coarse: boolean) => {
    const { paddingTop, paddingBottom } = figureOf(line('Cost', 100, draggable), [], coarse).styles;
    return [paddingTop, paddingBottom];
  };
  expect(paddings(true, true)).toEqual([8, 8]);
  expect(paddings(false, true)).toEqual([2, 2]);
  expect(paddings(true, false)).toEqual([2, 2]);
});

it('draws what is not placed yet fainter: dotted, and its tag as an outline', () => {
  const cost = line('Cost', 100, false);
  const planned = { ...cost, extendData: { ...cost.extendData, isPlanned: true } };
  const looks = (drawn: typeof cost) => [
    figureOf(drawn, [drawn], false, 'line').styles,
    figureOf(drawn, [drawn], false).styles,
  ];
  expect(looks(cost)).toMatchObject([
    { style: 'solid' },
    { backgroundColor: 'accent', color: 'on-line', borderSize: 0 },
  ]);
  expect(looks(planned)).toMatchObject([
    { style: 'dashed', dashedValue: [2, 5] },
    { backgroundColor: 'surface', color: 'accent', borderSize: 1 },
  ]);
});

it('shows what lies outside of the pane at its edge, the nearest first, with an arrow and its price and without a line', () => {
  const profit = line('Profit', -40, false);
  const far = line('Far', -400, true);
  const stop = line('Stop', 340, true);
  const all = [far, stop, profit];
  expect(tagOf(profit, all)).toEqual({ x: 8, text: '↑ Profit -40', align: 'left' });
  expect(tagOf(far, all)).toEqual({ x: 8 + 12 * 6 + 10 + 8, text: '↑ Far -400', align: 'left' });
  expect(tagOf(stop, all)).toEqual({ x: 8, text: '↓ Stop 340', align: 'left' });
  const heights = all.map((each) => figureOf(each, all, false).attrs.y);
  expect(heights).toEqual([65.5, 290.5, 65.5]);
  for (const each of all) expect(figureOf(each, all, false, 'line')).toBeUndefined();
});

it('stands below all lines of the legend, of which a narrow pane has more', () => {
  const profit = line('Profit', -40, false);
  const averages = { figures: ['MA5', 'MA10', 'MA30', 'MA60'] };
  const heightAt = (width: number, indicators: { figures: string[] }[]) =>
    figureOf(profit, [profit], false, 'text', { width, chart: chartOf([profit], indicators) }).attrs.y;
  const belowLines = (lines: number) => 8 + lines * 16 + 9.5;
  expect(heightAt(780, [])).toBe(belowLines(1));
  expect(heightAt(620, [])).toBe(belowLines(2));
  expect(heightAt(780, [averages])).toBe(belowLines(2));
  expect(heightAt(620, [averages])).toBe(belowLines(3));
  expect(heightAt(320, [averages])).toBe(belowLines(6));
});

it('drags nothing that is out of sight', () => {
  const far = line('Far', -40, true);
  expect(figureOf(far, [far], true)).toMatchObject({ ignoreEvent: true, styles: { paddingTop: 2 } });
  expect(isOnDraggable(chartOf([far]), 34)).toBe(false);
  expect(figureOf(line('Near', 40, true), [], true)).not.toHaveProperty('ignoreEvent');
});
