import { address } from '@hunter/solana/address';
import { expect, it } from 'vitest';
import { aRule } from '@hunter/domain/triggers/rule-for-test';
import { ManualClock } from '../platform/clock-for-test.ts';
import { createLog } from '../platform/log.ts';
import { TriggerIndex } from './trigger-index.ts';
import { TriggerLoop } from './trigger-loop.ts';

it('asks triggers within two seconds once the venue is back, however long it was away', async () => {
  const clock = new ManualClock();
  let isAway = true;
  let asked = 0;
  const loop = new TriggerLoop({
    trading: { clock, database: { query: async () => [] }, tokens: { load: async () => new Map() } },
    index: new TriggerIndex(),
    log: createLog('silent'),
    loadPools: async () => {
      asked += 1;
      if (isAway) throw new Error('the venue is away');
      return new Map();
    },
  } as never);
  await loop.start();
  loop.look(address('So11111111111111111111111111111111111111112'));
  await clock.advance(100_000);
  isAway = false;
  asked = 0;
  await clock.advance(2_000);
  expect(asked).toBe(1);
  await loop.stop();
});

it('asks triggers while what has fired is being settled, however long that takes', async () => {
  const clock = new ManualClock();
  const settling = Promise.withResolvers<never[]>();
  let asked = 0;
  const loop = new TriggerLoop({
    trading: {
      clock,
      database: {
        query: (text: string) => (text.includes(`'firing', 'waiting'`) ? settling.promise : Promise.resolve([])),
      },
      tokens: { load: async () => new Map() },
    },
    index: new TriggerIndex(),
    log: createLog('silent'),
    loadPools: async () => {
      asked += 1;
      return new Map();
    },
  } as never);
  await loop.start();
  await clock.advance(5_000);
  const mint = address('So11111111111111111111111111111111111111112');
  for (const times of [1, 2]) {
    loop.look(mint);
    await clock.advance(1_000);
    expect(asked).toBe(times);
  }
  settling.resolve([]);
  await loop.stop();
});

it('asks again within seconds where a pool could not be read, and not for ever', async () => {
  const clock = new ManualClock();
  const mint = address('So11111111111111111111111111111111111111112');
  const index = new TriggerIndex();
  const level = { unit: 'sol', value: 1n, when: 'below' } as const;
  index.put({ id: 'a', mint, state: 'open', retryAt: null, rule: aRule({ level }) } as never, 1n);
  const askedAtS: number[] = [];
  const loop = new TriggerLoop({
    trading: { clock, database: { query: async () => [] }, tokens: { load: async () => new Map() } },
    index,
    log: createLog('silent'),
    loadPools: async () => {
      askedAtS.push((clock.nowMs() - startMs) / 1_000);
      return new Map();
    },
  } as never);
  const startMs = clock.nowMs();
  await loop.start();
  await clock.advance(29_000);
  expect(askedAtS).toEqual([0, 5, 10, 15, 20, 25]);
  await clock.advance(60_000);
  expect(askedAtS.filter((at) => at > 35).length).toBeLessThanOrEqual(3);
  await loop.stop();
});
