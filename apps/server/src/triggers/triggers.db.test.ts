import { randomUUID } from 'node:crypto';
import type { CallReply } from '@hunter/contract/calls';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { loadCash } from '../ledger/balances.ts';
import type { StoredTrade } from '../market/stored-trade.ts';
import { LeaseLostError } from '../platform/leases.ts';
import { systemClock } from '../platform/clock.ts';
import { lamports } from '@hunter/domain/numbers/lamports';
import { createStrategy } from '../strategies/create-strategy.ts';
import { placeInStrategy, placeStrategyRound } from '../strategies/copying/place-strategy-round.ts';
import { followStrategy } from '../strategies/follow-strategy.ts';
import { differencesToChain, strategiesOn } from '../strategies/strategies-for-test.ts';
import { OrderEngine } from '../trading/order-engine.ts';
import { SELL_ALL } from '../trading/order.ts';
import { useTradingWorld } from '../trading/use-trading-world-for-test.ts';
import type { Trader, TradingWorld } from '../trading/world-for-test.ts';
import {
  cancelAllTriggers,
  cancelTrigger,
  editTrigger,
  loadMyTriggers,
  pauseTrigger,
  resumeTrigger,
} from './change-triggers.ts';
import { placeTriggers } from './place-triggers.ts';
import { previewTriggers } from './preview-triggers.ts';
import type { TriggerRequest } from './read-request.ts';
import { settleFiring } from './settle-firing.ts';
import { tradeAndProtect } from './trade-and-protect.ts';
import { triggersOn, type TestTriggers } from './triggers-for-test.ts';

const SOL = 1_000_000_000n;
type View = CallReply<'getMyTriggers'>['lists'][number];

let world: TradingWorld;
let triggers: TestTriggers;
let whale: Trader;

useTradingWorld(async (started) => {
  world = started;
  whale = (await world.traders(1, 5_000n * SOL))[0]!;
});

beforeEach(async () => {
  triggers = await triggersOn(world);
});

const aTrader = async (sol = 5n): Promise<Trader> => (await world.traders(1, sol * SOL))[0]!;

async function order(trader: Trader, side: 'buy' | 'sell', amountIn: bigint): Promise<void> {
  const { userId, bookId } = trader;
  const placed = await world.engine.placeOrder(
    { userId, bookId, side, mint: world.mint, amountIn, slippageBps: 5_000, kind: 'close', fit: side === 'sell' },
    { waitMs: 30_000 },
  );
  expect(['confirmed', 'finalized']).toContain(placed.state);
  triggers.loop.ordersSettled([placed]);
}

/** Everybody's price rises or falls by some percent. */
const pump = (): Promise<void> => order(whale, 'buy', 400n * SOL);
const dump = (): Promise<void> => order(whale, 'sell', SELL_ALL);

const place = async (trader: Trader, requests: TriggerRequest[], group?: 'one-cancels-other' | 'ladder') => {
  const request = { tokenContractAddress: world.mint, triggers: requests, ...(group ? { group } : {}) };
  const { lists } = await placeTriggers(triggers, request, { key: randomUUID(), userId: trader.userId });
  return lists;
};

const mine = async (trader: Trader, state: 'open' | 'ended', of = triggers): Promise<View[]> =>
  (await loadMyTriggers(of, trader.userId, { state, pageNo: 1, pageSize: 100 })).lists;

/** Passes until nothing of the trader's is firing or waits for its buy. */
async function passUntilQuiet(trader: Trader, of = triggers): Promise<View[]> {
  await of.loop.pass();
  await vi.waitFor(
    async () => {
      await of.loop.pass();
      const open = await mine(trader, 'open', of);
      expect(open.filter(({ state }) => state === 'firing' || state === 'waiting')).toEqual([]);
    },
    { timeout: 30_000, interval: 300 },
  );
  return mine(trader, 'ended', of);
}

const stopAt = (percent: string): TriggerRequest => ({ kind: 'stop-loss', level: { unit: 'percent', value: percent } });
const targetAt = (percent: string): TriggerRequest => ({
  kind: 'take-profit',
  level: { unit: 'percent', value: percent },
});

const ordersOf = (trader: Trader) =>
  world.database.query<{ id: string; side: string; state: string }>(
    `select id, side, state from trade_order where user_id = $1 order by created_at`,
    [trader.userId],
  );

