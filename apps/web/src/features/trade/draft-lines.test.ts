import { expect, it } from 'vitest';
import { draftLines } from './draft-lines.ts';
import type { DraftedOrders } from './draft-lines.ts';
import { emptyDraft } from './trigger-draft.ts';

const now = { priceSol: 0.0005, usdPerSol: 200, supply: 1_000_000 };
const held = { amount: '1000', cost: '0.4' };
const nothing = { amount: '0', cost: '0' };
const t = (key: string) => key;

function linesOf(
  orders: Pick<DraftedOrders, 'type'> & Partial<DraftedOrders['draft']> & { side?: 'buy' | 'sell' },
  holding: typeof held | null = held,
) {
  const { type, side = 'sell', ...typed } = orders;
  const drafted = { bookId: 'book', type, side, draft: { ...emptyDraft, ...typed } };
  return draftLines(drafted, holding, now, t).map(({ priceSol, label, tone }) => [
    Number(priceSol.toPrecision(8)),
    label,
    tone,
  ]);
}

it.each([
  ['usd', '0.08'],
  ['sol', '0.0004'],
  ['market-cap', '80000.'],
] as const)('draws a limit order as soon as its price is typed (%s)', (unit, price) => {
  expect(linesOf({ type: 'limit', side: 'buy', unit, price })).toEqual([[0.0004, 'triggers.kinds.limit-buy', 'up']]);
});

it('names the size of a limit order once it is typed', () => {
  const price = { type: 'limit', unit: 'sol', price: '0.0006' } as const;
  expect(linesOf({ ...price, side: 'sell', share: '50' })).toEqual([
    [0.0006, 'triggers.kinds.limit-sell · 50%', 'down'],
  ]);
  expect(linesOf({ ...price, side: 'buy', spend: '0.5' })).toEqual([
    [0.0006, 'triggers.kinds.limit-buy · 0.5000 SOL', 'up'],
  ]);
});

it('draws what protects a limit buy from the average cost that it leads to', () => {
  const protect = { isOn: true, stop: '25', target: '', trail: '' };
  const buy = { type: 'limit', side: 'buy', unit: 'sol', price: '0.0002', spend: '0.2', protect } as const;
  expect(linesOf(buy, nothing)).toEqual([
    [0.0002, 'triggers.kinds.limit-buy · 0.2000 SOL', 'up'],
    [0.00015, 'triggers.kinds.stop-loss -25% (≈ -0.0500 SOL)', 'down'],
  ]);
  expect(linesOf(buy)).toEqual([
    [0.0002, 'triggers.kinds.limit-buy · 0.2000 SOL', 'up'],
    [0.0003, 'token.chart.expectedCost', 'accent'],
    [0.000225, 'triggers.kinds.stop-loss -25% (≈ -0.1500 SOL)', 'down'],
  ]);
});

it('draws the exits of a position from its average cost, each with what its share wins or loses', () => {
  expect(linesOf({ type: 'oco', stop: '25', target: '100', share: '50' })).toEqual([
    [0.0003, 'triggers.kinds.stop-loss -25% (≈ -0.0500 SOL)', 'down'],
    [0.0008, 'triggers.kinds.take-profit +100% (≈ +0.2000 SOL)', 'up'],
  ]);
  expect(linesOf({ type: 'oco', stop: '', target: '10' })).toHaveLength(1);
  const steps = [
    { gain: '100', share: '25' },
    { gain: '300', share: '' },
  ];
  expect(linesOf({ type: 'ladder', steps, ladderStop: '50' })).toEqual([
    [0.0008, 'triggers.kinds.take-profit +100% (≈ +0.1000 SOL)', 'up'],
    [0.0002, 'triggers.kinds.stop-loss -50% (≈ -0.2000 SOL)', 'down'],
  ]);
});

it('draws a trailing stop below the price now, or below the price that it starts at', () => {
  expect(linesOf({ type: 'trailing', trail: '20' })).toEqual([[0.0004, 'triggers.kinds.trailing-stop -20%', 'down']]);
  expect(linesOf({ type: 'trailing', trail: '20', activation: '0.2' })).toEqual([
    [0.001, 'triggers.kinds.trailing-stop', 'down'],
    [0.0008, 'triggers.kinds.trailing-stop -20%', 'down'],
  ]);
});

it.each([
  ['a price is not one', { type: 'limit', price: '0.' }, held],
  ['an order waits for no price', { type: 'dca' }, held],
  ['nothing is held', { type: 'oco' }, nothing],
  ['the cost of what is held is not known', { type: 'ladder' }, null],
  ['a share is more than all', { type: 'oco', share: '101' }, held],
  ['a distance is none', { type: 'trailing', trail: '100' }, held],
  ['the start of a trailing stop is half typed', { type: 'trailing', activation: '.' }, held],
] as const)('draws nothing where %s', (_, orders, holding) => {
  expect(linesOf(orders, holding)).toEqual([]);
});
