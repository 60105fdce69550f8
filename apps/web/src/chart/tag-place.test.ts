import { expect, it } from 'vitest';
import { TAG_GAP, tagStart } from './tag-place.ts';

const stopLoss = { y: 100, width: 120, height: 28 };

it('puts a tag at the start of the chart, where the oldest candles are', () => {
  expect(tagStart(50, 16, [])).toBe(TAG_GAP);
  expect(tagStart(50, 16, [stopLoss])).toBe(TAG_GAP);
});

it('puts a tag behind the widest of those it would cover', () => {
  const limit = { y: 90, width: 140, height: 28 };
  expect(tagStart(100, 16, [stopLoss])).toBe(TAG_GAP + 120 + TAG_GAP);
  expect(tagStart(100, 16, [stopLoss, limit])).toBe(TAG_GAP + 140 + TAG_GAP);
  expect(tagStart(stopLoss.y - 22, 16, [stopLoss])).toBe(TAG_GAP);
  expect(tagStart(stopLoss.y - 21, 16, [stopLoss])).toBe(TAG_GAP + 120 + TAG_GAP);
});