describe('a stop loss', () => {
  it('sells everything once selling it would bring no more than its level, and says at which price it fired', async () => {
    const trader = await aTrader();
    await pump();
    await order(trader, 'buy', SOL);
    const [placed] = await place(trader, [stopAt('4')]);
    expect(placed).toMatchObject({ state: 'open', slippageBps: 2_000, expiresAt: null, outcome: null });
    await triggers.loop.pass();
    expect(await mine(trader, 'ended')).toEqual([]);
    await dump();
    triggers.loop.look(world.mint);
    const [ended] = await passUntilQuiet(trader);
    expect(ended).toMatchObject({ id: placed!.id, outcome: 'filled', firings: 1, orderError: null });
    expect(ended!.txHash).toMatch(/^\w{60,}/);
    expect(Number(ended!.firedPrice)).toBeLessThanOrEqual(Number(ended!.level!.value));
    expect(await loadCash(world.database, trader.bookId, world.mint)).toBe(0n);
    expect(await differencesToChain(world)).toEqual({});
  }, 60_000);

  it('does not fire on a stored trade at another price, in whatever pool that was', async () => {
    const trader = await aTrader();
    await order(trader, 'buy', SOL);
    await place(trader, [stopAt('30')]);
    const dust = { mint: world.mint, priceSol: 1n, isBuy: false, wallet: 'stranger', atMs: 0 } as StoredTrade;
    triggers.loop.tradesStored([dust]);
    await triggers.loop.pass();
    expect((await mine(trader, 'open')).map(({ state }) => state)).toEqual(['open']);
  });

  it('is asked when SOL, the supply or the liquidity changes without a trade', async () => {
    const trader = await aTrader();
    await order(trader, 'buy', SOL);
    let solUsdMicro = 150_000_000n;
    let pulled = 0n;
    triggers = await triggersOn(world, {
      market: { solUsdMicro: () => solUsdMicro },
      loadPools: async (mints) => {
        const [pool] = (await world.venue.pools(mints)).values();
        const [solReserve, tokenReserve] = [lamports(pool!.solReserve - pulled), pool!.tokenReserve];
        return new Map([[world.mint, { pool: { ...pool!, solReserve, tokenReserve }, isGuess: false }]]);
      },
    });
    const levelInSol = async () => Number((await mine(trader, 'open'))[0]!.level!.value);
    await place(trader, [{ ...stopAt('30'), amount: { unit: 'percent-held', value: '50' } }]);
    const inDollars = { unit: 'usd' as const, value: ((await levelInSol()) * 150).toFixed(15) };
    await place(trader, [{ kind: 'stop-loss', level: inDollars, amount: { unit: 'percent-held', value: '10' } }]);
    await triggers.loop.pass();
    expect(await mine(trader, 'ended')).toEqual([]);
    solUsdMicro = 90_000_000n;
    triggers.loop.solPriceChanged();
    expect((await passUntilQuiet(trader)).map(({ level }) => level!.unit)).toEqual(['usd']);
    pulled = (await world.venue.pools([world.mint])).get(world.mint)!.solReserve / 2n;
    triggers.loop.tokensChanged([world.mint, 'SomeOther']);
    expect((await passUntilQuiet(trader)).map(({ level }) => level!.unit).sort()).toEqual(['sol', 'usd']);
  }, 60_000);

  it('is canceled by its take profit, and the other way round, once that has traded', async () => {
    const trader = await aTrader();
    await order(trader, 'buy', SOL);
    await place(trader, [stopAt('50'), targetAt('3')], 'one-cancels-other');
    await pump();
    triggers.loop.look(world.mint);
    const ended = await passUntilQuiet(trader);
    expect(Object.fromEntries(ended.map(({ kind, outcome }) => [kind, outcome]))).toEqual({
      'stop-loss': 'other-fired',
      'take-profit': 'filled',
    });
    expect((await ordersOf(trader)).filter(({ side }) => side === 'sell')).toHaveLength(1);
    await dump();
  }, 60_000);

  it('ends with the position it protects, and a later entry does not inherit it', async () => {
    const trader = await aTrader();
    await order(trader, 'buy', SOL);
    await place(trader, [stopAt('1')]);
    await order(trader, 'sell', SELL_ALL);
    await order(trader, 'buy', SOL);
    await pump();
    await dump();
    triggers.loop.look(world.mint);
    const ended = await passUntilQuiet(trader);
    expect(ended.map(({ outcome }) => outcome)).toEqual(['position-closed']);
    expect(await loadCash(world.database, trader.bookId, world.mint)).toBeGreaterThan(0n);
  }, 60_000);
});

