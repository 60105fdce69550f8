import { calls } from '@hunter/contract/calls';
import { expect, it } from 'vitest';
import { emptyDraft, triggersOf, whenOf } from './trigger-draft.ts';
import type { TriggerDraft, TriggerType } from './trigger-draft.ts';

const NOW_MS = 1_790_000_000_000;
const now = { usd: '0.002', sol: '0.00001', 'market-cap': '2000000' };
const MINT = 'So11111111111111111111111111111111111111112';

function place(type: TriggerType, change: Partial<TriggerDraft>, side: 'buy' | 'sell' = 'buy') {
  const drafted = triggersOf(type, { ...emptyDraft, ...change }, side, now, NOW_MS);
  // What is drafted here must be something the server reads.
  if (drafted) calls.placeTrigger.request.parse({ tokenContractAddress: MINT, ...drafted });
  return drafted;
}

it('waits for a lower price to buy and a higher one to sell, by where the level is', () => {
  const when = (price: string, side: 'buy' | 'sell') => whenOf({ ...emptyDraft, price }, side, now);
  expect([when('0.001', 'buy'), when('0.003', 'buy')]).toEqual(['below', 'above']);
  expect([when('0.001', 'sell'), when('0.003', 'sell')]).toEqual(['below', 'above']);
  expect([when('', 'buy'), when('', 'sell')]).toEqual(['below', 'above']);
});

it('places a limit buy with what it spends, its expiry, its hold and its protection', () => {
  const protect = { isOn: true, stop: '25', target: '', trail: '' };
  expect(place('limit', { price: '0.001', spend: '0.50', hold: true, expiry: 'day', protect })).toEqual({
    triggers: [
      {
        kind: 'limit',
        side: 'buy',
        level: { unit: 'usd', value: '0.001', when: 'below' },
        amount: { unit: 'sol', value: '0.5' },
        expiresAt: NOW_MS + 86_400_000,
        holdFunds: true,
        protect: { stopLoss: { unit: 'percent', value: '25' } },
      },
    ],
  });
  expect(place('limit', { price: '0.001' })).toBeNull();
  expect(place('limit', { spend: '1' })).toBeNull();
});

it('places a limit sale by a share of the holding, without end where that is chosen', () => {
  expect(place('limit', { unit: 'market-cap', price: '5000000', share: '50', expiry: 'never' }, 'sell')).toEqual({
    triggers: [
      {
        kind: 'limit',
        side: 'sell',
        level: { unit: 'market-cap', value: '5000000', when: 'above' },
        amount: { unit: 'percent-held', value: '50' },
        expiresAt: null,
      },
    ],
  });
});

it('places stop and target as one that cancels the other, and either alone as itself', () => {
  expect(place('oco', { stop: '20', target: '80' })).toMatchObject({
    group: 'one-cancels-other',
    triggers: [
      { kind: 'stop-loss', level: { unit: 'percent', value: '20' } },
      { kind: 'take-profit', level: { unit: 'percent', value: '80' } },
    ],
  });
  expect(place('oco', { stop: '', target: '80' })).toEqual({
    triggers: [
      {
        kind: 'take-profit',
        level: { unit: 'percent', value: '80' },
        amount: { unit: 'percent-held', value: '100' },
      },
    ],
  });
  expect(place('oco', { stop: '', target: '' })).toBeNull();
  expect(place('oco', { stop: '100', target: '' })).toBeNull();
});

it('places a trailing stop, with or without a price at which it starts', () => {
  expect(place('trailing', { trail: '15' })?.triggers[0]).toMatchObject({ trailing: { percent: '15' } });
  expect(place('trailing', { trail: '15', activation: '0.01' })?.triggers[0]?.trailing).toEqual({
    percent: '15',
    activation: { unit: 'usd', value: '0.01' },
  });
});

it('places the steps of a ladder with shares of what is held now, and a stop for the rest', () => {
  expect(place('ladder', {})).toEqual({
    group: 'ladder',
    triggers: [
      {
        kind: 'take-profit',
        level: { unit: 'percent', value: '100' },
        amount: { unit: 'percent-bought', value: '50' },
      },
      {
        kind: 'take-profit',
        level: { unit: 'percent', value: '300' },
        amount: { unit: 'percent-bought', value: '50' },
      },
      { kind: 'stop-loss', level: { unit: 'percent', value: '25' } },
    ],
  });
  const steps = [
    { gain: '50', share: '60' },
    { gain: '100', share: '60' },
  ];
  expect(place('ladder', { steps })).toBeNull();
});

it('places purchases again and again, left out above a price', () => {
  expect(place('dca', { each: '0.1', count: '5', everySeconds: '900', bound: '0.003' })).toEqual({
    triggers: [
      {
        kind: 'dca',
        side: 'buy',
        amount: { unit: 'sol', value: '0.1' },
        schedule: { intervalSeconds: 900, count: 5, highest: { unit: 'usd', value: '0.003' } },
      },
    ],
  });
  expect(place('dca', { eachShare: '20', bound: '0.003' }, 'sell')?.triggers[0]).toMatchObject({
    amount: { unit: 'percent-bought', value: '20' },
    schedule: { lowest: { value: '0.003' } },
  });
  expect(place('dca', { each: '0.1', count: '1' })).toBeNull();
});

it('sells everything at an event or after some hours', () => {
  expect(place('event', { event: 'graduates' })).toEqual({ triggers: [{ kind: 'graduates' }] });
  expect(place('event', { event: 'after-time', hours: '6' })).toEqual({
    triggers: [{ kind: 'after-time', afterSeconds: 21_600 }],
  });
  expect(place('event', { event: 'after-time', hours: '0' })).toBeNull();
});
