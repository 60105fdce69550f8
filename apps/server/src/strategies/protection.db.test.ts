import { lamports } from '@hunter/domain/numbers/lamports';
import { spotPrice, type Ratio } from '@hunter/domain/market/swap-maths';
import { TOKEN_PROGRAM } from '@hunter/solana/program-ids';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../platform/clock.ts';
import { useTradingWorld } from '../trading/use-trading-world-for-test.ts';
import type { Trader, TradingWorld } from '../trading/world-for-test.ts';
import { SELL_ALL } from '../trading/order.ts';
import { trade } from '../trading/trade.ts';
import type { Trading } from '../trading/trading.ts';
import { createStrategy, fillNameKeys } from './create-strategy.ts';
import { placeInStrategy, placeStrategyRound } from './copying/place-strategy-round.ts';
import { endStrategy } from './end-strategy.ts';
import { followStrategy, type NewFollow } from './follow-strategy.ts';
import { loadFollowById, type Follow } from './follow-store.ts';
import { FollowGuard, guardFollows } from './guard-follows.ts';
import { loadCopyReceipts } from '../portfolio/copy-receipts.ts';
import { markStrategies } from './performance/mark-strategies.ts';
import { viewFollow } from './reads/follow-views.ts';
import { previewStrategy } from './reads/previews.ts';
import { endOldPaperFollows, endPaperFollow, loadMyPaperFollows, startPaperFollow } from './simulator/paper-follows.ts';
import { simulate } from './simulator/simulate.ts';
import type { Strategies } from './strategies.ts';
import { differencesToChain, passUntilClosed, strategiesOn } from './strategies-for-test.ts';
import type { Strategy } from './strategy-store.ts';
import { updateFollow } from './update-follow.ts';

const SOL = 1_000_000_000n;
const DAY_MS = 86_400_000;
const later = (ms: number) => ({ ...systemClock, nowMs: () => Date.now() + ms });

let world: TradingWorld;
let follower: Trader;
let count = 0;

// Some of these need pools as thin as a week of trades leaves them.
useTradingWorld(
  async (started) => {
    world = started;
    follower = (await world.traders(1, 200n * SOL))[0]!;
  },
  { pastTrades: 500 },
);

const anyMint = () => world.mint;

/** Of those that followers may buy. */
async function thinnestMint(): Promise<string> {
  const listed = (await world.venue.liveliestTokens()).filter(({ tokenProgram }) => tokenProgram === TOKEN_PROGRAM);
  const pools = await world.venue.pools(listed.map(({ mint }) => mint));
  const deepEnough = [...pools].filter(([, { solReserve }]) => solReserve > 60n * SOL);
  return deepEnough.toSorted(([, one], [, other]) => Number(one.solReserve - other.solReserve))[0]![0];
}

/** A creator who has traded nothing himself lately; each test has its own. */
async function aFollowed(
  deps: Strategies,
  overrides: Partial<NewFollow> = {},
): Promise<{ strategy: Strategy; follow: Follow; leader: Trader }> {
  count += 1;
  const leader = (await world.traders(1, 60n * SOL))[0]!;
  const { strategy } = await createStrategy(
    deps,
    leader.userId,
    { name: `Protected ${count}`, description: '', capital: lamports(10n * SOL), coins: [], autoClear: true },
    `protected ${count}`,
  );
  const request = { slug: strategy.slug, mode: 'sol' as const, amount: lamports(5n * SOL), multiplier: '1' };
  const follow = await followStrategy(deps, follower.userId, { ...request, ...overrides }, `follow ${count}`);
  return { strategy, follow, leader };
}

const aPurchase = (strategy: Strategy, amountIn = SOL) => ({
  strategyId: strategy.id,
  side: 'buy' as const,
  mint: anyMint(),
  amountIn,
  slippageBps: 2_000,
  kind: 'trade' as const,
  waitMs: 20_000,
});

const receiptsOf = async (deps: Strategies, strategy: Strategy) =>
  (await loadCopyReceipts(deps, follower.userId, { slug: strategy.slug, cursor: undefined })).lists;

function withReference(times: bigint): Strategies {
  const reference = async (mint: string) => {
    const { numerator, denominator }: Ratio = spotPrice((await world.pools.load([mint])).get(mint)!);
    return { numerator, denominator: denominator * times };
  };
  return strategiesOn(world, { referencePrice: reference, referenceToBuy: reference });
}

