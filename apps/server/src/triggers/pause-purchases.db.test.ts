import { randomUUID } from 'node:crypto';
import type { CallReply } from '@hunter/contract/calls';
import { lamports } from '@hunter/domain/numbers/lamports';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { loadCash } from '../ledger/balances.ts';
import { systemClock } from '../platform/clock.ts';
import { createStrategy } from '../strategies/create-strategy.ts';
import { placeInStrategy, placeStrategyRound } from '../strategies/copying/place-strategy-round.ts';
import { followStrategy } from '../strategies/follow-strategy.ts';
import { differencesToChain, strategiesOn } from '../strategies/strategies-for-test.ts';
import { SELL_ALL } from '../trading/order.ts';
import { useTradingWorld } from '../trading/use-trading-world-for-test.ts';
import type { Trader, TradingWorld } from '../trading/world-for-test.ts';
import { loadMyTriggers, resumeTrigger } from './change-triggers.ts';
import { pausePurchases } from './pause-purchases.ts';
import { placeTriggers } from './place-triggers.ts';
import type { TriggerRequest } from './read-request.ts';
import { settleFiring } from './settle-firing.ts';
import { triggersOn, type TestTriggers } from './triggers-for-test.ts';

const SOL = 1_000_000_000n;
const HOUR_MS = 3_600_000;
type View = CallReply<'getMyTriggers'>['lists'][number];

let world: TradingWorld;
let triggers: TestTriggers;
let laterMs: number;

useTradingWorld(async (started) => {
  world = started;
});

beforeEach(async () => {
  laterMs = 0;
  triggers = await triggersOn(world, {
    trading: { clock: { ...systemClock, nowMs: () => systemClock.nowMs() + laterMs } },
  });
});

const aTrader = async (): Promise<Trader> => (await world.traders(1, 5n * SOL))[0]!;
const freeze = ({ userId }: Trader) =>
  world.database.write(`update users set frozen_at = now() where id = $1`, [userId]);
const unfreeze = ({ userId }: Trader) =>
  world.database.write(`update users set frozen_at = null where id = $1`, [userId]);

const amount = { unit: 'sol' as const, value: '0.1' };
const anyPrice = { unit: 'usd' as const, value: '1000000' };
const schedule = { intervalSeconds: HOUR_MS / 1_000, count: 5 };
const dca: TriggerRequest = { kind: 'dca', side: 'buy', amount, schedule };
const limitBuy: TriggerRequest = { kind: 'limit', side: 'buy', level: { ...anyPrice, when: 'below' }, amount };
const stop: TriggerRequest = { kind: 'stop-loss', level: anyPrice };

async function place({ userId }: Trader, requests: TriggerRequest[], bookId?: string): Promise<View[]> {
  const request = { tokenContractAddress: world.mint, triggers: requests, ...(bookId ? { bookId } : {}) };
  return (await placeTriggers(triggers, request, { key: randomUUID(), userId })).lists;
}

const mine = async ({ userId }: Trader, state: 'open' | 'ended'): Promise<View[]> =>
  (await loadMyTriggers(triggers, userId, { state, pageNo: 1, pageSize: 100 })).lists;

async function passUntilQuiet(trader: Trader): Promise<View[]> {
  await triggers.loop.pass();
  await vi.waitFor(
    async () => {
      await triggers.loop.pass();
      expect((await mine(trader, 'open')).filter(({ state }) => state === 'firing')).toEqual([]);
    },
    { timeout: 120_000, interval: 300 },
  );
  return mine(trader, 'open');
}

const boughtBy = ({ userId }: Trader) =>
  world.database.query(
    `select 1 from trade_order where user_id = $1 and side = 'buy' and state in ('confirmed', 'finalized')`,
    [userId],
  );

const PAUSED = { state: 'paused', orderError: 'ACCOUNT_FROZEN', outcome: null };

