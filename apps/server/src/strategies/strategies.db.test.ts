import { AppError } from '@hunter/contract/app-error';
import { lamports } from '@hunter/domain/numbers/lamports';
import { describe, expect, it, vi } from 'vitest';
import { loadCash } from '../ledger/balances.ts';
import { depositBookOf } from '../ledger/books.ts';
import { postEntries } from '../ledger/journal.ts';
import { loadWallet } from '../ledger/wallets.ts';
import { systemClock } from '../platform/clock.ts';
import { useTradingWorld } from '../trading/use-trading-world-for-test.ts';
import type { Trader, TradingWorld } from '../trading/world-for-test.ts';
import { calls, type CallReply } from '@hunter/contract/calls';
import { strategyHandlers } from '../http/routes/strategies.ts';
import { SELL_ALL } from '../trading/order.ts';
import type { RentReturned } from '../trading/order-events.ts';
import { RentReclaimer } from '../trading/rent-reclaimer.ts';
import { cancelFollow } from './cancel-follow.ts';
import { changeFunds } from './change-funds.ts';
import { BookChanges } from './copying/book-changes.ts';
import { placeStrategyRound } from './copying/place-strategy-round.ts';
import { createStrategy } from './create-strategy.ts';
import { endStrategy } from './end-strategy.ts';
import { loadFollowById } from './follow-store.ts';
import { followStrategy } from './follow-strategy.ts';
import { StrategyLifecycle } from './lifecycle.ts';
import { markStrategies } from './performance/mark-strategies.ts';
import { PERFORMANCE_START, performanceAfter, performanceOf, type PerformanceRow } from './performance/performance.ts';
import { loadStrategyRecord } from '../portfolio/strategy-record.ts';
import { previewCancel } from './reads/previews.ts';
import { rebalance } from './rebalance.ts';
import { returnUnclaimed } from './return-unclaimed.ts';
import { loadStrategyById } from './strategy-store.ts';
import type { Strategies } from './strategies.ts';
import { differencesToChain, passUntilClosed, strategiesOn } from './strategies-for-test.ts';
import { loadRemaining, windDown } from './wind-down.ts';

let world: TradingWorld;
let deps: Strategies;
let mints: string[];

useTradingWorld(async (started) => {
  world = started;
  deps = strategiesOn(world);
  const rows = (await (await fetch(`${world.venueUrl}/tokens/v2/toptraded/24h?limit=50`)).json()) as {
    id: string;
    tokenProgram: string;
    liquidity: number;
  }[];
  mints = rows
    .filter((row) => row.tokenProgram.startsWith('Tokenkeg'))
    .sort((left, right) => right.liquidity - left.liquidity)
    .map((row) => row.id);
});

const SOL = 1_000_000_000n;
let names = 0;

async function aStrategy(
  creator: Trader,
  overrides: { autoClear?: boolean; coins?: [string, string][]; minutes?: number } = {},
  by = deps,
) {
  names += 1;
  const coins = overrides.coins ?? [
    [mints[0]!, '40'],
    [mints[1]!, '20'],
  ];
  const { strategy } = await createStrategy(
    by,
    creator.userId,
    {
      name: `Strategy ${names}`,
      description: '',
      capital: lamports(2n * SOL),
      coins: coins.map(([tokenContractAddress, weight]) => ({ tokenContractAddress, weight })),
      autoClear: overrides.autoClear ?? true,
      duration: overrides.minutes === undefined ? undefined : { days: 0, hours: 0, minutes: overrides.minutes },
    },
    `key ${names}`,
  );
  return strategy;
}

function follow(trader: Trader, slug: string, amount = SOL, mode: 'sol' | 'position' = 'sol', by = deps) {
  return followStrategy(
    by,
    trader.userId,
    { slug, mode, amount: lamports(amount), multiplier: '1' },
    `${slug} ${trader.userId}`,
  );
}

async function tokensIn(bookId: string): Promise<number> {
  const rows = await world.database.query(
    `select 1 from balance where book_id = $1 and asset <> 'SOL' and amount > 0`,
    [bookId],
  );
  return rows.length;
}

async function copiesOf(orderId: string) {
  return world.database.query<{ reason: string | null; filledIn: bigint; filledOut: bigint; fee: bigint }>(
    `select reason, filled_in as "filledIn", filled_out as "filledOut", fee_lamports as fee from filled_allocation
     where order_id = $1 and follow_id is not null`,
    [orderId],
  );
}

async function expectBooksEqualChain(): Promise<void> {
  expect(await differencesToChain(world)).toEqual({});
}