function tradingOn(deps: Strategies): Trading {
  const { database, engine, venue, tokens, pools } = world;
  return {
    database,
    engine,
    venue,
    tokens,
    pools,
    clock: systemClock,
    solUsd: () => null,
    placeInStrategy: (order) => placeInStrategy(deps, order),
  };
}

describe('a follower whose creator buys at a pumped price', () => {
  it('buys only so much that the excess over the reference stays within the run-up limit, and is told so', async () => {
    const deps = withReference(2n);
    const { strategy } = await aFollowed(deps);
    await placeStrategyRound(deps, aPurchase(strategy, 5n * SOL));
    const [receipt] = await receiptsOf(deps, strategy);
    expect(receipt).toMatchObject({ kind: 'fill', limitedBy: 'run-up' });
    // Half of what is paid lies above the reference, and three percent of five SOL may.
    expect(Number(receipt!.solAmount)).toBeLessThanOrEqual(0.3);
    expect(Number(receipt!.solAmount)).toBeGreaterThan(0.25);
    await placeStrategyRound(deps, aPurchase(strategy, 2n * SOL));
    const [second] = await receiptsOf(deps, strategy);
    expect(second).toMatchObject({ kind: 'skip', reason: 'run-up' });
    expect(await differencesToChain(world)).toEqual({});
  });

  it('takes no part where the creator bought the coin for himself just before', async () => {
    const deps = strategiesOn(world);
    const { strategy, leader } = await aFollowed(deps);
    await world.engine.placeOrder({
      userId: leader.userId,
      bookId: leader.bookId,
      side: 'buy',
      mint: anyMint(),
      amountIn: SOL,
      slippageBps: 2_000,
      kind: 'trade',
    });
    await placeStrategyRound(deps, aPurchase(strategy));
    expect((await receiptsOf(deps, strategy))[0]).toMatchObject({ kind: 'skip', reason: 'creator-traded' });
  });

  it('takes part again where the creator has sold what he bought for himself', async () => {
    const deps = strategiesOn(world);
    const { strategy, leader } = await aFollowed(deps);
    const own = {
      userId: leader.userId,
      bookId: leader.bookId,
      mint: anyMint(),
      slippageBps: 2_000,
      kind: 'trade',
    } as const;
    await world.engine.placeOrder({ ...own, side: 'buy', amountIn: SOL });
    const [held] = await world.database.query<{ quantity: bigint }>(
      `select quantity from position where book_id = $1`,
      [leader.bookId],
    );
    await world.engine.placeOrder({ ...own, side: 'sell', amountIn: held!.quantity });
    await placeStrategyRound(deps, aPurchase(strategy));
    expect((await receiptsOf(deps, strategy))[0]).toMatchObject({ kind: 'fill' });
  });

  it('takes no part where a wallet near the creator bought the coin just before, and the strategy makes no reference', async () => {
    const asked: { linked: ReadonlySet<string>; nearby: ReadonlySet<string> }[] = [];
    const usual = strategiesOn(world);
    const deps = strategiesOn(world, {
      referenceToBuy: (mint, linked) => {
        asked.push({ linked, nearby: new Set() });
        return usual.referenceToBuy(mint, linked);
      },
      boughtLately: async (_mint, nearby) => {
        asked.push({ linked: new Set(), nearby });
        return lamports(SOL);
      },
    });
    const { strategy, leader } = await aFollowed(deps);
    asked.length = 0;
    await placeStrategyRound(deps, aPurchase(strategy));
    expect((await receiptsOf(deps, strategy))[0]).toMatchObject({ kind: 'skip', reason: 'creator-traded' });
    const [wallet] = await world.database.query<{ address: string }>(`select address from wallet where id = $1`, [
      strategy.walletId,
    ]);
    const [own] = await world.database.query<{ address: string }>(
      `select address from wallet where user_id = $1 and kind = 'personal'`,
      [leader.userId],
    );
    expect(asked[0]!.linked).toContain(wallet!.address);
    expect(asked[1]!.nearby).toContain(own!.address);
    expect(asked[1]!.nearby).not.toContain(wallet!.address);
  });

  it('is not sold into: the creator cannot sell his own within ten minutes after his strategy bought', async () => {
    const deps = strategiesOn(world);
    const { strategy, leader } = await aFollowed(deps);
    const trading = tradingOn(deps);
    const order = { tokenContractAddress: anyMint(), slippageBps: 2_000 };
    const owner = (key: string) => ({ key, userId: leader.userId });
    await trade(trading, { ...order, side: 'buy', amount: '0.5' }, owner('own buy'));
    await placeStrategyRound(deps, aPurchase(strategy));
    await expect(trade(trading, { ...order, side: 'sell', amount: '1' }, owner('own sell'))).rejects.toMatchObject({
      errorName: 'CREATOR_CONFLICT',
    });
  });

  it('buys nothing of a coin that fails the rules for coins', async () => {
    const deps = strategiesOn(world, {
      coinFacts: async () => ({ badges: ['danger'], mintAuthority: 'given-up', ageMs: 0 }),
      referenceToBuy: async () => null,
    });
    const { strategy } = await aFollowed(deps);
    await placeStrategyRound(deps, aPurchase(strategy));
    expect((await receiptsOf(deps, strategy))[0]).toMatchObject({ kind: 'skip', reason: 'token-risk' });
  });
});

