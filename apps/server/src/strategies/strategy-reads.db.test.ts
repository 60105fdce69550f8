import type { Address } from '@hunter/solana/address';
import { lamports } from '@hunter/domain/numbers/lamports';
import { associatedTokenAddress } from '@hunter/solana/associated-token-address';
import { describe, expect, it, vi } from 'vitest';
import { loadCash } from '../ledger/balances.ts';
import { depositBookOf } from '../ledger/books.ts';
import { loadWallet } from '../ledger/wallets.ts';
import { systemClock } from '../platform/clock.ts';
import { useTradingWorld } from '../trading/use-trading-world-for-test.ts';
import type { Trader, TradingWorld } from '../trading/world-for-test.ts';
import { SELL_ALL } from '../trading/order.ts';
import type { RentReturned } from '../trading/order-events.ts';
import { RentReclaimer } from '../trading/rent-reclaimer.ts';
import { loadHoldings } from './book-holdings.ts';
import { cancelFollow } from './cancel-follow.ts';
import { BookChanges } from './copying/book-changes.ts';
import { placeStrategyRound } from './copying/place-strategy-round.ts';
import { endStrategy } from './end-strategy.ts';
import { StrategyLifecycle } from './lifecycle.ts';
import { markStrategies } from './performance/mark-strategies.ts';
import { PERFORMANCE_START, performanceAfter, performanceOf, type PerformanceRow } from './performance/performance.ts';
import { loadStrategyDetail } from '../portfolio/strategy-detail.ts';
import { loadStrategyRecord } from '../portfolio/strategy-record.ts';
import { previewCancel } from './reads/previews.ts';
import { loadStrategyById } from './strategy-store.ts';
import type { Strategies } from './strategies.ts';
import { passUntilClosed, strategiesOn } from './strategies-for-test.ts';
import { plainMints, SOL, strategySteps } from './strategy-steps-for-test.ts';

let world: TradingWorld;
let deps: Strategies;
let mints: Address[];

useTradingWorld(async (started) => {
  world = started;
  deps = strategiesOn(world);
  mints = await plainMints(world);
});

const { aStrategy, follow, ask } = strategySteps(() => ({ world, deps, mints }));

