import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { unitsOut } from '@hunter/domain/market/swap-maths';
import { mintNamed } from '@hunter/domain/address-for-test';
import { loadCash } from '../ledger/balances.ts';
import type { StoredTrade } from '../market/stored-trade.ts';
import { systemClock } from '../platform/clock.ts';
import { lamports } from '@hunter/domain/numbers/lamports';
import { createStrategy } from '../strategies/create-strategy.ts';
import { placeInStrategy, placeStrategyRound } from '../strategies/copying/place-strategy-round.ts';
import { followStrategy } from '../strategies/follow-strategy.ts';
import type { Strategies } from '../strategies/strategies.ts';
import { differencesToChain, strategiesOn } from '../strategies/strategies-for-test.ts';
import type { EnginePorts } from '../trading/engine-ports.ts';
import { SELL_ALL, type NewOrder, type Order } from '../trading/order.ts';
import { OrderEngine } from '../trading/order-engine.ts';
import { useTradingWorld } from '../trading/use-trading-world-for-test.ts';
import type { Trader, TradingWorld } from '../trading/world-for-test.ts';
import { cancelTrigger, pauseTrigger, resumeTrigger } from './change-triggers.ts';
import { placeTriggers } from './place-triggers.ts';
import { settleFiring } from './settle-firing.ts';
import { triggersOn, type TestTriggers } from './triggers-for-test.ts';
import { SOL, stopAt, targetAt, triggerSteps } from './trigger-steps-for-test.ts';

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

