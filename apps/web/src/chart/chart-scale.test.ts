import { expect, it } from 'vitest';
import { barsOf, onScale } from './chart-scale.ts';
import type { Candle } from './chart-scale.ts';

function aCandle(candle: Partial<Candle>): Candle {
  return { t: 0, o: '1', h: '1', l: '1', c: '1', v: '10', vUsd: '20', cSol: '0.01', closed: true, ...candle };
}

it('draws dollars as they come, and the market cap as price times supply', () => {
  const candles = [aCandle({ o: '1', h: '4', l: '0.5', c: '2' })];
  const shape = { timestamp: 0, volume: 10, turnover: 20 };
  expect(barsOf(candles, { unit: 'usd', factor: 1 })).toEqual([{ ...shape, open: 1, high: 4, low: 0.5, close: 2 }]);
  expect(barsOf(candles, { unit: 'usd', factor: 1_000 })).toEqual([
    { ...shape, open: 1_000, high: 4_000, low: 500, close: 2_000 },
  ]);
});

it('draws candles in SOL that connect, though the price of SOL moved between them', () => {
  const bars = barsOf(
    [aCandle({ c: '2', h: '2', cSol: '0.02' }), aCandle({ t: 60, o: '2', c: '4', h: '4', l: '2', cSol: '0.08' })],
    { unit: 'sol', factor: 1 },
  );
  expect(bars.map(({ open, high, low, close }) => [open, high, low, close])).toEqual([
    [0.01, 0.02, 0.01, 0.02],
    [0.02, 0.08, 0.02, 0.08],
  ]);
});

it('leaves out a candle whose price in SOL is not known', () => {
  expect(barsOf([aCandle({ cSol: null })], { unit: 'sol', factor: 1 })).toEqual([]);
});

it('places a price that is known in both on either scale', () => {
  const price = { usd: 3, sol: 0.02 };
  expect(onScale(price, { unit: 'sol', factor: 100 })).toBe(2);
  expect(onScale(price, { unit: 'usd', factor: 1 })).toBe(3);
});
