import { expect, it } from 'vitest';
import { slippageFromText, slippageText } from './slippage-text.ts';

it.each([
  ['1', 100],
  ['0.5', 50],
  ['0.01', 1],
  ['50', 5_000],
  ['50.01', null],
  ['0', null],
  ['0.001', null],
  ['', null],
  ['abc', null],
])('reads a slippage of %s percent as %s basis points', (text, bps) => {
  expect(slippageFromText(text, 5_000)).toBe(bps);
});

it.each([
  [100, '1'],
  [50, '0.5'],
  [125, '1.25'],
  [1_000, '10'],
])('prints %s basis points as %s percent', (bps, text) => {
  expect(slippageText(bps)).toBe(text);
});