const { aTrader, order, pump, dump, place, mine, passUntilQuiet, ordersOf } = triggerSteps(() => ({
  world,
  triggers,
  whale,
}));

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
  });

  it('does not fire on a stored trade at another price, in whatever pool that was', async () => {
    const trader = await aTrader();
    await order(trader, 'buy', SOL);
    await place(trader, [stopAt('30')]);
    const dust = {
      mint: world.mint,
      priceSol: 1n,
      isBuy: false,
      wallet: 'stranger',
      atMs: 0,
    } as Partial<StoredTrade> as StoredTrade;
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
    triggers.loop.tokensChanged([world.mint, mintNamed('SomeOther')]);
    expect((await passUntilQuiet(trader)).map(({ level }) => level!.unit).sort()).toEqual(['sol', 'usd']);
  });

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
  });

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
  });
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
    } as Partial<StoredTrade> as StoredTrade;
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
    } as Partial<StoredTrade> as StoredTrade;
    triggers.loop.tradesStored([sale]);
    await triggers.loop.pass();
    expect((await mine(trader, 'open')).map(({ state }) => state)).toEqual(['open']);
    isPriced = true;
    triggers.loop.look(world.mint);
    expect((await passUntilQuiet(trader)).map(({ outcome }) => outcome)).toEqual(['filled']);
  });

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
  });

  it('miss no sale of the creator that was stored while the market could not be followed', async () => {
    const trader = await aTrader();
    await order(trader, 'buy', SOL);
    let soldAt: Date | null = null;
    triggers = await triggersOn(world, {
      market: {
        token: () => ({ decimals: 6, supply: 10n ** 15n, creator: 'creator' }),
        lastSale: async () => soldAt,
      },
    });
    const [placed] = await place(trader, [{ kind: 'creator-sells' }]);
    await triggers.loop.pass();
    soldAt = new Date(placed!.createdAt);
    triggers.loop.marketReset();
    await triggers.loop.pass();
    expect(await passUntilQuiet(trader)).toMatchObject([{ id: placed!.id, outcome: 'filled' }]);
  });

  it('miss no sale of the creator that came while another of their group was firing', async () => {
    const trader = await aTrader();
    await order(trader, 'buy', SOL);
    let laterMs = 0;
    triggers = await triggersOn(world, {
      trading: { clock: { ...systemClock, nowMs: () => systemClock.nowMs() + laterMs } },
      market: { token: () => ({ decimals: 6, supply: 10n ** 15n, creator: 'creator' }) },
    });
    const group = 'one-cancels-other';
    const [target, exit] = await place(trader, [targetAt('90'), { kind: 'creator-sells' }], group);
    const orderId = randomUUID();
    await world.database.write(
      `update order_trigger set state = 'firing', order_id = $2, firings = 1, fired_at = now(), due_at = null where id = $1`,
      [target!.id, orderId],
    );
    const sale = { mint: world.mint, isBuy: false, wallet: 'creator', atMs: systemClock.nowMs() + 1_000 };
    triggers.loop.tradesStored([sale as Partial<StoredTrade> as StoredTrade]);
    await triggers.loop.pass();
    // The sale is why the target misses its price.
    await settleFiring(triggers, target!.id, orderId, 'PRICE_MOVED');
    laterMs = 6_000;
    const ended = await passUntilQuiet(trader);
    expect(ended.find(({ id }) => id === exit!.id)).toMatchObject({ outcome: 'filled' });
  });

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
  });
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
    const round = { strategyId: strategy.id, side: 'buy' as const, mint: world.mint, amountIn: lamports(2n * SOL) };
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

  it('buys once where its round misses the price of the followers and its creator goes on alone', async () => {
    const [creator, follower] = await world.traders(2, 30n * SOL);
    const plain = strategiesOn(world);
    const wanted = { name: 'Buys', description: '', capital: lamports(10n * SOL), coins: [], autoClear: true };
    const { strategy } = await createStrategy(plain, creator!.userId, wanted, 'with a purchase');
    const follow = { slug: strategy.slug, mode: 'sol' as const, amount: lamports(2n * SOL), multiplier: '1' };
    await followStrategy(plain, follower!.userId, follow, 'follow a purchase');
    const missed: Order[] = [];
    const venue: EnginePorts['venue'] = {
      profile: world.venue.profile,
      execute: (input) => world.venue.execute(input),
      tokens: (mints) => world.venue.tokens(mints),
      // A swap with followers finds a price that they do not take.
      quote: async (input) => {
        const quote = await world.venue.quote(input);
        const isRound = input.taker !== undefined && input.amount > SOL;
        return isRound ? { ...quote, outAmount: unitsOut(input.side, quote.outAmount / 2n) } : quote;
      },
    };
    const engine = new OrderEngine({ ...world.ports, venue, onSettled: (orders) => missed.push(...orders) });
    const stopHearing = world.subscriptions.slot(() => engine.slotSeen());
    const pools: Strategies['pools'] = {
      load: async (mints) => {
        // Between the round and the creator's own part.
        if (missed.length > 0) {
          triggers.loop.ordersSettled(missed.splice(0));
          await triggers.loop.pass();
        }
        return world.pools.load(mints);
      },
    };
    const place = (wish: NewOrder) => placeInStrategy({ ...plain, engine, pools }, wish);
    triggers = await triggersOn(world, { trading: { placeInStrategy: place } });
    const level = { unit: 'usd' as const, value: '1000000', when: 'below' as const };
    const amount = { unit: 'sol' as const, value: '1' };
    const request = {
      tokenContractAddress: world.mint,
      bookId: strategy.bookId,
      triggers: [{ kind: 'limit' as const, side: 'buy' as const, level, amount }],
    };
    await placeTriggers(triggers, request, { key: 'purchase', userId: creator!.userId });
    const [ended] = await passUntilQuiet(creator!);
    stopHearing();
    expect(ended).toMatchObject({ outcome: 'filled', firings: 1 });
    const rounds = await world.database.query<{ id: string; state: string }>(
      `select id, state from trade_order where book_id = $1 order by created_at`,
      [strategy.bookId],
    );
    expect(rounds).toMatchObject([{ state: 'dead' }, { id: ended!.orderId }]);
    const again = { userId: creator!.userId, bookId: strategy.bookId, mint: world.mint, slippageBps: 100 };
    const order = {
      ...again,
      id: rounds[0]!.id,
      side: 'buy' as const,
      amountIn: lamports(SOL),
      kind: 'trade' as const,
    };
    expect(await placeInStrategy(plain, order)).toMatchObject({ id: ended!.orderId });
  }, 90_000);
});