describe('a buy with protection', () => {
  it('writes its stop and target in its own transaction and arms them when it has traded', async () => {
    const trader = await aTrader();
    const request = {
      tokenContractAddress: world.mint,
      side: 'buy' as const,
      amount: '1',
      protect: {
        stopLoss: { unit: 'percent' as const, value: '10' },
        takeProfit: { unit: 'percent' as const, value: '50' },
      },
    };
    const bought = await tradeAndProtect(triggers.trading, request, { key: randomUUID(), userId: trader.userId });
    const waiting = await mine(trader, 'open');
    expect(waiting.map(({ state, entryOrderId }) => [state, entryOrderId])).toEqual([
      ['waiting', bought.id],
      ['waiting', bought.id],
    ]);
    // Whoever starts next arms them: nothing of it was in the memory of the one who bought.
    const next = await triggersOn(world);
    await passUntilQuiet(trader, next);
    const armed = await mine(trader, 'open', next);
    const stop = armed.find(({ kind }) => kind === 'stop-loss')!;
    const target = armed.find(({ kind }) => kind === 'take-profit')!;
    expect([stop.state, target.state]).toEqual(['open', 'open']);
    expect(stop.group).toEqual(target.group);
    const cost = Number(bought.price);
    expect(Number(stop.level!.value) / cost).toBeCloseTo(0.9, 3);
    expect(Number(target.level!.value) / cost).toBeCloseTo(1.5, 3);
    expect(stop.positionOpenedAt).not.toBeNull();
  }, 30_000);

  it('buys once and protects once when the same request comes to two processes many times at once', async () => {
    const trader = await aTrader();
    const { trading } = triggers;
    const engines = [world.engine, new OrderEngine(world.ports)];
    const protect = { stopLoss: { unit: 'percent' as const, value: '90' } };
    const request = {
      tokenContractAddress: world.mint,
      side: 'buy' as const,
      amount: '3',
      slippageBps: 5_000,
      protect,
    };
    const requested = { key: 'many at once', userId: trader.userId };
    const bought = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        tradeAndProtect({ ...trading, engine: engines[index % 2]! }, request, requested),
      ),
    );
    expect(new Set(bought.map(({ id }) => id)).size).toBe(1);
    await passUntilQuiet(trader);
    expect(await mine(trader, 'open')).toHaveLength(1);
  });

  it('ends its stop where the buy is refused after all', async () => {
    const trader = await aTrader();
    const request = { tokenContractAddress: world.mint, side: 'buy' as const, amount: '1' };
    const protect = { trailing: '10' };
    const { signer } = world.ports;
    const refusing = vi
      .spyOn(signer, 'signSwaps')
      .mockImplementation(async (swaps) =>
        swaps.map(() => ({ ok: false, error: 'SIGNING_DENIED', reason: 'test' }) as const),
      );
    const buying = tradeAndProtect(
      triggers.trading,
      { ...request, protect },
      { key: randomUUID(), userId: trader.userId },
    );
    const refused = await buying.then(
      () => null,
      (error: unknown) => error,
    );
    refusing.mockRestore();
    expect(refused).toMatchObject({ errorName: 'SIGNING_DENIED' });
    const ended = await passUntilQuiet(trader);
    expect(ended.map(({ kind, outcome }) => [kind, outcome])).toEqual([['trailing-stop', 'entry-not-filled']]);
  }, 30_000);
});

