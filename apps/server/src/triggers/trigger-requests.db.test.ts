import { lamports } from '@hunter/domain/numbers/lamports';
import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { loadCash } from '../ledger/balances.ts';
import { LeaseLostError } from '../platform/leases.ts';
import { differencesToChain } from '../strategies/strategies-for-test.ts';
import { OrderEngine } from '../trading/order-engine.ts';
import { useTradingWorld } from '../trading/use-trading-world-for-test.ts';
import type { Trader, TradingWorld } from '../trading/world-for-test.ts';
import { cancelAllTriggers, cancelTrigger, editTrigger, pauseTrigger, resumeTrigger } from './change-triggers.ts';
import { placeTriggers } from './place-triggers.ts';
import { previewTriggers } from './preview-triggers.ts';
import type { TriggerRequest } from './read-request.ts';
import { settleFiring } from './settle-firing.ts';
import { tradeAndProtect } from './trade-and-protect.ts';
import { triggersOn, type TestTriggers } from './triggers-for-test.ts';
import { SOL, stopAt, triggerSteps } from './trigger-steps-for-test.ts';

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
    const { outAmount } = await world.venue.quote({
      mint: world.mint,
      side: 'buy',
      amount: lamports(SOL),
      slippageBps: 100,
    });
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
  });

  it('gives its SOL back when it is canceled, and none of it twice', async () => {
    const trader = await aTrader();
    const before = await loadCash(world.database, trader.bookId, 'SOL');
    const [placed] = await place(trader, [await limitAt(0.5, { holdFunds: true })]);
    const edited = await editTrigger(triggers, trader.userId, { id: placed!.id, amount: { unit: 'sol', value: '2' } });
    expect(Number(edited.heldSol)).toBeGreaterThan(2);
    const canceled = await cancelTrigger(triggers, trader.userId, placed!.id);
    expect(canceled).toMatchObject({ state: 'ended', outcome: 'canceled', heldSol: null });
    // Whoever got no answer asks again, and is told the same; to change it comes too late.
    expect(await cancelTrigger(triggers, trader.userId, placed!.id)).toEqual(canceled);
    await expect(pauseTrigger(triggers, trader.userId, placed!.id)).rejects.toMatchObject({
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
  });

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

  it('are answered as placed where the same request comes again after they have sold', async () => {
    const trader = await aTrader();
    await order(trader, 'buy', SOL);
    const level = { unit: 'usd' as const, value: '1000000' };
    const request = {
      tokenContractAddress: world.mint,
      triggers: [{ kind: 'stop-loss' as const, level }, stopAt('90')],
    };
    const requested = { key: 'again', userId: trader.userId };
    const first = await placeTriggers(triggers, request, requested);
    await passUntilQuiet(trader);
    const again = await placeTriggers(triggers, request, requested);
    expect(again.lists.map(({ id }) => id)).toEqual(first.lists.map(({ id }) => id));
    expect(again.lists[0]).toMatchObject({ outcome: 'filled' });
  });

  it('are asked with what their books hold also where another engine has traded in them', async () => {
    const trader = await aTrader();
    await order(trader, 'buy', SOL);
    const { id } = (await place(trader, [stopAt('50')]))[0]!;
    await triggers.loop.pass();
    const size = () => triggers.index.of(world.mint)!.get(id)!.size;
    const before = size();
    // Of which this one is not told.
    const bought = await world.engine.placeOrder(
      {
        userId: trader.userId,
        bookId: trader.bookId,
        side: 'buy',
        mint: world.mint,
        amountIn: lamports(SOL),
        slippageBps: 5_000,
        kind: 'trade',
      },
      { waitMs: 30_000 },
    );
    const sizeAfterPass = async () => {
      await triggers.loop.pass();
      return size();
    };
    await expect.poll(sizeAfterPass, { timeout: 20_000 }).toBe(before + bought.filledOut!);
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
  });
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
      await world.database.write(
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

  it('moves or resumes a stop that was being tried again: it waits for its level and sells at the price of then', async () => {
    const [mover, resumer] = await Promise.all([aTrader(), aTrader()]);
    const past = { unit: 'usd' as const, value: '1000000' };
    // As after orders that missed a price of an hour ago, far above the one of now.
    const aTriedOne = async (trader: Trader) => {
      await order(trader, 'buy', SOL);
      const id = (await place(trader, [{ kind: 'stop-loss', level: past }]))[0]!.id;
      await world.database.write(
        `update order_trigger set retry_at = now(), due_at = now(), firings = 1, order_error = 'PRICE_MOVED', first_price = 1e40,
           fired_at = now() - interval '1 hour', first_fired_at = now() - interval '1 hour' where id = $1`,
        [id],
      );
      return id;
    };
    const moved = await aTriedOne(mover);
    await editTrigger(triggers, mover.userId, { id: moved, level: { unit: 'usd', value: '0.000000001' } });
    await triggers.loop.pass();
    expect(await mine(mover, 'open')).toMatchObject([{ state: 'open', firings: 1 }]);
    await editTrigger(triggers, mover.userId, { id: moved, level: past });
    expect(await passUntilQuiet(mover)).toMatchObject([{ outcome: 'filled', firings: 2 }]);

    const resumed = await aTriedOne(resumer);
    await pauseTrigger(triggers, resumer.userId, resumed);
    await resumeTrigger(triggers, resumer.userId, resumed);
    expect(await passUntilQuiet(resumer)).toMatchObject([{ outcome: 'filled', firings: 2 }]);
  }, 60_000);

  it('is told the market price and the price of its own size apart, and the impact between them', async () => {
    const trader = await aTrader(25n);
    await order(trader, 'buy', 20n * SOL);
    const event = { kind: 'after-time' as const, afterSeconds: 3_600 };
    const request = { tokenContractAddress: world.mint, triggers: [stopAt('20'), event] };
    const [stop, timed] = (await previewTriggers(triggers, request, trader.userId)).lists;
    const { firesAt, fillsAt, priceImpact, amountIn, getsAbout } = stop!;
    expect(Number(priceImpact)).toBeGreaterThan(1);
    const marketOf = (price: string, impact: string | null) => Number(price) / (1 - Number(impact) / 100);
    expect(Number(firesAt!.priceSol) / marketOf(fillsAt!.priceSol, priceImpact)).toBeCloseTo(1, 5);
    expect(Number(fillsAt!.priceSol) * Number(amountIn)).toBeCloseTo(Number(getsAbout), 3);
    // From market price to market price, which is what a chart shows.
    const marketNow = marketOf(timed!.fillsAt!.priceSol, timed!.priceImpact);
    expect(Number(firesAt!.fromNow)).toBeCloseTo((Number(firesAt!.priceSol) / marketNow - 1) * 100, 2);
    expect(timed!.firesAt).toBeNull();
    const [placed] = await place(trader, [stopAt('20')]);
    expect(Number(placed!.level!.value) / Number(fillsAt!.priceSol)).toBeCloseTo(1, 6);
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
  });

  it('fills no database by being placed and canceled without end', async () => {
    const trader = await aTrader();
    await order(trader, 'buy', SOL);
    await place(trader, [stopAt('90')]);
    await cancelAllTriggers(triggers, trader.userId, {});
    const copies = async (count: number, placedAgo: string) =>
      void (await world.database.write(
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
  });
});
