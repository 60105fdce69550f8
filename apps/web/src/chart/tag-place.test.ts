import { expect, it } from 'vitest';
import { besideEdge, edgeOf, placeTag, TAG_GAP } from './tag-place.ts';

const pane = { width: 400, height: 300 };
const stopLoss = { x: TAG_GAP, y: 100, width: 120, height: 28 };
const place = (y: number, standing: Parameters<typeof placeTag>[1], width = 90) => {
  const { x, y: placedAt } = placeTag({ y, width, height: 16 }, standing, pane);
  return [x, placedAt];
};

it('puts a tag at the start of the chart, where the oldest candles are', () => {
  expect(place(50, [])).toEqual([TAG_GAP, 50]);
  expect(place(50, [stopLoss])).toEqual([TAG_GAP, 50]);
  expect(place(50, [], 500)).toEqual([TAG_GAP, 50]);
});

it('puts a tag behind the last of those it would cover', () => {
  const limit = { x: TAG_GAP, y: 90, width: 140, height: 28 };
  const behind = { x: TAG_GAP + 140 + TAG_GAP, y: 104, width: 60, height: 16 };
  expect(place(100, [stopLoss])).toEqual([TAG_GAP + 120 + TAG_GAP, 100]);
  expect(place(100, [stopLoss, limit])).toEqual([TAG_GAP + 140 + TAG_GAP, 100]);
  expect(place(100, [stopLoss, limit, behind])).toEqual([behind.x + 60 + TAG_GAP, 100]);
  expect(place(stopLoss.y - 22, [stopLoss])).toEqual([TAG_GAP, stopLoss.y - 22]);
  expect(place(stopLoss.y - 21, [stopLoss])).toEqual([TAG_GAP + 120 + TAG_GAP, stopLoss.y - 21]);
});

it('puts a tag below or above those it would cover where there is no room behind them', () => {
  const wide = { ...stopLoss, width: 320 };
  const next = { x: TAG_GAP, y: 128, width: 100, height: 28 };
  expect(place(100, [wide])).toEqual([TAG_GAP, 123]);
  expect(place(100, [wide, next])).toEqual([TAG_GAP, 151]);
  const low = { ...wide, y: 290 };
  expect(place(290, [low])).toEqual([TAG_GAP, 267]);
  expect(place(100, [wide], pane.width - wide.x - wide.width - TAG_GAP)).toEqual([wide.x + wide.width + TAG_GAP, 100]);
});

it('knows the edge beyond which a tag belongs, and its place there below what is written at the top', () => {
  expect([-1, 0, 300, 301].map((y) => edgeOf(y, pane))).toEqual(['top', null, null, 'bottom']);
  expect(besideEdge('top', 16, pane, 18)).toBe(28);
  expect(besideEdge('bottom', 16, pane, 18)).toBe(290);
});