describe('a limit buy', () => {
  const limitAt = async (factor: number, rest: Partial<TriggerRequest> = {}): Promise<TriggerRequest> => {
    const { outAmount } = await world.venue.quote({ mint: world.mint, side: 'buy', amount: SOL, slippageBps: 100 });
    const now = 1 / (Number(outAmount) / 1e6);
    return {
      kind: 'limit',
      side: 'buy',
      level: { unit: 'sol', value: (now * factor).toFixed(18), when: 'below' },
      amount: { unit: 'sol', value: '1' },
      ...rest,
    };
  };

  it('sets its SOL aside, buys no dearer than its level, and places its own protection', async () => {
    const trader = await aTrader();
    await pump();
    const request = await limitAt(0.97, { holdFunds: true, protect: { stopLoss: { unit: 'percent', value: '20' } } });
    const [placed] = await place(trader, [request]);
    expect(Number(placed!.heldSol)).toBeGreaterThan(1);
    expect(await loadCash(world.database, trader.bookId, 'SOL')).toBeLessThan(4n * SOL);
    await triggers.loop.pass();
    expect((await ordersOf(trader)).length).toBe(0);
    await dump();
    triggers.loop.look(world.mint);
    const [ended] = await passUntilQuiet(trader);
    expect(ended).toMatchObject({ kind: 'limit', outcome: 'filled', heldSol: null });
    const [bought] = await world.database.query<{ spent: bigint; got: bigint }>(
      `select filled_in as spent, filled_out as got from trade_order where id = $1`,
      [ended!.orderId],
    );
    expect(Number(bought!.spent) / 1e9 / (Number(bought!.got) / 1e6)).toBeLessThanOrEqual(Number(placed!.level!.value));
    const [stop] = await mine(trader, 'open');
    expect(stop).toMatchObject({ kind: 'stop-loss', state: 'open' });
    expect(await differencesToChain(world)).toEqual({});
  }, 60_000);

  it('gives its SOL back when it is canceled, and none of it twice', async () => {
    const trader = await aTrader();
    const before = await loadCash(world.database, trader.bookId, 'SOL');
    const [placed] = await place(trader, [await limitAt(0.5, { holdFunds: true })]);
    const edited = await editTrigger(triggers, trader.userId, { id: placed!.id, amount: { unit: 'sol', value: '2' } });
    expect(Number(edited.heldSol)).toBeGreaterThan(2);
    const canceled = await cancelTrigger(triggers, trader.userId, placed!.id);
    expect(canceled).toMatchObject({ state: 'ended', outcome: 'canceled', heldSol: null });
    await expect(cancelTrigger(triggers, trader.userId, placed!.id)).rejects.toMatchObject({
      errorName: 'TRIGGER_NOT_CHANGEABLE',
    });
    expect(await loadCash(world.database, trader.bookId, 'SOL')).toBe(before);
  });

  it('that cannot pay when it fires says so', async () => {
    const trader = await aTrader(1n);
    await place(trader, [await limitAt(2)]);
    const [ended] = await passUntilQuiet(trader);
    expect(ended).toMatchObject({ outcome: 'insufficient-balance', orderError: 'INSUFFICIENT_BALANCE', orderId: null });
  });
});

describe('triggers through crashes and takeovers', () => {
  it('fire once when two passes, a replay and a replaced server see the same change', async () => {
    const trader = await aTrader();
    await order(trader, 'buy', SOL);
    const replaced = await triggersOn(world);
    triggers = await triggersOn(world);
    await place(trader, [{ kind: 'stop-loss', level: { unit: 'usd', value: '1000000' } }]);
    await replaced.loop.load();
    await expect(replaced.loop.pass()).rejects.toThrow(LeaseLostError);
    expect((await mine(trader, 'open')).map(({ firings }) => firings)).toEqual([0]);
    triggers.loop.look(world.mint);
    await Promise.all([triggers.loop.pass(), triggers.loop.pass()]);
    const [ended] = await passUntilQuiet(trader);
    expect(ended).toMatchObject({ outcome: 'filled', firings: 1 });
    expect((await ordersOf(trader)).filter(({ side }) => side === 'sell')).toHaveLength(1);
  }, 60_000);

  it('are not placed by a server that was replaced: the next one would not know of them', async () => {
    const trader = await aTrader();
    const replaced = triggers;
    triggers = await triggersOn(world);
    const amount = { unit: 'sol', value: '0.1' } as const;
    const level = { unit: 'sol', value: '0.000000001', when: 'below' } as const;
    const request = {
      tokenContractAddress: world.mint,
      triggers: [{ kind: 'limit' as const, side: 'buy' as const, amount, level }],
    };
    const requested = { key: 'while it is replaced', userId: trader.userId };
    await expect(placeTriggers(replaced, request, requested)).rejects.toThrow(LeaseLostError);
    expect(await mine(trader, 'open')).toEqual([]);
    await placeTriggers(triggers, request, requested);
    expect(await mine(trader, 'open')).toHaveLength(1);
  });

  it('trade once when the process dies between writing the order and sending it', async () => {
    const trader = await aTrader();
    await order(trader, 'buy', SOL);
    const dying = await triggersOn(world, {
      trading: {
        engine: Object.assign(Object.create(world.engine), {
          placeIn: world.engine.placeIn.bind(world.engine),
          carryOut: () => {},
        }),
      },
    });
    await placeTriggers(
      dying,
      { tokenContractAddress: world.mint, triggers: [{ kind: 'stop-loss', level: { unit: 'usd', value: '1000000' } }] },
      { key: 'x', userId: trader.userId },
    );
    await dying.loop.pass();
    expect((await mine(trader, 'open')).map(({ state }) => state)).toEqual(['firing']);
    const next = await triggersOn(world);
    const [ended] = await passUntilQuiet(trader, next);
    expect(ended).toMatchObject({ outcome: 'filled', firings: 1 });
    expect((await ordersOf(trader)).filter(({ side }) => side === 'sell')).toHaveLength(1);
    expect(await differencesToChain(world)).toEqual({});
  }, 60_000);
});

