import { expect, it } from 'vitest';
import { drawnOverCandles, readTokenChart, readView, writeTokenChart, writeView } from './chart-choices.ts';
import type { Drawing } from './chart-choices.ts';

function aStorage() {
  const stored = new Map<string, string>();
  return {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, text: string) => void stored.set(key, text),
    keys: () => [...stored.keys()],
  };
}

const line: Drawing = { tool: 'horizontalStraightLine', unit: 'usd', points: [{ value: 0.5 }] };

it('remembers drawings and indicators per token and account', () => {
  const storage = aStorage();
  expect(readTokenChart(storage, 'ann', 'MintA')).toEqual({ indicators: ['VOL'], drawings: [] });
  writeTokenChart(storage, 'ann', 'MintA', { indicators: ['MA', 'RSI'], drawings: [line] });
  writeTokenChart(storage, 'ann', 'MintB', { indicators: ['VOL'], drawings: [] });
  expect(readTokenChart(storage, 'ann', 'MintA')).toEqual({ indicators: ['MA', 'RSI'], drawings: [line] });
  expect(readTokenChart(storage, 'ann', 'MintB')).toEqual({ indicators: ['VOL'], drawings: [] });
  expect(readTokenChart(storage, 'bob', 'MintA')).toEqual({ indicators: ['VOL'], drawings: [] });
});

it('shows the indicators last chosen on a token that has none of its own', () => {
  const storage = aStorage();
  writeTokenChart(storage, 'ann', 'MintA', { indicators: ['BOLL'], drawings: [line] });
  expect(readTokenChart(storage, 'ann', 'MintB')).toEqual({ indicators: ['BOLL'], drawings: [] });
});

it('forgets the tokens it was told of longest ago', () => {
  const storage = aStorage();
  for (let token = 0; token <= 100; token += 1) {
    writeTokenChart(storage, 'ann', `Mint${token}`, { indicators: ['VOL'], drawings: [line] });
  }
  expect(readTokenChart(storage, 'ann', 'Mint0').drawings).toEqual([]);
  expect(readTokenChart(storage, 'ann', 'Mint1').drawings).toEqual([line]);
});

it('remembers the interval and how values are shown', () => {
  const storage = aStorage();
  const view = { interval: '1h', unit: 'sol', value: 'cap', log: true, marks: false } as const;
  writeView(storage, view);
  expect(readView(storage)).toEqual(view);
});

it('ignores what it did not store itself', () => {
  const storage = aStorage();
  const plain = { interval: '15m', unit: 'usd', value: 'price', log: false, marks: true };
  for (const text of ['{', '5', '{"interval":"2h","unit":"eur","log":1}']) {
    storage.setItem('chart.view', text);
    expect(readView(storage)).toEqual(plain);
  }
  storage.setItem('chart.of.ann', '{"tokens":{"MintA":{"indicators":["MA","x",5],"drawings":[{"tool":"x"},7]}}}');
  expect(readTokenChart(storage, 'ann', 'MintA')).toEqual({ indicators: ['MA'], drawings: [] });
});

it('draws averages over the candles and oscillators below them', () => {
  expect(drawnOverCandles('MA')).toBe(true);
  expect(drawnOverCandles('MACD')).toBe(false);
});
