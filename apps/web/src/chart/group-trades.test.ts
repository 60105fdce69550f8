import { expect, it } from 'vitest';
import { groupTrades } from './group-trades.ts';

const MINUTE = 60_000;

it('draws one mark per candle and side, at the average price of its trades', () => {
  const trades = [
    { time: 5 * MINUTE + 1, side: 'buy', usd: 1, sol: 0.01, tokens: 100 },
    { time: 5 * MINUTE + 2, side: 'sell', usd: 3, sol: 0.03, tokens: 50 },
    { time: 6 * MINUTE, side: 'buy', usd: 2, sol: 0.02, tokens: 300 },
    { time: 10 * MINUTE, side: 'buy', usd: 9, sol: 0.09, tokens: 1 },
  ] as const;
  expect(groupTrades(trades, '5m', { unit: 'usd', factor: 1 })).toEqual([
    { time: 5 * MINUTE, side: 'buy', price: 1.75, count: 2 },
    { time: 5 * MINUTE, side: 'sell', price: 3, count: 1 },
    { time: 10 * MINUTE, side: 'buy', price: 9, count: 1 },
  ]);
  expect(groupTrades(trades.slice(0, 1), '5m', { unit: 'sol', factor: 1_000 })).toEqual([
    { time: 5 * MINUTE, side: 'buy', price: 10, count: 1 },
  ]);
});