describe('a schedule', () => {
  it('buys at each of its times, leaves out those outside its bounds, and ends when all are made', async () => {
    const trader = await aTrader();
    let laterMs = 0;
    triggers = await triggersOn(world, {
      trading: { clock: { ...systemClock, nowMs: () => systemClock.nowMs() + laterMs } },
    });
    const schedule = { intervalSeconds: 3_600, count: 2 };
    await place(trader, [{ kind: 'dca', side: 'buy', amount: { unit: 'sol', value: '0.1' }, schedule }]);
    await passUntilQuiet(trader);
    const [half] = await mine(trader, 'open');
    expect(half!.schedule).toMatchObject({ done: 1, count: 2 });
    laterMs += 5 * 3_600_000;
    const [ended] = await passUntilQuiet(trader);
    expect(ended).toMatchObject({ outcome: 'schedule-done', firings: 2 });
    expect(await ordersOf(trader)).toHaveLength(2);
    const highest = { unit: 'usd' as const, value: '0.000000000001' };
    await place(trader, [
      { kind: 'dca', side: 'buy', amount: { unit: 'sol', value: '0.1' }, schedule: { ...schedule, highest } },
    ]);
    await triggers.loop.pass();
    const [left] = await mine(trader, 'open');
    expect(left!.schedule).toMatchObject({ done: 0 });
    expect(left!.schedule!.nextAt).toBe(left!.createdAt + 3_600_000);
    laterMs += 30 * 86_400_000;
    expect((await passUntilQuiet(trader)).map(({ outcome }) => outcome)).toContain('expired');
  }, 60_000);
});

describe('a due trigger that nobody can price', () => {
  it('is asked now and then only, so that those behind it get their turn', async () => {
    const trader = await aTrader();
    let laterMs = 0;
    const asked: string[][] = [];
    triggers = await triggersOn(world, {
      trading: { clock: { ...systemClock, nowMs: () => systemClock.nowMs() + laterMs } },
      loadPools: async (mints) => {
        asked.push([...mints]);
        return new Map();
      },
    });
    const highest = { unit: 'sol' as const, value: '1' };
    const schedule = { intervalSeconds: 3_600, count: 2, highest };
    const [placed] = await place(trader, [
      { kind: 'dca', side: 'buy', amount: { unit: 'sol', value: '0.1' }, schedule },
    ]);
    const asksOf = async (): Promise<number> => {
      asked.length = 0;
      await triggers.loop.pass();
      return asked.flat().filter((mint) => mint === world.mint).length;
    };
    await asksOf();
    expect(await asksOf()).toBe(0);
    laterMs += 30_000;
    expect(await asksOf()).toBeGreaterThan(0);
    await cancelTrigger(triggers, trader.userId, placed!.id);
  }, 30_000);
});