async function returned(followId: string): Promise<bigint> {
  const [row] = await world.database.query<{ returned: bigint }>(
    `select returned_lamports as returned from follow where id = $1 and status = 'closed'`,
    [followId],
  );
  return row!.returned;
}

/** Calls a handler as the edge does: the request parsed by the contract, the reply held against it. */
async function ask<Name extends keyof ReturnType<typeof strategyHandlers>>(
  name: Name,
  userId: string | null,
  request: object,
) {
  const handlers = strategyHandlers(
    deps,
    () => '150',
    () => new Uint8Array(32),
  ) as Record<string, (request: unknown, caller: unknown) => Promise<unknown>>;
  const session = userId === null ? null : { sessionId: 's', userId, email: 'e' };
  const caller = { session, address: '', device: '', requestId: 'r', idempotencyKey: `key ${name}` };
  const call = calls[name];
  const reply = await handlers[name]!(call.request.parse(request), caller);
  return call.reply.parse(reply) as CallReply<Name>;
}

describe('strategies on a real chain', () => {
  it('publishes with its coins bought, is followed at its weights, traded as one round and cancelled without a rest', async () => {
    const [creator, ...followers] = await world.traders(6, 5n * SOL);
    const strategy = await aStrategy(creator!);
    expect(strategy.status).toBe('running');
    expect(await tokensIn(strategy.bookId)).toBe(2);
    const follows = await Promise.all(
      followers.map((trader, index) => follow(trader, strategy.slug, SOL, index === 4 ? 'position' : 'sol')),
    );
    // A busy machine answers before the last of them has joined.
    const statuses = () =>
      Promise.all(follows.map(async ({ id }) => (await loadFollowById(world.database, id)).status));
    await expect.poll(statuses, { timeout: 60_000 }).toEqual(Array(5).fill('active'));
    expect(await tokensIn(follows[0]!.bookId)).toBe(2);
    expect(await tokensIn(follows[4]!.bookId)).toBe(0);

    const round = await placeStrategyRound(deps, {
      strategyId: strategy.id,
      side: 'buy',
      mint: mints[2]!,
      amountIn: SOL / 10n,
      slippageBps: 500,
      kind: 'trade',
    });
    const copies = await copiesOf(round.id);
    expect(copies.map(({ reason }) => reason)).toEqual(Array(5).fill(null));
    const swaps = await world.database.query(`select 1 from signed_transaction where intent_id = $1`, [round.id]);
    expect(swaps).toHaveLength(1);
    const prices = [{ filledIn: round.filledIn!, filledOut: round.filledOut! }, ...copies];
    for (const { filledIn, filledOut } of prices) {
      // One price for everyone; each share is rounded down to a base unit.
      const fair = (filledIn * prices[0]!.filledOut) / prices[0]!.filledIn;
      expect(fair - filledOut <= 1n && filledOut - fair <= 1n).toBe(true);
    }
    await Promise.all(followers.map((trader) => cancelFollow(deps, trader.userId, strategy.slug)));
    await passUntilClosed(deps, strategy.id);
    for (const { id, bookId } of follows) {
      expect(await tokensIn(bookId)).toBe(0);
      expect((await returned(id)) > (SOL * 9n) / 10n).toBe(true);
    }
    await expectBooksEqualChain();
  });

  it('sells everybody out at one price when it ends with auto clear', async () => {
    const [creator, ...followers] = await world.traders(5, 5n * SOL);
    const strategy = await aStrategy(creator!);
    const follows = await Promise.all(followers.map((trader) => follow(trader, strategy.slug)));
    await endStrategy(deps, strategy.id);
    await passUntilClosed(deps, strategy.id);
    const rows = await world.database.query(`select status from follow where strategy_id = $1`, [strategy.id]);
    expect(rows).toEqual(followers.map(() => ({ status: 'closed' })));
    for (const bookId of [strategy.bookId, ...follows.map((one) => one.bookId)]) expect(await tokensIn(bookId)).toBe(0);
    await expectBooksEqualChain();
    // What its wallet keeps pays for closing its token accounts.
    const { database, rpc, signer } = world;
    const { clock, log } = deps;
    const rents = new RentReclaimer({ database, rpc, signer, clock, log, balanceChanged: () => {}, idleSeconds: 0 });
    const accounts = (): Promise<unknown[]> =>
      database.query(`select 1 from token_account where wallet_id = $1`, [strategy.walletId]);
    expect(await accounts()).not.toEqual([]);
    await vi.waitFor(
      async () => {
        await rents.pass();
        expect(await accounts()).toEqual([]);
      },
      { timeout: 20_000, interval: 200 },
    );
    await expect(follow(followers[0]!, strategy.slug)).resolves.toMatchObject({ status: 'closed' });
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
      { timeout: 20_000, interval: 200 },
    );
    await new BookChanges(deps).onRentReturned((await told())[0]!.payload);
    const recorded = `select 1 from strategy_event where strategy_id = $1 and reference like 'rent:%'`;
    expect(await database.query(recorded, [strategy.id])).toHaveLength(1);
  });

  it('hands what strangers sent to its wallet to its creator thirty days after its end, as a deposit', async () => {
    const [creator] = await world.traders(1, 5n * SOL);
    const strategy = await aStrategy(creator!, { coins: [] });
    const { address } = await loadWallet(world.database, strategy.walletId);
    const gift = SOL / 4n;
    await world.rpc.requestAirdrop(address, gift);
    const unclaimed = await depositBookOf(world.database, strategy.walletId);
    const outside = { bookId: null, account: 'external', asset: 'SOL', amount: -gift } as const;
    const given = { bookId: unclaimed.id, account: 'cash', asset: 'SOL', amount: gift } as const;
    await postEntries(world.database, [
      { kind: 'deposit', reference: `gift ${strategy.id}`, postings: [given, outside] },
    ]);
    await endStrategy(deps, strategy.id);
    await passUntilClosed(deps, strategy.id);
    await returnUnclaimed(deps, strategy.id);
    expect(await loadCash(world.database, unclaimed.id, 'SOL')).toBe(gift);

    await world.database.query(`update strategy set ended_at = ended_at - interval '30 days' where id = $1`, [
      strategy.id,
    ]);
    await returnUnclaimed(deps, strategy.id);
    expect(await loadCash(world.database, unclaimed.id, 'SOL')).toBe(0n);
    const [deposit] = await world.database.query<{ amount: bigint }>(
      `select p.amount from posting p join journal_entry e on e.id = p.entry_id
       where e.kind = 'deposit' and p.book_id = $1 and p.amount between $2::numeric - 10000 and $2`,
      [creator!.bookId, gift],
    );
    expect(deposit).toBeDefined();
    await expectBooksEqualChain();
  });

  it('waits for a venue that is away instead of handing coins over unsold', async () => {
    const [creator, follower, other, another] = await world.traders(4, 5n * SOL);
    const [cancelled, ended] = [await aStrategy(creator!), await aStrategy(another!)];
    const [one, two] = [await follow(follower!, cancelled.slug), await follow(other!, ended.slug)];
    const away = () => Promise.reject(new AppError('UNAVAILABLE'));
    const spy = vi.spyOn(world.venue, 'quote').mockImplementation(away);
    const lifecycle = new StrategyLifecycle(deps);
    await Promise.all([cancelFollow(deps, follower!.userId, cancelled.slug), endStrategy(deps, ended.id)]);
    for (const { bookId } of [one, two, ended]) expect(await tokensIn(bookId)).toBeGreaterThan(0);
    spy.mockRestore();
    await vi.waitFor(
      async () => {
        await lifecycle.pass();
        const rows = await world.database.query(`select status from follow where id = any($1::uuid[])`, [
          [one.id, two.id],
        ]);
        expect(rows).toEqual([{ status: 'closed' }, { status: 'closed' }]);
      },
      { timeout: 90_000, interval: 500 },
    );
    for (const { bookId } of [follower!, other!, ended]) expect(await tokensIn(bookId)).toBe(0);
    await expectBooksEqualChain();
  });

  it('sends the creator his coins in kind when it ends without auto clear', async () => {
    const [creator, follower] = await world.traders(2, 5n * SOL);
    const strategy = await aStrategy(creator!, { autoClear: false });
    const one = await follow(follower!, strategy.slug);
    await endStrategy(deps, strategy.id);
    await passUntilClosed(deps, strategy.id);
    expect(await tokensIn(one.bookId)).toBe(0);
    // The follower did not choose to have coins; his were sold.
    expect(await tokensIn(follower!.bookId)).toBe(0);
    await vi.waitFor(
      async () => {
        await new StrategyLifecycle(deps).pass();
        expect(await tokensIn(creator!.bookId)).toBe(2);
      },
      { timeout: 60_000, interval: 500 },
    );
    const rows = await world.database.query<{ cost: bigint }>(
      `select cost_lamports as cost from position where book_id = $1`,
      [creator!.bookId],
    );
    expect(rows.every(({ cost }) => cost > 0n)).toBe(true);
    await expectBooksEqualChain();
  });

  it('sends a follower who asks for it the coins themselves', async () => {
    const [creator, follower] = await world.traders(2, 5n * SOL);
    const strategy = await aStrategy(creator!);
    const followed = await follow(follower!, strategy.slug);
    await passUntilClosed(deps, strategy.id);
    expect(await tokensIn(followed.bookId)).toBe(2);
    await cancelFollow(deps, follower!.userId, strategy.slug, { inKind: true });
    await passUntilClosed(deps, strategy.id);
    expect(await tokensIn(followed.bookId)).toBe(0);
    expect(await tokensIn(follower!.bookId)).toBe(2);
    // Coins that went over are no loss.
    expect((await returned(followed.id)) > (SOL * 9n) / 10n).toBe(true);
    const sold = await world.database.query(
      `select 1 from allocation a join trade_order o on o.id = a.order_id where a.follow_id = $1 and o.side = 'sell'`,
      [followed.id],
    );
    expect(sold).toEqual([]);
    await expectBooksEqualChain();
  });

  it('rebalances with its followers and keeps their weights alike', async () => {
    const [creator, follower] = await world.traders(2, 5n * SOL);
    const strategy = await aStrategy(creator!, { coins: [[mints[0]!, '50']] });
    const one = await follow(follower!, strategy.slug);
    const wanted = { slug: strategy.slug, coins: [{ tokenContractAddress: mints[1]!, weight: '60' }] };
    const { orders, refused, remaining } = await rebalance(deps, creator!.userId, wanted, 'once');
    expect({ refused, remaining }).toEqual({ refused: 0, remaining: 0 });
    expect(orders.map(({ side }) => side)).toEqual(['sell', 'buy']);
    for (const { state } of orders) expect(['confirmed', 'finalized']).toContain(state);
    const held = await world.database.query<{ asset: string }>(
      `select asset from balance where book_id = $1 and asset <> 'SOL' and amount > 0`,
      [one.bookId],
    );
    expect(held).toEqual([{ asset: mints[1] }]);
    await expectBooksEqualChain();
  });

  it('answers a long rebalance before its end, makes the rest of its trades, and no second one beside it', async () => {
    const [creator] = await world.traders(1, 5n * SOL);
    const strategy = await aStrategy(creator!, { coins: [[mints[0]!, '50']] });
    const wanted = { slug: strategy.slug, coins: [{ tokenContractAddress: mints[1]!, weight: '60' }] };
    const { remaining } = await rebalance(deps, creator!.userId, wanted, 'once', 0);
    const other = rebalance(deps, creator!.userId, { slug: strategy.slug, coins: [] }, 'twice');
    await expect(other).rejects.toMatchObject({ errorName: 'TRADE_UNDER_WAY' });
    expect(remaining).toBeLessThanOrEqual(2);
    await deps.work.idle();
    const held = await world.database.query<{ asset: string }>(
      `select asset from balance where book_id = $1 and asset <> 'SOL' and amount > 0`,
      [strategy.bookId],
    );
    expect(held).toEqual([{ asset: mints[1] }]);
    await expectBooksEqualChain();
  });

  it('takes more SOL into a follow and gives some back, coins sold by one fraction', async () => {
    const [creator, follower] = await world.traders(2, 5n * SOL);
    const strategy = await aStrategy(creator!, { coins: [[mints[0]!, '80']] });
    const { slug } = strategy;
    const one = await follow(follower!, slug);
    const change = (action: 'add' | 'reduce', amount: bigint, key: string) =>
      changeFunds(deps, follower!.userId, { slug, action, amount: lamports(amount) }, key);
    expect(await change('add', SOL / 2n, 'more')).toMatchObject({ amountLamports: (SOL * 3n) / 2n });
    expect(await change('add', SOL / 2n, 'more')).toMatchObject({ amountLamports: (SOL * 3n) / 2n });
    // Nothing can be taken out before what was added is final.
    await expect(change('reduce', SOL, 'less')).rejects.toMatchObject({ errorName: 'TRADE_UNDER_WAY' });
    await vi.waitFor(() => change('reduce', SOL, 'less'), { timeout: 60_000, interval: 500 });
    await vi.waitFor(
      () => expect(change('reduce', SOL, 'too much')).rejects.toMatchObject({ errorName: 'INVALID_INPUT' }),
      { timeout: 60_000, interval: 500 },
    );
    await vi.waitFor(
      async () => {
        const { returnedLamports, returnId } = await loadFollowById(world.database, one.id);
        expect(returnId).toBeNull();
        expect(returnedLamports! > (SOL * 98n) / 100n).toBe(true);
      },
      { timeout: 60_000, interval: 500 },
    );
    expect(await tokensIn(one.bookId)).toBe(1);
    // What was taken out is no loss: not of the follower, and not of those who followed.
    const page = { type: 'strategy' as const, pageNo: 1, pageSize: 20 };
    const { lists } = await loadStrategyRecord(deps, follower!.userId, page);
    expect(Number(lists[0]!.changeRate)).toBeGreaterThan(-10);
    await world.database.query(`update follow set opened_at = opened_at - interval '2 hours' where id = $1`, [one.id]);
    await markStrategies(deps, [strategy.id]);
    const [stats] = await world.database.query<{ followerReturn: bigint }>(
      `select follower_return as "followerReturn" from strategy_stats where strategy_id = $1`,
      [strategy.id],
    );
    expect(stats!.followerReturn).toBeGreaterThan(-(10n ** 17n));
    await expectBooksEqualChain();
  }, 150_000);

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

  it('refuses what the product forbids', async () => {
    const [creator, follower] = await world.traders(2, 5n * SOL);
    const strategy = await aStrategy(creator!, { coins: [] });
    await expect(follow(creator!, strategy.slug)).rejects.toMatchObject({ errorName: 'FOLLOW_OWN' });
    await expect(follow(follower!, strategy.slug, 50n * SOL)).rejects.toMatchObject({
      errorName: 'FOLLOW_AMOUNT_EXCEEDS',
    });
    await expect(follow(follower!, strategy.slug, 1_000n)).rejects.toMatchObject({ errorName: 'AMOUNT_TOO_SMALL' });
    await follow(follower!, strategy.slug);
    await expect(
      followStrategy(
        deps,
        follower!.userId,
        { slug: strategy.slug, mode: 'sol', amount: lamports(SOL), multiplier: '1' },
        'again',
      ),
    ).rejects.toMatchObject({ errorName: 'ALREADY_FOLLOWING' });
    await expect(cancelFollow(deps, creator!.userId, strategy.slug)).rejects.toMatchObject({
      errorName: 'NOT_FOLLOWING',
    });
    await expect(follow(follower!, 'no-such')).rejects.toMatchObject({ errorName: 'STRATEGY_NOT_FOUND' });
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

  it('is wound down by an operator like one whose time is over, once and with a reason', async () => {
    const [creator, follower] = (await world.traders(2, 10n * SOL)) as [Trader, Trader];
    const strategy = await aStrategy(creator, { coins: [[mints[0]!, '40']] });
    const request = { slug: strategy.slug, mode: 'sol' as const, amount: lamports(SOL), multiplier: '1' };
    const follow = await followStrategy(deps, follower.userId, request, 'before the wind-down');
    const order = { slug: strategy.slug, operator: 'Ada', reason: 'the venue closes' };
    expect(await windDown(world.database, order, new Date())).toEqual([strategy.slug]);
    expect(await windDown(world.database, order, new Date())).toEqual([]);
    await expect(windDown(world.database, { ...order, slug: 'no-such' }, new Date())).rejects.toThrow('no-such');
    expect((await loadRemaining(world.database)).map(({ slug }) => slug)).toContain(strategy.slug);
    await new StrategyLifecycle(deps).pass();
    await expect(
      followStrategy(deps, (await world.traders(1, 2n * SOL))[0]!.userId, request, 'too late'),
    ).rejects.toMatchObject({ errorName: 'STRATEGY_ENDED' });
    await passUntilClosed(deps, strategy.id);
    expect(await loadStrategyById(world.database, strategy.id)).toMatchObject({ status: 'ended' });
    expect(await loadFollowById(world.database, follow.id)).toMatchObject({
      status: 'closed',
      closedBy: 'strategy-end',
    });
    expect((await loadRemaining(world.database)).map(({ slug }) => slug)).not.toContain(strategy.slug);
    const audits = await world.database.query<{ detail: string }>(
      `select detail from audit_event where event = 'wind-down'`,
    );
    expect(audits[0]!.detail).toBe(`Ada winds down ${strategy.slug} (1): the venue closes`);
    expect(await differencesToChain(world)).toEqual({});
  });

  it('ends when its time is over', async () => {
    const [creator] = await world.traders(1, 5n * SOL);
    const strategy = await aStrategy(creator!, { minutes: 30 });
    const at = (minutes: number) =>
      strategiesOn(world, { clock: { ...systemClock, nowMs: () => Date.now() + minutes * 60_000 } });
    await new StrategyLifecycle(at(29)).pass();
    expect((await loadStrategyById(world.database, strategy.id)).status).toBe('running');
    await new StrategyLifecycle(at(31)).pass();
    await passUntilClosed(deps, strategy.id);
    expect((await loadStrategyById(world.database, strategy.id)).status).toBe('ended');
    expect(await tokensIn(strategy.bookId)).toBe(0);
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
      amountIn: SOL,
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