describe('a follow', () => {
  it('that is paused skips purchases and still sells along', async () => {
    const deps = strategiesOn(world);
    const { strategy } = await aFollowed(deps);
    await placeStrategyRound(deps, aPurchase(strategy));
    await updateFollow(deps, follower.userId, { slug: strategy.slug, paused: true, protection: {} });
    await placeStrategyRound(deps, aPurchase(strategy));
    expect((await receiptsOf(deps, strategy))[0]).toMatchObject({ kind: 'skip', reason: 'paused' });
    await placeStrategyRound(deps, { ...aPurchase(strategy), side: 'sell', amountIn: SELL_ALL });
    expect((await receiptsOf(deps, strategy))[0]).toMatchObject({ kind: 'fill', side: 'sell' });
  });

  it('keeps to what its owner chose, and refuses what is out of bounds by its name', async () => {
    const deps = strategiesOn(world);
    const { strategy, follow } = await aFollowed(deps, {
      protection: { capPerTrade: lamports(SOL / 10n), stopLoss: null },
    });
    expect(follow).toMatchObject({
      capPerTradeLamports: SOL / 10n,
      stopLossBps: null,
      runUpBps: 300,
      coinCapBps: 5_000,
    });
    await placeStrategyRound(deps, aPurchase(strategy, 5n * SOL));
    expect((await receiptsOf(deps, strategy))[0]).toMatchObject({ limitedBy: 'cap-per-trade', solAmount: '0.1' });
    const update = (protection: object) => updateFollow(deps, follower.userId, { slug: strategy.slug, protection });
    expect(await update({ runUpLimit: '10', coinCap: null })).toMatchObject({ runUpBps: 1_000, coinCapBps: null });
    for (const [field, value] of [
      ['runUpLimit', '10.01'],
      ['coinCap', '0'],
      ['stopLoss', '4'],
      ['takeProfit', '1'],
    ] as const) {
      await expect(update({ [field]: value })).rejects.toMatchObject({
        errorName: 'INVALID_INPUT',
        context: { field },
      });
    }
  });

  it('is refused beyond ten times what the creator has at stake', async () => {
    const deps = strategiesOn(world);
    const { strategy } = await aFollowed(deps);
    const other = (await world.traders(1, 150n * SOL))[0]!;
    const request = { slug: strategy.slug, mode: 'position' as const, multiplier: '1' };
    await expect(
      followStrategy(deps, other.userId, { ...request, amount: lamports(96n * SOL) }, 'too much'),
    ).rejects.toMatchObject({ errorName: 'STRATEGY_FULL' });
    const follow = await followStrategy(deps, other.userId, { ...request, amount: lamports(90n * SOL) }, 'enough');
    expect(follow.status).toBe('active');
  });

  it('is closed by its stop loss after a minute below it, and says so', async () => {
    const deps = strategiesOn(world);
    const { strategy, follow } = await aFollowed(deps);
    const status = async () => (await loadFollowById(world.database, follow.id)).status;
    const earlier = (seconds: number) =>
      world.database.query(`update follow set guard_since = guard_since - make_interval(secs => $2) where id = $1`, [
        follow.id,
        seconds,
      ]);
    await placeStrategyRound(deps, aPurchase(strategy));
    await guardFollows(deps);
    expect(await status()).toBe('active');
    // As if twice as much had been put in: the follow is worth half of it.
    await world.database.query(`update follow set amount_lamports = amount_lamports * 2 where id = $1`, [follow.id]);
    await guardFollows(deps);
    await earlier(50);
    await guardFollows(deps);
    expect(await status()).toBe('active');
    await earlier(10);
    await guardFollows(deps);
    await passUntilClosed(deps, strategy.id);
    expect(await loadFollowById(world.database, follow.id)).toMatchObject({ status: 'closed', closedBy: 'stop-loss' });
    expect(await differencesToChain(world)).toEqual({});
  });
});