describe('triggers whose orders are on their way when all are canceled', () => {
  it('end with that order, and neither go on with a schedule nor wait for their level again', async () => {
    const trader = await aTrader();
    await order(trader, 'buy', SOL);
    const schedule = { intervalSeconds: 3_600, count: 2 };
    const placed = await place(trader, [
      { kind: 'dca', side: 'buy', amount: { unit: 'sol', value: '0.1' }, schedule },
      stopAt('50'),
      stopAt('60'),
    ]);
    const [dca, stop] = placed.map(({ id }) => ({ id, orderId: randomUUID() }));
    const firing = [dca!, stop!];
    for (const { id, orderId } of firing) {
      await world.database.query(
        `update order_trigger set state = 'firing', order_id = $2, firings = 1, fired_at = now(), due_at = null where id = $1`,
        [id, orderId],
      );
    }
    expect(await cancelAllTriggers(triggers, trader.userId, {})).toEqual({ canceled: 1 });
    expect((await mine(trader, 'open')).map(({ state }) => state)).toEqual(['firing', 'firing']);
    for (const { id, orderId } of firing) await settleFiring(triggers, id, orderId, 'NO_ROUTE');
    expect(await mine(trader, 'open')).toEqual([]);
    expect((await mine(trader, 'ended')).map(({ outcome }) => outcome)).toEqual(['canceled', 'canceled', 'canceled']);
  }, 30_000);
});

describe('other exits', () => {
  it('sell after a time, when the creator of the token sells, and when the price has fallen from its high', async () => {
    const [timed, creators, trailing] = await Promise.all([aTrader(), aTrader(), aTrader()]);
    let laterMs = 0;
    triggers = await triggersOn(world, {
      trading: { clock: { ...systemClock, nowMs: () => systemClock.nowMs() + laterMs } },
      market: { token: () => ({ decimals: 6, supply: 10n ** 15n, creator: 'creator' }) },
    });
    for (const trader of [timed, creators, trailing]) await order(trader, 'buy', SOL);
    await place(timed, [{ kind: 'after-time', afterSeconds: 60 }]);
    await place(creators, [{ kind: 'creator-sells' }]);
    await place(trailing, [{ kind: 'trailing-stop', trailing: { percent: '3' } }]);
    await triggers.loop.pass();
    await pump();
    triggers.loop.look(world.mint);
    await triggers.loop.pass();
    const [risen] = await mine(trailing, 'open');
    expect(Number(risen!.trailing!.highPrice)).toBeGreaterThan(0);
    expect(Number(risen!.trailing!.firesAt)).toBeCloseTo(Number(risen!.trailing!.highPrice) * 0.97, 12);
    await dump();
    laterMs += 61_000;
    const sale = {
      mint: world.mint,
      isBuy: false,
      wallet: 'creator',
      atMs: systemClock.nowMs() + laterMs,
    } as StoredTrade;
    triggers.loop.tradesStored([sale]);
    for (const trader of [timed, creators, trailing]) {
      expect((await passUntilQuiet(trader)).map(({ outcome }) => outcome)).toEqual(['filled']);
    }
  }, 90_000);

  it('miss no sale of the creator: neither right after a start nor while nobody prices the token', async () => {
    const trader = await aTrader();
    await order(trader, 'buy', SOL);
    const market = {
      token: () => ({ decimals: 6, supply: 10n ** 15n, creator: 'creator' }),
      lastSale: async () => new Date(0),
    };
    triggers = await triggersOn(world, { market });
    await place(trader, [{ kind: 'creator-sells' }]);
    const real = triggers.loadPools;
    let isPriced = true;
    const loadPools: typeof real = async (mints) => (isPriced ? real(mints) : new Map());
    // It finds the sale of long ago, asks, and leaves the trigger alone for a while.
    triggers = await triggersOn(world, { market, loadPools });
    await triggers.loop.pass();
    isPriced = false;
    const sale = {
      mint: world.mint,
      isBuy: false,
      wallet: 'creator',
      atMs: systemClock.nowMs() + 1_000,
    } as StoredTrade;
    triggers.loop.tradesStored([sale]);
    await triggers.loop.pass();
    expect((await mine(trader, 'open')).map(({ state }) => state)).toEqual(['open']);
    isPriced = true;
    triggers.loop.look(world.mint);
    expect((await passUntilQuiet(trader)).map(({ outcome }) => outcome)).toEqual(['filled']);
  }, 60_000);

  it('miss no sale of the creator that came while they were paused', async () => {
    const trader = await aTrader();
    await order(trader, 'buy', SOL);
    let soldAt = new Date(0);
    triggers = await triggersOn(world, {
      market: {
        token: () => ({ decimals: 6, supply: 10n ** 15n, creator: 'creator' }),
        lastSale: async () => soldAt,
      },
    });
    const [placed] = await place(trader, [{ kind: 'creator-sells' }]);
    const { id } = placed!;
    await pauseTrigger(triggers, trader.userId, id);
    await resumeTrigger(triggers, trader.userId, id);
    await triggers.loop.pass();
    expect(await mine(trader, 'open')).toMatchObject([{ id, state: 'open', firings: 0 }]);
    await pauseTrigger(triggers, trader.userId, id);
    soldAt = new Date(placed!.createdAt);
    await resumeTrigger(triggers, trader.userId, id);
    expect(await passUntilQuiet(trader)).toMatchObject([{ id, outcome: 'filled' }]);
  }, 60_000);

  it('wait for a quote where nobody tells the reserves, and go by that', async () => {
    const trader = await aTrader();
    await order(trader, 'buy', SOL);
    const real = triggers.loadPools;
    let isWrong = true;
    triggers = await triggersOn(world, {
      loadPools: async (mints) => {
        const pools = new Map(await real(mints));
        for (const [mint, { pool }] of pools) {
          const solReserve = (isWrong ? pool.solReserve / 10n : pool.solReserve) as typeof pool.solReserve;
          pools.set(mint, { pool: { ...pool, solReserve }, isGuess: true });
        }
        return pools;
      },
    });
    await place(trader, [stopAt('40')]);
    await triggers.loop.pass();
    expect((await mine(trader, 'open')).map(({ state }) => state)).toEqual(['open']);
    isWrong = false;
    expect(await ordersOf(trader)).toHaveLength(1);
  }, 30_000);
});