describe('triggers of a frozen account', () => {
  it('do not buy, then or after unfreezing, until their owner resumes them; a schedule then buys once', async () => {
    const trader = await aTrader();
    const [regular] = await place(trader, [dca, { ...limitBuy, holdFunds: true }]);
    await freeze(trader);
    await pausePurchases(triggers, trader.userId);
    laterMs += 4 * HOUR_MS;
    expect(await passUntilQuiet(trader)).toMatchObject([PAUSED, PAUSED]);
    await unfreeze(trader);
    expect(await passUntilQuiet(trader)).toMatchObject([PAUSED, PAUSED]);
    expect(await boughtBy(trader)).toEqual([]);

    const resumed = await resumeTrigger(triggers, trader.userId, regular!.id);
    expect(resumed).toMatchObject({ state: 'open', orderError: null });
    const after = (await passUntilQuiet(trader)).find(({ id }) => id === regular!.id)!;
    expect(after).toMatchObject({ state: 'open', schedule: { done: 1 } });
    expect(after.schedule!.nextAt).toBeGreaterThan(systemClock.nowMs() + laterMs);
    expect(await boughtBy(trader)).toHaveLength(1);
  });

  it('go on selling', async () => {
    const trader = await aTrader();
    const { userId, bookId } = trader;
    const bought = { userId, bookId, side: 'buy', mint: world.mint, amountIn: lamports(SOL), kind: 'trade' } as const;
    await world.engine.placeOrder({ ...bought, slippageBps: 500 }, { waitMs: 30_000 });
    const [placed] = await place(trader, [stop]);
    await freeze(trader);
    await pausePurchases(triggers, userId);
    await passUntilQuiet(trader);
    expect(await mine(trader, 'ended')).toMatchObject([{ id: placed!.id, outcome: 'filled' }]);
    expect(await loadCash(world.database, bookId, world.mint)).toBe(0n);
    expect(await differencesToChain(world)).toEqual({});
  });

  it('are paused unbought where the freeze comes between the firing and the signature', async () => {
    const trader = await aTrader();
    const placed = await place(trader, [dca, limitBuy]);
    await freeze(trader);
    expect(await passUntilQuiet(trader)).toMatchObject([
      { ...PAUSED, firings: 1 },
      { ...PAUSED, firings: 1 },
    ]);
    expect(await boughtBy(trader)).toEqual([]);
    expect(await differencesToChain(world)).toEqual({});
    const resume = () => resumeTrigger(triggers, trader.userId, placed[0]!.id);
    await expect(resume()).rejects.toMatchObject({ errorName: 'ACCOUNT_FROZEN' });
    await unfreeze(trader);
    await resume();
    // What looks for trades that the chain took back finds none: the order that was not signed never traded.
    await triggers.loop.load();
    const after = (await passUntilQuiet(trader)).find(({ id }) => id === placed[0]!.id)!;
    expect(after.schedule!.done).toBe(1);
    expect(await boughtBy(trader)).toHaveLength(1);
  });

  it('are paused after an order that was on its way', async () => {
    const trader = await aTrader();
    const [placed] = await place(trader, [dca]);
    const orderId = randomUUID();
    await world.database.write(
      `update order_trigger set state = 'firing', order_id = $2, firings = 1, fired_at = now(), due_at = null where id = $1`,
      [placed!.id, orderId],
    );
    await freeze(trader);
    await pausePurchases(triggers, trader.userId);
    await unfreeze(trader);
    expect(await mine(trader, 'open')).toMatchObject([{ state: 'firing', orderId }]);
    await settleFiring(triggers, placed!.id, orderId, 'NO_ROUTE');
    expect(await mine(trader, 'open')).toMatchObject([PAUSED]);
  }, 30_000);

  it('cannot be placed by a request that was under way', async () => {
    const trader = await aTrader();
    await freeze(trader);
    await expect(place(trader, [dca])).rejects.toMatchObject({ errorName: 'ACCOUNT_FROZEN' });
    expect(await mine(trader, 'open')).toEqual([]);
  });
});

describe('a strategy of a frozen account', () => {
  it('buys nothing by a trigger, and lets followers join and sell', async () => {
    const [creator, early, follower] = await world.traders(3, 20n * SOL);
    const strategies = strategiesOn(world);
    const wanted = { name: 'Frozen', description: '', capital: lamports(10n * SOL), coins: [], autoClear: true };
    const { strategy } = await createStrategy(strategies, creator!.userId, wanted, 'frozen');
    const joining = { slug: strategy.slug, mode: 'sol' as const, amount: lamports(2n * SOL), multiplier: '1' };
    await followStrategy(strategies, early!.userId, joining, 'is there');
    const round = { strategyId: strategy.id, side: 'buy' as const, mint: world.mint, amountIn: lamports(2n * SOL) };
    await placeStrategyRound(strategies, { ...round, slippageBps: 500, kind: 'trade', waitMs: 30_000 });
    const before = await boughtBy(creator!);
    triggers = await triggersOn(world, { trading: { placeInStrategy: (wish) => placeInStrategy(strategies, wish) } });
    await place(creator!, [limitBuy], strategy.bookId);
    await freeze(creator!);
    const [paused] = await passUntilQuiet(creator!);
    expect(paused).toMatchObject({ ...PAUSED, bookKind: 'strategy' });
    expect(await boughtBy(creator!)).toEqual(before);
    const told = await world.database.query(
      `select reason from allocation where order_id = $1 and follow_id is not null`,
      [paused!.orderId],
    );
    expect(told).toEqual([{ reason: 'creator-failed' }]);

    const { bookId } = await followStrategy(strategies, follower!.userId, joining, 'joins');
    await vi.waitFor(async () => expect(await loadCash(world.database, bookId, world.mint)).toBeGreaterThan(0n), {
      timeout: 120_000,
      interval: 300,
    });
    const sale = { ...round, side: 'sell' as const, amountIn: SELL_ALL, slippageBps: 1_000, kind: 'close' as const };
    const sold = await placeStrategyRound(strategies, { ...sale, waitMs: 30_000 });
    expect(['confirmed', 'finalized']).toContain(sold.state);
    expect(await loadCash(world.database, bookId, world.mint)).toBe(0n);
    expect(await differencesToChain(world)).toEqual({});
  }, 90_000);
});