describe('the guard of follows', () => {
  it('asks a follow as soon as the price of a token it holds moves, and all of them now and then', async () => {
    let nowMs = Date.now();
    const deps = strategiesOn(world, { clock: { ...systemClock, nowMs: () => nowMs } });
    const { strategy, follow } = await aFollowed(strategiesOn(world));
    await placeStrategyRound(deps, aPurchase(strategy));
    const guard = new FollowGuard(deps);
    const reached = async () => {
      await guard.pass();
      const [row] = await world.database.query<{ guard: string | null }>(`select guard from follow where id = $1`, [
        follow.id,
      ]);
      return row!.guard;
    };
    const putIn = (lamportsIn: bigint) =>
      world.database.query(`update follow set amount_lamports = $2 where id = $1`, [follow.id, lamportsIn]);
    expect(await reached()).toBeNull();
    // As if twice as much had been put in: the follow is worth half of it.
    await putIn(10n * SOL);
    guard.pricesMoved(['SomeOtherToken']);
    expect(await reached()).toBeNull();
    guard.pricesMoved([anyMint()]);
    expect(await reached()).toBe('stop-loss');
    await putIn(5n * SOL);
    nowMs += 14_999;
    expect(await reached()).toBe('stop-loss');
    nowMs += 1;
    expect(await reached()).toBeNull();
  });
});

describe('many stop losses in one thin pool', () => {
  it('leave in one round at one price within its limit, and everybody is told', async () => {
    const deps = strategiesOn(world);
    const mint = await thinnestMint();
    const { strategy } = await aFollowed(deps);
    const others = await world.traders(6, 10n * SOL);
    for (const { userId } of others) {
      const request = { slug: strategy.slug, mode: 'sol' as const, amount: lamports(3n * SOL), multiplier: '1' };
      await followStrategy(deps, userId, request, `many ${userId}`);
    }
    await placeStrategyRound(deps, { ...aPurchase(strategy), mint });
    const followsNow = () =>
      world.database.query<{ id: string; status: string; closedBy: string | null; userId: string }>(
        `select id, status, closed_by as "closedBy", user_id as "userId" from follow where strategy_id = $1`,
        [strategy.id],
      );
    // As if much more had been put in: every follow is far below its stop loss.
    await world.database.query(`update follow set amount_lamports = amount_lamports * 3 where strategy_id = $1`, [
      strategy.id,
    ]);
    const asked: string[] = [];
    const referencePrice: Strategies['referencePrice'] = (asset, linked) => {
      asked.push(asset);
      return deps.referencePrice(asset, linked);
    };
    const ids = (await followsNow()).map(({ id }) => id);
    await guardFollows({ ...deps, referencePrice }, ids);
    // All of them have the same reference, which is read once however many they are.
    expect(asked).toEqual([mint]);
    await world.database.query(
      `update follow set guard_since = guard_since - interval '61 seconds' where strategy_id = $1`,
      [strategy.id],
    );
    await guardFollows(deps);
    await passUntilClosed(deps, strategy.id);
    const closed = await followsNow();
    expect(closed.map(({ status, closedBy }) => `${status} ${closedBy}`)).toEqual(Array(7).fill('closed stop-loss'));
    const exits = await world.database.query<{ id: string; minOut: bigint }>(
      `select id, min_out as "minOut" from trade_order where kind = 'exit' and mint = $1
         and wallet_id = (select wallet_id from book where id = $2) and state in ('confirmed', 'finalized')`,
      [mint, strategy.bookId],
    );
    expect(exits).toHaveLength(1);
    const parts = await world.database.query<{ filledIn: bigint; filledOut: bigint }>(
      `select filled_in as "filledIn", filled_out as "filledOut" from filled_allocation where order_id = $1`,
      [exits[0]!.id],
    );
    expect(parts).toHaveLength(7);
    const received = parts.reduce((sum, { filledOut }) => sum + filledOut, 0n);
    expect(received).toBeGreaterThanOrEqual(exits[0]!.minOut);
    for (const { filledIn, filledOut } of parts) {
      // Each within one lamport of its share of the one price.
      const sold = parts.reduce((sum, part) => sum + part.filledIn, 0n);
      expect(Number(filledOut - (received * filledIn) / sold)).toBeGreaterThanOrEqual(-1);
      expect(Number(filledOut - (received * filledIn) / sold)).toBeLessThanOrEqual(1);
    }
    const told = await world.database.query<{ userId: string }>(
      `select user_id as "userId" from alert where kind = 'follow-stopped' and payload ->> 'slug' = $1`,
      [strategy.slug],
    );
    expect(told.map(({ userId }) => userId).sort()).toEqual(closed.map(({ userId }) => userId).sort());
    expect(await differencesToChain(world)).toEqual({});
  }, 120_000);
});