describe('the owner of triggers', () => {
  it('edits, pauses, resumes and cancels them; to anybody else they do not exist', async () => {
    const [trader, stranger] = await Promise.all([aTrader(), aTrader()]);
    await order(trader, 'buy', SOL);
    const [stop] = await place(trader, [stopAt('50')]);
    const edited = await editTrigger(triggers, trader.userId, {
      id: stop!.id,
      level: { unit: 'usd', value: '1000000' },
      slippageBps: 500,
    });
    expect(edited).toMatchObject({ slippageBps: 500, level: { unit: 'usd', value: '1000000', when: 'below' } });
    await pauseTrigger(triggers, trader.userId, stop!.id);
    await triggers.loop.pass();
    expect((await mine(trader, 'open')).map(({ state }) => state)).toEqual(['paused']);
    for (const act of [pauseTrigger, resumeTrigger, cancelTrigger]) {
      await expect(act(triggers, stranger.userId, stop!.id)).rejects.toMatchObject({ errorName: 'NOT_FOUND' });
    }
    expect(await cancelAllTriggers(triggers, stranger.userId, {})).toEqual({ canceled: 0 });
    expect(await mine(stranger, 'open')).toEqual([]);
    await resumeTrigger(triggers, trader.userId, stop!.id);
    const [ended] = await passUntilQuiet(trader);
    expect(ended).toMatchObject({ outcome: 'filled' });
  }, 30_000);

  it('has at most a hundred, and is told what speaks against one before placing it', async () => {
    const trader = await aTrader();
    await order(trader, 'buy', SOL);
    const request = {
      tokenContractAddress: world.mint,
      triggers: [{ kind: 'stop-loss' as const, level: { unit: 'usd' as const, value: '1000000' } }],
    };
    const { lists } = await previewTriggers(triggers, request, trader.userId);
    expect(lists[0]).toMatchObject({ kind: 'stop-loss', slippageBps: 2_000 });
    expect(lists[0]!.warnings).toEqual(expect.arrayContaining(['already-past-level', 'far-from-price']));
    const below = { ...request, triggers: [stopAt('20')] };
    const [preview] = (await previewTriggers(triggers, below, trader.userId)).lists;
    expect(preview!.warnings).toEqual([]);
    expect(Number(preview!.getsAbout)).toBeCloseTo(0.8, 2);
    expect(Number(preview!.firesAt!.priceSol) / Number(preview!.priceNow)).toBeCloseTo(0.8, 1);
    const stops = (length: number) => Array.from({ length }, () => stopAt('90'));
    for (let each = 0; each < 9; each += 1) await place(trader, stops(10));
    await place(trader, stops(9));
    // Buys with their stops at the same moment, of which one finds room; the others buy nothing.
    const buy = { tokenContractAddress: world.mint, side: 'buy' as const, amount: '0.1', protect: { trailing: '10' } };
    const bought = await Promise.allSettled(
      stops(4).map(() => tradeAndProtect(triggers.trading, buy, { key: randomUUID(), userId: trader.userId })),
    );
    const refusals = bought.flatMap((one) => (one.status === 'rejected' ? [one.reason as { errorName: string }] : []));
    expect(refusals.map(({ errorName }) => errorName)).toEqual(['TRIGGER_LIMIT', 'TRIGGER_LIMIT', 'TRIGGER_LIMIT']);
    expect(
      await world.database.query(`select 1 from trade_order where user_id = $1 and side = 'buy'`, [trader.userId]),
    ).toHaveLength(2);
    await expect(place(trader, [stopAt('90')])).rejects.toMatchObject({ errorName: 'TRIGGER_LIMIT' });
    expect(await cancelAllTriggers(triggers, trader.userId, {})).toEqual({ canceled: 100 });
  }, 60_000);

  it('fills no database by being placed and canceled without end', async () => {
    const trader = await aTrader();
    await order(trader, 'buy', SOL);
    await place(trader, [stopAt('90')]);
    await cancelAllTriggers(triggers, trader.userId, {});
    const copies = async (count: number, placedAgo: string) =>
      void (await world.database.query(
        `insert into order_trigger select (jsonb_populate_record(t, jsonb_build_object(
           'id', gen_random_uuid(), 'created_at', t.created_at - $3::interval))).*
         from order_trigger t, generate_series(1, $2) where t.user_id = $1
           and t.created_at = (select max(created_at) from order_trigger where user_id = $1)`,
        [trader.userId, count, placedAgo],
      ));
    await copies(4_000, '1 day');
    await copies(4_998, '0 seconds');
    await place(trader, [stopAt('90')]);
    await expect(place(trader, [stopAt('90')])).rejects.toMatchObject({ errorName: 'TRIGGERS_PER_DAY' });
  }, 60_000);
});

