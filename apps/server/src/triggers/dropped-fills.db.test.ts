import { unitsIn } from '@hunter/domain/market/swap-maths';
import { randomUUID } from 'node:crypto';
import { baseUnits } from '@hunter/domain/numbers/base-units';
import { lamports } from '@hunter/domain/numbers/lamports';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Database } from '../platform/postgres.ts';
import { useTestDatabase } from '../platform/postgres-for-test.ts';
import { FAKE_MINT } from '../trading/fake-chain-for-test.ts';
import { startForkWorld, type ForkWorld } from '../trading/forks-for-test.ts';
import { SELL_ALL, type Order } from '../trading/order.ts';
import { PoolCache } from '../venue/pool-cache.ts';
import { cancelTrigger, loadMyTriggers, pauseTrigger } from './change-triggers.ts';
import { placeTriggers } from './place-triggers.ts';
import type { TriggerRequest } from './read-request.ts';
import { triggersOn, type TestTriggers } from './triggers-for-test.ts';

let inner: Database;
useTestDatabase((opened) => {
  inner = opened;
});

let world: ForkWorld;
let triggers: TestTriggers;

/** At the price of the simulated chain, two lamports for a base unit. */
const pool = {
  solReserve: lamports(2n * 10n ** 15n),
  tokenReserve: baseUnits(10n ** 15n),
  virtualSol: lamports(0n),
  virtualTokens: baseUnits(0n),
  feeBps: 50n,
};

async function startTriggers(): Promise<TestTriggers> {
  const { database, engine, chain, clock } = world;
  return triggersOn({ database, engine, venue: chain, tokens: chain, pools: new PoolCache(chain) } as never, {
    trading: { clock },
    loadPools: async () => new Map([[FAKE_MINT, { pool, isGuess: false }]]),
  });
}

beforeEach(async () => {
  world = await startForkWorld(inner);
  triggers = await startTriggers();
});
afterEach(() => world.close());

const trade = (side: 'buy' | 'sell', amountIn: bigint): Promise<Order> => {
  const { userId, bookId } = world.trader;
  const order = {
    userId,
    bookId,
    mint: FAKE_MINT,
    side,
    amountIn: unitsIn(side, amountIn),
    slippageBps: 500,
    kind: 'close',
    fit: true,
  } as const;
  return world.engine.placeOrder(order);
};

const place = (requests: TriggerRequest[], group?: 'one-cancels-other') =>
  placeTriggers(
    triggers,
    { tokenContractAddress: FAKE_MINT, triggers: requests, ...(group ? { group } : {}) },
    { key: randomUUID(), userId: world.trader.userId },
  );

/** What has settled is told, and everything that follows from it happens. */
async function passes(count = 5): Promise<void> {
  for (let each = 0; each < count; each += 1) {
    triggers.loop.ordersSettled(world.settled.splice(0));
    await triggers.loop.pass();
    await world.clock.pause(300);
  }
}

async function states(): Promise<Record<string, string>> {
  const { userId } = world.trader;
  const of = async (state: 'open' | 'ended') =>
    (await loadMyTriggers(triggers, userId, { state, pageNo: 1, pageSize: 100 })).lists;
  const all = [...(await of('open')), ...(await of('ended'))];
  return Object.fromEntries(all.map(({ kind, state, outcome, firings }) => [kind, `${outcome ?? state} ${firings}`]));
}

const past: TriggerRequest = { kind: 'stop-loss', level: { unit: 'usd', value: '1000000' } };
const far: TriggerRequest = { kind: 'take-profit', level: { unit: 'percent', value: '500' } };
const deep: TriggerRequest = { kind: 'stop-loss', level: { unit: 'percent', value: '90' } };

const lastSale = async () =>
  (
    await world.database.query<{ signature: string }>(
      `select signature from trade_order where user_id = $1 and side = 'sell' order by created_at desc limit 1`,
      [world.trader.userId],
    )
  )[0]!;

it('opens a stop and its target again where the chain drops the sale, sells once more, and says so', async () => {
  await trade('buy', 100_000_000n);
  await place([past, far], 'one-cancels-other');
  await passes();
  expect(await states()).toEqual({ 'stop-loss': 'filled 1', 'take-profit': 'other-fired 0' });
  await world.drop(await lastSale());
  await passes();
  expect(await states()).toEqual({ 'stop-loss': 'filled 2', 'take-profit': 'other-fired 0' });
  const told = await world.database.query<{ news: string }>(
    `select concat_ws(' ', payload ->> 'type', payload ->> 'outcome') as news from alert where user_id = $1 and kind = 'trigger'`,
    [world.trader.userId],
  );
  expect(told.map(({ news }) => news).toSorted()).toEqual([
    'stop-loss filled',
    'stop-loss filled',
    'stop-loss reopened',
    'take-profit reopened',
  ]);
  const [{ left } = { left: null }] = await world.database.query<{ left: bigint }>(
    `select quantity as left from position where book_id = $1`,
    [world.trader.bookId],
  );
  expect(left).toBe(0n);
});

it('opens it again at the next start where the server did not hear that its sale was dropped', async () => {
  await trade('buy', 100_000_000n);
  await place([past]);
  await passes();
  await world.drop(await lastSale());
  world.settled.length = 0;
  triggers = await startTriggers();
  expect(await states()).toEqual({ 'stop-loss': 'open 1' });
  await passes();
  expect(await states()).toEqual({ 'stop-loss': 'filled 2' });
});