describe('what is shown of strategies on a real chain', () => {
  it('shows no weight of a coin whose pool cannot be read, and beside it those of the last mark', async () => {
    const [creator] = await world.traders(1, 5n * SOL);
    const { id, slug } = await aStrategy(creator!);
    await markStrategies(deps, [id]);
    const [read, unread] = mints as [Address, Address];
    const pools: Strategies['pools'] = { load: () => deps.pools.load([read]) };
    const { coins, positions } = await loadStrategyDetail({ ...deps, pools }, slug, creator!.userId);
    expect(positions.map(({ tokenContractAddress, weight, value }) => [tokenContractAddress, weight, value])).toEqual([
      [read, expect.any(String), expect.any(String)],
      [unread, null, null],
    ]);
    expect(coins.every(({ weight }) => Number(weight) > 10)).toBe(true);
    expect(coins).toHaveLength(2);
  });

  it('has a deposit that came back in its public record as soon as its free SOL has it', async () => {
    const [creator] = await world.traders(1, 5n * SOL);
    const strategy = await aStrategy(creator!, { coins: [[mints[0]!, '40']] });
    const sale = { side: 'sell' as const, mint: mints[0]!, amountIn: SELL_ALL, slippageBps: 2_000 };
    await placeStrategyRound(deps, { ...sale, strategyId: strategy.id, kind: 'close', waitMs: 20_000 });
    const { database, rpc, signer } = world;
    const { clock, log } = deps;
    const rents = new RentReclaimer({ database, rpc, signer, clock, log, balanceChanged: () => {}, idleSeconds: 0 });
    const told = () =>
      database.query<{ payload: RentReturned }>(
        `select payload from outbox where topic = 'rent-returned' and payload -> 'bookIds' ? $1`,
        [strategy.bookId],
      );
    await vi.waitFor(
      async () => {
        await rents.pass();
        expect(await told()).toHaveLength(1);
      },
      { timeout: 120_000, interval: 200 },
    );
    await new BookChanges(deps).onRentReturned((await told())[0]!.payload);
    const recorded = `select 1 from strategy_event where strategy_id = $1 and reference like 'rent:%'`;
    expect(await database.query(recorded, [strategy.id])).toHaveLength(1);
  });

  it('has no yield of a token account that a stranger paid for', async () => {
    const [creator] = await world.traders(1, 5n * SOL);
    const strategy = await aStrategy(creator!, { coins: [] });
    const { database, rpc, signer } = world;
    const { clock, log } = deps;
    const mint = mints[0]!;
    const account = associatedTokenAddress((await loadWallet(database, strategy.walletId)).address, mint);
    const gift = 3_000_000n;
    await rpc.requestAirdrop(account, gift);
    const chainHas = async () => (await rpc.getMultipleAccounts([account])).value[0]?.lamports;
    await expect.poll(chainHas, { timeout: 30_000 }).toBe(gift);
    const round = { strategyId: strategy.id, mint, slippageBps: 2_000, kind: 'trade', waitMs: 20_000 } as const;
    await placeStrategyRound(deps, { ...round, side: 'buy', amountIn: lamports(SOL / 2n) });
    await placeStrategyRound(deps, { ...round, side: 'sell', amountIn: SELL_ALL });
    const worth = async () => {
      const { lamports: sol, rentLamports } = (await loadHoldings(database, [strategy.bookId])).get(strategy.bookId)!;
      return sol + rentLamports;
    };
    const before = await worth();
    const rents = new RentReclaimer({ database, rpc, signer, clock, log, balanceChanged: () => {}, idleSeconds: 0 });
    const unclaimed = await depositBookOf(database, strategy.walletId);
    const given = () => loadCash(database, unclaimed.id, 'SOL');
    await vi.waitFor(
      async () => {
        await rents.pass();
        expect(await given()).toBeGreaterThan(0n);
      },
      { timeout: 120_000, interval: 200 },
    );
    expect(await worth()).toBe(before);
    // It pays for its own closing.
    expect(await given()).toBe(gift - 5_000n);
  });

  it('shows no loss in the record while SOL is on its way into a new strategy or follow', async () => {
    const [creator, follower] = await world.traders(2, 5n * SOL);
    const seen: [role: string, pnl: string | null, rate: string | null][] = [];
    const lookFirst = (userId: string): Strategies => ({
      ...deps,
      transfers: {
        run: async (id: string) => {
          const { lists } = await loadStrategyRecord(deps, userId, { type: 'strategy', pageNo: 1, pageSize: 20 });
          seen.push(...lists.map(({ role, totalPnl, changeRate }) => [role, totalPnl, changeRate] as (typeof seen)[0]));
          return deps.transfers.run(id);
        },
      } as Strategies['transfers'],
    });
    const strategy = await aStrategy(creator!, { coins: [] }, lookFirst(creator!.userId));
    await follow(follower!, strategy.slug, SOL, 'sol', lookFirst(follower!.userId));
    expect(seen).toEqual([
      ['creator', '0', '0'],
      ['follower', '0', '0'],
    ]);
  });

  it('values neither a new strategy nor a new follow at nothing while its SOL is on its way', async () => {
    const [creator, follower] = await world.traders(2, 5n * SOL);
    const markFirst = (ids: () => Promise<string[]>): Strategies => ({
      ...deps,
      transfers: {
        run: async (id: string) => {
          await markStrategies(deps, await ids());
          return deps.transfers.run(id);
        },
      } as Strategies['transfers'],
    });
    const publishing = async () =>
      (await world.database.query<{ id: string }>(`select id from strategy where status = 'publishing'`)).map(
        ({ id }) => id,
      );
    const strategy = await aStrategy(creator!, { coins: [] }, markFirst(publishing));
    const stats = async () =>
      (
        await world.database.query(
          `select lowest_equity_lamports as lowest, follower_return as "followerReturn", follower_sample as sample
           from strategy_stats where strategy_id = $1`,
          [strategy.id],
        )
      )[0];
    // What it once had at least decides for good whether it can be ranked.
    expect(await stats()).toMatchObject({ lowest: 2n * SOL });
    let whileOpening: unknown;
    const long = markFirst(async () => {
      await world.database.write(
        `update follow set opened_at = opened_at - interval '2 hours' where strategy_id = $1`,
        [strategy.id],
      );
      await markStrategies(deps, [strategy.id]);
      whileOpening = await stats();
      return [strategy.id];
    });
    await follow(follower!, strategy.slug, SOL, 'sol', long);
    expect(whileOpening).toMatchObject({ followerReturn: null, sample: 0 });
  });

  it('answers every read as the contract says', async () => {
    const [creator, follower] = await world.traders(2, 5n * SOL);
    const strategy = await aStrategy(creator!);
    const { slug } = strategy;
    const preview = await ask('previewFollow', null, { slug, mode: 'sol', amount: '1' });
    expect(preview.buys).toHaveLength(2);
    expect(await ask('followStrategy', follower!.userId, { slug, mode: 'sol', amount: '1' })).toMatchObject({
      status: 'active',
    });
    await placeStrategyRound(deps, {
      strategyId: strategy.id,
      side: 'sell',
      mint: mints[0]!,
      amountIn: SELL_ALL,
      slippageBps: 500,
      kind: 'close',
    });
    await markStrategies(deps, [strategy.id]);

    const list = await ask('getStrategyList', follower!.userId, { scope: 'followed' });
    expect(list).toMatchObject({
      total: 1,
      lists: [{ slug, following: true, mine: false, closedTrades: 1, followers: 1 }],
    });
    expect((await ask('getStrategyList', null, { keyword: strategy.name.toUpperCase() })).total).toBe(1);
    expect((await ask('getStrategyList', null, { keyword: '100%_' })).total).toBe(0);
    await expect(ask('getStrategyList', null, { scope: 'created' })).rejects.toMatchObject({
      errorName: 'UNAUTHENTICATED',
    });
    const detail = await ask('getStrategyDetail', creator!.userId, { slug });
    expect(detail).toMatchObject({ bookId: strategy.bookId, myFollow: null, rounds: [{ copied: 1, skipped: 0 }] });
    expect((await ask('getStrategyDetail', follower!.userId, { slug })).bookId).toBeNull();
    expect((await ask('getStrategyYield', null, { slug })).lists.length).toBeGreaterThan(1);
    const trades = await ask('getStrategyTrades', null, { slug, limit: '3' });
    expect(trades.lists.map(({ side }) => side)).toEqual(['sell', 'buy', 'buy']);
    const rest = await ask('getStrategyTrades', null, { slug, cursor: trades.nextCursor! });
    expect(rest.lists).toMatchObject([{ kind: 'flow', side: 'in', solAmount: '2', nav: '1' }]);
    const receipts = await ask('getCopyReceipts', follower!.userId, { slug });
    expect(receipts.lists.map(({ kind, priceGap }) => [kind, priceGap])).toEqual([
      ['fill', '0'],
      ['fill', null],
      ['fill', null],
    ]);
    for (const cursor of ['nonsense', `9999999999999999.${strategy.id}`, `1.${'-'.repeat(36)}`]) {
      await expect(ask('getCopyReceipts', follower!.userId, { slug, cursor })).rejects.toMatchObject({
        errorName: 'INVALID_INPUT',
        context: { field: 'cursor' },
      });
    }
    for (const cursor of ['nonsense', '', '1'.repeat(19)]) {
      await expect(ask('getStrategyTrades', null, { slug, cursor })).rejects.toMatchObject({
        errorName: 'INVALID_INPUT',
        context: { field: 'cursor' },
      });
    }
    const back = await ask('previewCancel', follower!.userId, { slug });
    expect(back.coins).toHaveLength(1);
    expect(Number(back.totalUsd)).toBeGreaterThan(100);
    const unpriced = await previewCancel(deps, follower!.userId, { slug }, null);
    expect(unpriced.totalUsd).toBeNull();
    expect((await ask('getMyFollows', follower!.userId, {})).total).toBe(1);
    const record = await loadStrategyRecord(deps, creator!.userId, { type: 'strategy', pageNo: 1, pageSize: 20 });
    expect(record.lists).toMatchObject([{ slug, role: 'creator', openAmount: '2' }]);
    await ask('closeStrategy', creator!.userId, { slug });
    await passUntilClosed(deps, strategy.id);
    expect((await loadStrategyById(world.database, strategy.id)).status).toBe('ended');
    expect((await ask('getMyFollows', follower!.userId, {})).lists).toMatchObject([{ status: 'closed' }]);
    // The page of an ended strategy goes on showing what it was: followers, funds, equity, rounds and the end of its line.
    const ended = await ask('getStrategyDetail', null, { slug });
    expect(ended).toMatchObject({
      followers: 1,
      copyTradeFunds: detail.copyTradeFunds,
      copies: { skipped: 0, reasons: [] },
      record: { countedTrips: 0, offMarket: [] },
    });
    // The sale at the end is a round of its own.
    expect(ended.rounds.at(-1)).toMatchObject({ copied: 1, skipped: 0 });
    expect(ended.copies.filled).toBe(ended.rounds.length);
    expect(Number(ended.equity)).toBeGreaterThan(1.9);
    expect((await ask('getStrategyYield', null, { slug })).lists.at(-1)!.yieldRate).toBe(ended.yieldRate);
    const creatorPage = await ask('getCreator', null, { name: ended.creator.name });
    expect(creatorPage).toMatchObject({ running: 0, ended: 1, strategies: [{ slug, status: 'ended', tier: 'new' }] });
  });

  it('shows the funds of those who follow it, and one point a minute between trades', async () => {
    const [creator, follower] = await world.traders(2, 5n * SOL);
    const strategy = await aStrategy(creator!);
    const lifecycle = new StrategyLifecycle(deps);
    const card = async () => {
      await lifecycle.pass();
      const { lists } = await ask('getStrategyList', null, { keyword: strategy.name });
      return { followers: lists[0]!.followers, funds: Number(lists[0]!.copyTradeFunds) };
    };
    await follow(follower!, strategy.slug);
    const followed = await card();
    expect(followed.followers).toBe(1);
    expect(followed.funds).toBeGreaterThan(0.9);
    await cancelFollow(deps, follower!.userId, strategy.slug);
    await passUntilClosed(deps, strategy.id);
    expect(await card()).toEqual({ followers: 0, funds: 0 });
    const points = () =>
      world.database.query(`select 1 from nav_point where strategy_id = $1`, [strategy.id]).then((rows) => rows.length);
    const before = await points();
    for (let time = 0; time < 3; time += 1) await markStrategies(deps, [strategy.id], 'routine');
    expect(await points()).toBe(before);
    const later = strategiesOn(world, { clock: { ...systemClock, nowMs: () => Date.now() + 60_000 } });
    await markStrategies(later, [strategy.id], 'routine');
    expect(await points()).toBe(before + 1);
    await endStrategy(deps, strategy.id);
  });

  it('is valued again when a coin of its was traded, and after five minutes in any case', async () => {
    const [creator, other] = (await world.traders(2, 5n * SOL)) as [Trader, Trader];
    const traded = await aStrategy(creator, { coins: [[mints[0]!, '40']] });
    const quiet = await aStrategy(other, { coins: [[mints[1]!, '40']] });
    const markedAtMs = async () => {
      const rows = await world.database.query<{ id: string; at: Date }>(
        `select strategy_id as id, marked_at as at from strategy_stats where strategy_id = any($1::uuid[])`,
        [[traded.id, quiet.id]],
      );
      const of = (id: string) => rows.find((row) => row.id === id)!.at.getTime();
      return { traded: of(traded.id), quiet: of(quiet.id) };
    };
    const passAfter = async (ms: number) => {
      const nowMs = Date.now() + ms;
      await new StrategyLifecycle({ ...deps, clock: { ...systemClock, nowMs: () => nowMs } }).pass();
      return nowMs;
    };
    const first = await passAfter(20_000);
    const before = await markedAtMs();
    expect(before.quiet).toBeLessThan(first + 1);
    deps.marks.pricesMoved([mints[0]!]);
    const second = await passAfter(40_000);
    expect(await markedAtMs()).toEqual({ traded: second, quiet: before.quiet });
    const third = await passAfter(400_000);
    expect(await markedAtMs()).toEqual({ traded: third, quiet: third });
    for (const { id } of [traded, quiet]) await endStrategy(deps, id);
  });

  it('values what it holds after a trade by the pool after it', async () => {
    const [creator] = await world.traders(1, 5n * SOL);
    const strategy = await aStrategy(creator!, { coins: [] });
    const marked = async () => {
      await markStrategies(deps, [strategy.id]);
      const [stats] = await world.database.query<{ nav: bigint }>(
        `select nav from strategy_stats where strategy_id = $1`,
        [strategy.id],
      );
      return stats!.nav;
    };
    await placeStrategyRound(deps, {
      strategyId: strategy.id,
      side: 'buy',
      mint: mints[2]!,
      amountIn: lamports(SOL),
      slippageBps: 3_000,
      kind: 'trade',
    });
    const atOnce = await marked();
    world.pools.moved([mints[2]!]);
    expect(await marked()).toBe(atOnce);
  });

  it('carries its performance so that it equals one computed again from its points', async () => {
    const rows = await world.database.query<{ id: string; capital: bigint }>(
      `select id, capital_lamports as capital from strategy where status = 'running'`,
    );
    expect(rows.length).toBeGreaterThan(0);
    for (const { id, capital } of rows) {
      await markStrategies(deps, [id]);
      const points = await world.database.query<{ equity: bigint }>(
        `select equity_lamports as equity from nav_point where strategy_id = $1 order by id`,
        [id],
      );
      const again = points
        .map(({ equity }) => ({ kind: 'mark', equityLamports: lamports(equity) }) as const)
        .reduce(
          performanceAfter,
          performanceAfter(PERFORMANCE_START, {
            kind: 'flow',
            equityBeforeLamports: lamports(0n),
            flowLamports: capital,
          }),
        );
      const [stored] = await world.database.query<PerformanceRow>(
        `select units, nav, peak, worst_peak as "worstPeak", worst_low as "worstLow" from strategy_stats where strategy_id = $1`,
        [id],
      );
      expect(performanceOf(stored!)).toEqual(again);
    }
  });
});
