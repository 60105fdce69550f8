import { expect, it } from 'vitest';
import { drawnOverCandles, readIndicators, writeIndicators } from './chart-choices.ts';

const storing = (text: string | null) => ({ getItem: () => text });

it('remembers the chosen indicators, and starts with volume', () => {
  let stored: string | null = null;
  expect(readIndicators(storing(stored))).toEqual(['VOL']);
  writeIndicators({ setItem: (_, text) => (stored = text) }, ['MA', 'RSI']);
  expect(readIndicators(storing(stored))).toEqual(['MA', 'RSI']);
});

it('ignores what it did not store itself', () => {
  expect(readIndicators(storing('["MA","nonsense",5]'))).toEqual(['MA']);
  expect(readIndicators(storing('{}'))).toEqual(['VOL']);
  expect(readIndicators(storing('{'))).toEqual(['VOL']);
});

it('draws averages over the candles and oscillators below them', () => {
  expect(drawnOverCandles('MA')).toBe(true);
  expect(drawnOverCandles('MACD')).toBe(false);
});