it('goes on protecting a position whose sale by hand, or whose later buy, the chain drops', async () => {
  await trade('buy', 100_000_000n);
  await place([deep]);
  await trade('sell', SELL_ALL);
  await passes(1);
  expect(await states()).toEqual({ 'stop-loss': 'position-closed 0' });
  await world.drop(await lastSale());
  await passes(1);
  expect(await states()).toEqual({ 'stop-loss': 'open 0' });
  const more = await trade('buy', 50_000_000n);
  await world.drop(more);
  await passes(1);
  expect(await states()).toEqual({ 'stop-loss': 'open 0' });
});

it('ends what protects a buy that the chain drops', async () => {
  const bought = await trade('buy', 100_000_000n);
  await place([deep]);
  await world.drop(bought);
  await passes(1);
  expect(await states()).toEqual({ 'stop-loss': 'position-closed 0' });
});

it('takes a purchase of a schedule back that the chain drops, and makes it at a later time', async () => {
  const schedule = { intervalSeconds: 3_600, count: 2 };
  await place([{ kind: 'dca', side: 'buy', amount: { unit: 'sol', value: '0.1' }, schedule }]);
  const done = async () =>
    (
      await world.database.query<{ done: string }>(
        `select schedule ->> 'done' as done from order_trigger where user_id = $1`,
        [world.trader.userId],
      )
    )[0]!.done;
  await passes();
  expect(await done()).toBe('1');
  const [bought] = await world.database.query<{ signature: string }>(
    `select signature from trade_order where user_id = $1`,
    [world.trader.userId],
  );
  await world.drop(bought!);
  await passes(1);
  expect(await done()).toBe('0');
});

it('makes the last purchase of a schedule once more where the chain drops it, and no other', async () => {
  const schedule = { intervalSeconds: 60, count: 2 };
  await place([{ kind: 'dca', side: 'buy', amount: { unit: 'sol', value: '0.1' }, schedule }]);
  const made = async () =>
    (
      await world.database.query<{ state: string; done: string }>(
        `select state, schedule ->> 'done' as done from order_trigger where user_id = $1`,
        [world.trader.userId],
      )
    )[0]!;
  await passes();
  await world.clock.pause(60_000);
  await passes();
  expect(await made()).toEqual({ state: 'ended', done: '2' });
  const [last] = await world.database.query<{ signature: string }>(
    `select signature from trade_order where user_id = $1 order by created_at desc limit 1`,
    [world.trader.userId],
  );
  await world.drop(last!);
  await passes(1);
  expect(await made()).toEqual({ state: 'open', done: '1' });
});

const made = async () =>
  (
    await world.database.query<{ state: string; done: string; error: string | null }>(
      `select state, schedule ->> 'done' as done, order_error as error from order_trigger where user_id = $1`,
      [world.trader.userId],
    )
  )[0]!;

const bought = () =>
  world.database.query<{ signature: string }>(
    `select signature from trade_order where user_id = $1 and state in ('confirmed', 'finalized') order by created_at`,
    [world.trader.userId],
  );

it('makes a purchase of a schedule again that the chain drops after the next one', async () => {
  const schedule = { intervalSeconds: 60, count: 3 };
  await place([{ kind: 'dca', side: 'buy', amount: { unit: 'sol', value: '0.1' }, schedule }]);
  await passes();
  await world.clock.pause(60_000);
  await passes();
  expect(await made()).toEqual({ state: 'open', done: '2', error: null });
  await world.drop((await bought())[0]!, { takesOne: true });
  await passes(1);
  expect(await made()).toEqual({ state: 'open', done: '1', error: null });
  await world.clock.pause(60_000);
  await passes();
  await world.clock.pause(60_000);
  await passes();
  expect(await made()).toEqual({ state: 'ended', done: '3', error: null });
});

it('makes all purchases of a schedule again that one fork took along, after it was done', async () => {
  const schedule = { intervalSeconds: 60, count: 2 };
  await place([{ kind: 'dca', side: 'buy', amount: { unit: 'sol', value: '0.1' }, schedule }]);
  await passes();
  await world.clock.pause(60_000);
  await passes();
  expect(await made()).toEqual({ state: 'ended', done: '2', error: null });
  await world.drop((await bought())[0]!);
  await passes(1);
  expect(await made()).toEqual({ state: 'open', done: '0', error: 'TRADE_DROPPED' });
  await passes();
  await world.clock.pause(60_000);
  await passes();
  expect(await made()).toEqual({ state: 'ended', done: '2', error: null });
});

it.each([
  ['paused', pauseTrigger],
  ['ended', cancelTrigger],
] as const)('counts a dropped purchase back of a schedule that is %s, and makes no more', async (state, stop) => {
  const schedule = { intervalSeconds: 60, count: 5 };
  await place([{ kind: 'dca', side: 'buy', amount: { unit: 'sol', value: '0.1' }, schedule }]);
  await passes();
  await world.clock.pause(60_000);
  await passes();
  const [trigger] = (await loadMyTriggers(triggers, world.trader.userId, { state: 'open', pageNo: 1, pageSize: 1 }))
    .lists;
  await stop(triggers, world.trader.userId, trigger!.id);
  await world.drop((await bought())[0]!, { takesOne: true });
  await passes();
  await world.clock.pause(60_000);
  await passes();
  expect(await made()).toEqual({ state, done: '1', error: null });
  expect(await bought()).toHaveLength(1);
});