describe('a strategy', () => {
  it('says in its preview, as when it is published, how little capital is too little', async () => {
    const deps = strategiesOn(world);
    const wanted = { capital: lamports(SOL / 100n), coins: [] };
    const tooSmall = { errorName: 'AMOUNT_TOO_SMALL', context: { minimum: '0.1 SOL' } };
    await expect(previewStrategy(deps, wanted)).rejects.toMatchObject(tooSmall);
    const named = { ...wanted, name: 'Small', description: '', autoClear: true };
    await expect(createStrategy(deps, follower.userId, named, 'small')).rejects.toMatchObject(tooSmall);
  });
});

describe('a strategy’s name', () => {
  const named = async (name: string, creator?: Trader) => {
    const owner = creator ?? (await world.traders(1, 5n * SOL))[0]!;
    const request = { name, description: '', capital: lamports(SOL), coins: [], autoClear: true };
    return (await createStrategy(strategiesOn(world), owner.userId, request, `named ${name}`)).strategy;
  };

  it('belongs to one strategy among all users, and so does whatever looks like it', async () => {
    const first = await named('Quiet Harbor');
    for (const copy of ['quiet harbor', 'Quiet Нarbor', 'Quiet-Harbor']) {
      await expect(named(copy)).rejects.toMatchObject({ errorName: 'NAME_TAKEN' });
    }
    await world.database.query(`update strategy set status = 'ended' where id = $1`, [first.id]);
    expect((await named('Quiet Harbor')).name).toBe('Quiet Harbor');
  });

  it('stays with the creator who was followed under it', async () => {
    const deps = strategiesOn(world);
    const { strategy, leader } = await aFollowed(deps);
    await endStrategy(deps, strategy.id);
    await passUntilClosed(deps, strategy.id);
    await expect(named(strategy.name)).rejects.toMatchObject({ errorName: 'NAME_TAKEN' });
    expect((await named(strategy.name, leader)).name).toBe(strategy.name);
  });

  it('is refused with hidden characters, and gets its key where an earlier version left it out', async () => {
    await expect(named('Quiet\u202eHarbor 2')).rejects.toMatchObject({
      errorName: 'INVALID_INPUT',
      context: { field: 'name', reason: 'format' },
    });
    const old = await named('Old Lighthouse');
    await world.database.query(`update strategy set name_key = null where id = $1`, [old.id]);
    await fillNameKeys({ database: world.database });
    await expect(named('0ld Lighthouse')).rejects.toMatchObject({ errorName: 'NAME_TAKEN' });
  });
});