describe('a trigger in a strategy', () => {
  it('makes one round for the creator and his followers at one price', async () => {
    const [creator, ...followers] = await world.traders(4, 30n * SOL);
    const strategies = strategiesOn(world);
    const capital = lamports(10n * SOL);
    const wanted = { name: 'With a stop', description: '', capital, coins: [], autoClear: true };
    const { strategy } = await createStrategy(strategies, creator!.userId, wanted, 'with a stop');
    for (const { userId } of followers) {
      const follow = { slug: strategy.slug, mode: 'sol' as const, amount: lamports(2n * SOL), multiplier: '1' };
      await followStrategy(strategies, userId, follow, `follow ${userId}`);
    }
    const round = { strategyId: strategy.id, side: 'buy' as const, mint: world.mint, amountIn: 2n * SOL };
    await placeStrategyRound(strategies, { ...round, slippageBps: 500, kind: 'trade', waitMs: 30_000 });
    triggers = await triggersOn(world, { trading: { placeInStrategy: (wish) => placeInStrategy(strategies, wish) } });
    const request = {
      tokenContractAddress: world.mint,
      bookId: strategy.bookId,
      triggers: [{ kind: 'stop-loss' as const, level: { unit: 'usd' as const, value: '1000000' } }],
    };
    await placeTriggers(triggers, request, { key: 'stop', userId: creator!.userId });
    const [ended] = await passUntilQuiet(creator!);
    expect(ended).toMatchObject({ outcome: 'filled', bookKind: 'strategy', firings: 1 });
    const parts = await world.database.query<{ amountIn: bigint; filledIn: bigint; filledOut: bigint }>(
      `select amount_in as "amountIn", filled_in as "filledIn", filled_out as "filledOut" from filled_allocation where order_id = $1`,
      [ended!.orderId],
    );
    expect(parts).toHaveLength(4);
    const prices = parts.map(({ filledIn, filledOut }) => Number(filledOut) / Number(filledIn));
    for (const price of prices) expect(price / prices[0]!).toBeCloseTo(1, 5);
    const left = await world.database.query(
      `select 1 from balance b join book k on k.id = b.book_id where k.wallet_id = $1 and b.asset = $2 and b.amount > 0`,
      [strategy.walletId, world.mint],
    );
    expect(left).toEqual([]);
    expect(await differencesToChain(world)).toEqual({});
  }, 90_000);
});
