import { expect, it } from 'vitest';
import { aTrigger } from './trigger-for-test.ts';
import { isPastLevel, levelAt, triggerLines } from './trigger-lines.ts';

const prices = { usd: 0.003, sol: 0.000_015, supply: 1e9 };
const t = (key: string) => key;

it('draws each level at its price in dollars and in SOL, whatever its unit', () => {
  const lines = triggerLines(
    [
      aTrigger(),
      aTrigger({ kind: 'take-profit', level: { unit: 'usd', value: '0.006', when: 'above' } }),
      aTrigger({ kind: 'limit', side: 'buy', level: { unit: 'market-cap', value: '1500000', when: 'below' } }),
    ],
    prices,
    t,
  );
  expect(
    lines.map(({ price, tone, draggable }) => [price.usd.toPrecision(4), price.sol.toPrecision(4), tone, draggable]),
  ).toEqual([
    ['0.002500', '0.00001250', 'down', true],
    ['0.006000', '0.00003000', 'up', true],
    ['0.001500', '0.000007500', 'up', true],
  ]);
});

it('draws where a trailing stop fires now, which cannot be dragged, and nothing for those without a price', () => {
  const trailing = { percent: '20', activation: null, isActive: true, highPrice: '0.00002', firesAt: '0.000016' };
  const lines = triggerLines(
    [
      aTrigger({ kind: 'trailing-stop', level: null, trailing }),
      aTrigger({ kind: 'creator-sells', level: null }),
      aTrigger({ state: 'firing' }),
    ],
    prices,
    t,
  );
  expect(lines.map(({ price, draggable }) => [price.sol, draggable])).toEqual([
    [0.000_016, false],
    [0.000_012_5, false],
  ]);
});

it('says briefly how much a line sells', () => {
  const amounts = [null, { unit: 'percent-held', value: '50' }, { unit: 'sol', value: '0.1' }] as const;
  const lines = triggerLines(
    amounts.map((amount) => aTrigger({ amount })),
    prices,
    t,
  );
  expect(lines.map(({ label }) => label)).toEqual([
    'triggers.kinds.stop-loss · triggers.amount.all',
    'triggers.kinds.stop-loss · 50%',
    'triggers.kinds.stop-loss · 0.1000\u00A0SOL',
  ]);
});

it('names the account of a line that is not of the personal one, briefly', () => {
  const books = [
    { bookKind: 'strategy', bookName: 'Steady' },
    { bookKind: 'strategy', bookName: 'A very long strategy name' },
  ] as const;
  const lines = triggerLines(
    books.map((book) => aTrigger({ ...book, amount: null })),
    prices,
    t,
  );
  expect(lines.map(({ label }) => label)).toEqual([
    'triggers.kinds.stop-loss · triggers.amount.all · Steady',
    'triggers.kinds.stop-loss · triggers.amount.all · A very long s…',
  ]);
});

it('takes the level where a line was dropped in the unit of its trigger, with five digits', () => {
  const dropped = { usd: 0.002_600_049, sol: 0.000_013_000_24 };
  expect(levelAt(dropped, 'sol', prices)).toBe('0.000013');
  expect(levelAt(dropped, 'usd', prices)).toBe('0.0026');
  expect(levelAt(dropped, 'market-cap', prices)).toBe('2600049');
  expect(levelAt({ usd: 12.345678, sol: 1 }, 'usd', prices)).toBe('12.346');
});

it('knows when a level is past the price now', () => {
  const below = { unit: 'usd', value: '1', when: 'below' } as const;
  expect(isPastLevel(below, 'usd', '0.0029', prices)).toBe(false);
  expect(isPastLevel(below, 'usd', '0.0031', prices)).toBe(true);
  expect(isPastLevel({ ...below, when: 'above' }, 'usd', '0.0031', prices)).toBe(false);
});