describe('a follow without money', () => {
  const chosen = (slug: string, amount: bigint) => ({
    slug,
    mode: 'sol' as const,
    amount: lamports(amount),
    multiplier: '1',
    protection: {},
  });

  it('becomes what a real follow of the same amount became, on paper and in hindsight', async () => {
    const deps = strategiesOn(world);
    const { strategy, follow } = await aFollowed(deps);
    const [other] = await world.traders(1, SOL);
    const paper = await startPaperFollow(deps, other!.userId, chosen(strategy.slug, 5n * SOL));
    expect(paper).toMatchObject({ equity: '5', pnl: '0', copied: 0, endTime: null, endedBy: null });
    await expect(startPaperFollow(deps, other!.userId, chosen(strategy.slug, SOL))).rejects.toThrow(
      'You already follow this strategy',
    );

    await placeStrategyRound(deps, aPurchase(strategy, 2n * SOL));
    await placeStrategyRound(deps, aPurchase(strategy, 7n * SOL));
    const sale = { ...aPurchase(strategy), side: 'sell' as const, amountIn: SELL_ALL };
    await placeStrategyRound(deps, sale);
    await placeStrategyRound(deps, aPurchase(strategy, SOL));
    await markStrategies(deps, [strategy.id]);

    const real = await viewFollow(deps, await loadFollowById(world.database, follow.id));
    const hindsight = await simulate(deps, { ...chosen(strategy.slug, 5n * SOL), since: follow.openedAt.getTime() });
    expect(hindsight).toMatchObject({ copied: 4, limited: 1, skipped: 0, endedBy: null });
    expect(hindsight.reasons).toEqual([{ reason: 'coin-cap', count: 1 }]);
    expect(Math.abs(Number(hindsight.equity) - Number(real.equity))).toBeLessThan(0.03);
    expect(Number(hindsight.lists.at(-1)!.changeRate)).toBe(Number(hindsight.changeRate));
    const { lists, total } = await loadMyPaperFollows(deps, other!.userId, { pageNo: 1, pageSize: 20 });
    expect(total).toBe(1);
    expect(lists[0]).toMatchObject({ id: paper.id, copied: 4, skipped: 0 });
    expect(Math.abs(Number(lists[0]!.equity) - Number(hindsight.equity))).toBeLessThan(0.001);

    await expect(endPaperFollow(deps, follower.userId, paper.id)).rejects.toThrow('Resource not found');
    const ended = await endPaperFollow(deps, other!.userId, paper.id);
    expect(ended).toMatchObject({ endedBy: 'follower' });
    await placeStrategyRound(deps, { ...sale });
    // Its result stays, also when what it was replayed over is long gone.
    const years = strategiesOn(world, { clock: later(800 * DAY_MS) });
    for (const looking of [deps, years]) {
      expect((await loadMyPaperFollows(looking, other!.userId, { pageNo: 1, pageSize: 20 })).lists).toEqual([ended]);
    }
    expect(await differencesToChain(world)).toEqual({});
  });

  it('that has ended by itself stands in the way of no other, and keeps its result', async () => {
    const deps = strategiesOn(world);
    const { strategy } = await aFollowed(deps);
    const [other] = await world.traders(1, SOL);
    const careful = { ...chosen(strategy.slug, 5n * SOL), protection: { stopLoss: '20' } };
    await startPaperFollow(deps, other!.userId, careful);
    await placeStrategyRound(deps, aPurchase(strategy, 9n * SOL));
    // For some minutes the coin is worth nothing.
    await world.database.query(
      `insert into pool_mark (mint, at, sol_reserve, token_reserve, virtual_sol, virtual_tokens, fee_bps)
       select $1, date_trunc('minute', now()) + n * interval '1 minute', 1, 1000000000000000, 0, 0, 100 from generate_series(3, 6) n`,
      [anyMint()],
    );
    const soon = strategiesOn(world, { clock: later(600_000) });
    const again = await startPaperFollow(soon, other!.userId, careful);
    expect(again).toMatchObject({ endedBy: null, endTime: null });
    const muchLater = strategiesOn(world, { clock: later(31 * DAY_MS) });
    await endOldPaperFollows(muchLater);
    const { lists } = await loadMyPaperFollows(muchLater, other!.userId, { pageNo: 1, pageSize: 20 });
    expect(lists).toMatchObject([
      { id: again.id, endedBy: 'time', endTime: again.startTime + 30 * DAY_MS },
      { endedBy: 'stop-loss', copied: 1 },
    ]);
    expect(Number(lists[1]!.equity)).toBeLessThan(4);
  });

  it('that joins later buys the weights of that moment, and says from when the past is known', async () => {
    const deps = strategiesOn(world);
    const { strategy } = await aFollowed(deps);
    await placeStrategyRound(deps, aPurchase(strategy, 4n * SOL));
    await markStrategies(deps, [strategy.id]);
    const joined = await simulate(deps, { ...chosen(strategy.slug, SOL), since: Date.now() });
    // Four of ten SOL are in the coin, and so are four tenths of what joins.
    expect(Number(joined.equity)).toBeLessThan(1);
    expect(Number(joined.equity)).toBeGreaterThan(0.98);
    expect(joined.copied).toBe(0);
    await world.database.query(`delete from round_market where strategy_id = $1`, [strategy.id]);
    const forgotten = await simulate(deps, { ...chosen(strategy.slug, SOL), since: 0 });
    expect(forgotten.since).toBeGreaterThan(strategy.publishedAt.getTime());
    await expect(simulate(deps, { ...chosen(strategy.slug, SOL), since: Date.now() + 60_000 })).rejects.toMatchObject({
      context: { field: 'since' },
    });
  });
});
