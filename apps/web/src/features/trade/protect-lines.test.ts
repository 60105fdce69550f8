import { expect, it } from 'vitest';
import { protectedBuy, protectLines } from './protect-lines.ts';
import type { Quote } from './use-quote.ts';

const quote: Quote = {
  side: 'buy',
  amountIn: '0.498',
  expectedOut: '1000',
  minimumOut: '990',
  price: '0.000498',
  priceUsd: null,
  priceImpact: '0.5',
  impactLevel: 'ok',
  slippageBps: 100,
  fees: { network: '0.002', venue: '0.0025', rent: '0.0021', rentIsMaximum: false, total: '0.0066' },
  expiresAt: 0,
};
const choice = { isOn: true, stop: '20', target: '100', trail: '' };
const nothing = { amount: '0', cost: '0' };
const t = (key: string) => key;

it('draws what a buy is expected to cost and its levels, each with its percent and what it wins or loses', () => {
  const lines = protectLines(protectedBuy('book', quote, { ...choice, trail: '12.5' })!, nothing, t);
  expect(lines.map(({ priceSol, label, tone }) => [Number(priceSol.toPrecision(6)), label, tone])).toEqual([
    [0.0005, 'token.chart.expectedCost', 'accent'],
    [0.0004, 'triggers.kinds.stop-loss -20% (≈ -0.1000 SOL)', 'down'],
    [0.001, 'triggers.kinds.take-profit +100% (≈ +0.5000 SOL)', 'up'],
    [0.0004375, 'triggers.kinds.trailing-stop -12.5% (≈ -0.0625 SOL)', 'down'],
  ]);
});

it('counts from the average cost of all that the account will hold', () => {
  const lines = protectLines(protectedBuy('book', quote, choice)!, { amount: '1000', cost: '1.5' }, t);
  expect(lines.map(({ priceSol, label }) => [Number(priceSol.toPrecision(6)), label])).toEqual([
    [0.001, 'token.chart.expectedCost'],
    [0.0008, 'triggers.kinds.stop-loss -20% (≈ -0.4000 SOL)'],
    [0.002, 'triggers.kinds.take-profit +100% (≈ +2.00 SOL)'],
  ]);
});

it('draws nothing where the cost of what is held is not known', () => {
  expect(protectLines(protectedBuy('book', quote, choice)!, null, t)).toEqual([]);
});

it.each([
  ['nothing is protected', quote, { ...choice, isOn: false }],
  ['a level is not one', quote, { ...choice, stop: '100' }],
  ['there is no quote', null, choice],
  ['the quote is that of a sale', { ...quote, side: 'sell' as const }, choice],
])('knows no protected buy while %s', (_, given, chosen) => {
  expect(protectedBuy('book', given, chosen)).toBeNull();
});
