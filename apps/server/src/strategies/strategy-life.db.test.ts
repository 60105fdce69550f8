import { randomUUID } from 'node:crypto';
import type { Address } from '@hunter/solana/address';
import { AppError } from '@hunter/contract/app-error';
import { lamports } from '@hunter/domain/numbers/lamports';
import { describe, expect, it, vi } from 'vitest';
import { loadCash } from '../ledger/balances.ts';
import { depositBookOf } from '../ledger/books.ts';
import { postEntries, type Asset } from '../ledger/journal.ts';
import { WALLET_MINIMUM_LAMPORTS } from '../ledger/wallet-minimum.ts';
import { loadWallet } from '../ledger/wallets.ts';
import { systemClock } from '../platform/clock.ts';
import { loadFrozenBooks } from '../treasury/transfers/transfer-store.ts';
import { useTradingWorld } from '../trading/use-trading-world-for-test.ts';
import type { Trader, TradingWorld } from '../trading/world-for-test.ts';
import type { HeldOrder } from '../trading/order.ts';
import { RentReclaimer } from '../trading/rent-reclaimer.ts';
import { beginClosing, cancelFollow, closeFollows } from './cancel-follow.ts';
import { changeFunds } from './change-funds.ts';
import { exitFollows } from './copying/exit-follows.ts';
import { FOLLOWS_JOINED_TOPIC, type FollowsJoined } from './copying/join-follows.ts';
import { placeStrategyRound } from './copying/place-strategy-round.ts';
import { endStrategy } from './end-strategy.ts';
import { loadFollowById } from './follow-store.ts';
import { followStrategy } from './follow-strategy.ts';
import { StrategyLifecycle } from './lifecycle.ts';
import { markStrategies } from './performance/mark-strategies.ts';
import { loadStrategyRecord } from '../portfolio/strategy-record.ts';
import { rebalance } from './rebalance.ts';
import { returnUnclaimed } from './return-unclaimed.ts';
import { loadStrategyById } from './strategy-store.ts';
import type { Strategies } from './strategies.ts';
import { differencesToChain, passUntilClosed, strategiesOn } from './strategies-for-test.ts';
import { loadRemaining, windDown } from './wind-down.ts';
import { plainMints, SOL, strategySteps } from './strategy-steps-for-test.ts';

let world: TradingWorld;
let deps: Strategies;
let mints: Address[];

useTradingWorld(async (started) => {
  world = started;
  deps = strategiesOn(world);
  mints = await plainMints(world);
});

const { aStrategy, follow, tokensIn, copiesOf, expectBooksEqualChain, returned } = strategySteps(() => ({
  world,
  deps,
  mints,
}));

/** Nothing leaves a book before what was put into it is final. */
async function untilFinal(bookId: string): Promise<void> {
  const isFinal = async () => expect((await loadFrozenBooks(world.database, [bookId])).size).toBe(0);
  await vi.waitFor(isFinal, { timeout: 120_000, interval: 100 });
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
    await expect.poll(statuses, { timeout: 120_000 }).toEqual(Array(5).fill('active'));
    expect(await tokensIn(follows[0]!.bookId)).toBe(2);
    expect(await tokensIn(follows[4]!.bookId)).toBe(0);
    const joined = await world.database.query<FollowsJoined>(
      `select payload -> 'followIds' as "followIds" from outbox where topic = $1`,
      [FOLLOWS_JOINED_TOPIC],
    );
    const bySolCount = follows.slice(0, 4).map(({ id }) => id);
    expect(joined.flatMap(({ followIds }) => followIds).toSorted()).toEqual(bySolCount.toSorted());

    const round = await placeStrategyRound(deps, {
      strategyId: strategy.id,
      side: 'buy',
      mint: mints[2]!,
      amountIn: lamports(SOL / 10n),
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
      { timeout: 120_000, interval: 200 },
    );
    await expect(follow(followers[0]!, strategy.slug)).resolves.toMatchObject({ status: 'closed' });
  });

  it('hands what strangers sent to its wallet to its creator thirty days after its end, as a deposit', async () => {
    const [creator] = await world.traders(1, 5n * SOL);
    const strategy = await aStrategy(creator!, { coins: [] });
    const { address } = await loadWallet(world.database, strategy.walletId);
    const unclaimed = await depositBookOf(world.database, strategy.walletId);
    const give = async (lamports: bigint): Promise<void> => {
      await world.rpc.requestAirdrop(address, lamports);
      const outside = { bookId: null, account: 'external', asset: 'SOL', amount: -lamports } as const;
      const given = { bookId: unclaimed.id, account: 'cash', asset: 'SOL', amount: lamports } as const;
      await postEntries(world.database, [
        { kind: 'deposit', reference: `gift ${lamports} ${strategy.id}`, postings: [given, outside] },
      ]);
    };
    const gift = SOL / 4n;
    await give(gift);
    await untilFinal(strategy.bookId);
    await endStrategy(deps, strategy.id);
    await passUntilClosed(deps, strategy.id);
    expect(await loadCash(world.database, strategy.bookId, 'SOL')).toBe(WALLET_MINIMUM_LAMPORTS);
    await returnUnclaimed(deps, strategy.id);
    expect(await loadCash(world.database, unclaimed.id, 'SOL')).toBe(gift);

    await world.database.write(`update strategy set ended_at = ended_at - interval '30 days' where id = $1`, [
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
    // What the wallet had kept pays for its own return.
    expect(await loadCash(world.database, strategy.bookId, 'SOL')).toBe(0n);
    expect((await world.rpc.getBalance(address)).value).toBe(0n);

    // A wallet that holds so little cannot pay a fee: the gift waits for the next one.
    const small = 893_000n;
    const attempts = async () => (await loadStrategyById(world.database, strategy.id)).closeAttempts;
    const before = await attempts();
    await give(small);
    await returnUnclaimed(deps, strategy.id);
    expect(await attempts()).toBe(before);
    expect(await loadCash(world.database, unclaimed.id, 'SOL')).toBe(small);
    await give(small + 1n);
    await returnUnclaimed(deps, strategy.id);
    expect(await loadCash(world.database, unclaimed.id, 'SOL')).toBe(0n);
    expect((await world.rpc.getBalance(address)).value).toBe(0n);
  });

  it('goes on returning what its creator has in it, however long ago it ended', async () => {
    const [creator] = await world.traders(1, 5n * SOL);
    const strategy = await aStrategy(creator!, { coins: [] });
    await untilFinal(strategy.bookId);
    await endStrategy(deps, strategy.id);
    await passUntilClosed(deps, strategy.id);
    // A part of a gain that the signer has not let go yet.
    const part = SOL / 4n;
    await world.rpc.requestAirdrop((await loadWallet(world.database, strategy.walletId)).address, part);
    const cash = { bookId: strategy.bookId, account: 'cash', asset: 'SOL', amount: part } as const;
    const outside = { bookId: null, account: 'external', asset: 'SOL', amount: -part } as const;
    await postEntries(world.database, [{ kind: 'deposit', reference: strategy.id, postings: [cash, outside] }]);
    await world.database.write(`update strategy set ended_at = ended_at - interval '10 days' where id = $1`, [
      strategy.id,
    ]);
    await new StrategyLifecycle(deps).pass();
    expect((await loadCash(world.database, strategy.bookId, 'SOL')) <= WALLET_MINIMUM_LAMPORTS).toBe(true);
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
      { timeout: 120_000, interval: 500 },
    );
    for (const { bookId } of [follower!, other!, ended]) expect(await tokensIn(bookId)).toBe(0);
    await expectBooksEqualChain();
  });

  it('sells a coin of those who leave only once the sale of the one before has ended', async () => {
    const [creator, follower] = await world.traders(2, 5n * SOL);
    const strategy = await aStrategy(creator!);
    const one = await follow(follower!, strategy.slug);
    await expect.poll(() => tokensIn(one.bookId), { timeout: 120_000 }).toBe(2);
    await beginClosing(deps, strategy.id, [{ follow: one, by: 'follower' }]);
    // The sale is still on its way when nobody waits for it any longer.
    const engine: Strategies['engine'] = Object.assign(Object.create(world.engine) as Strategies['engine'], {
      placeRound: world.engine.placeRound.bind(world.engine),
      waitFor: world.engine.waitFor.bind(world.engine),
      execute: async ({ order }: HeldOrder) => order,
    });
    await exitFollows({ ...deps, engine }, strategy.id);
    const exits = await world.database.query(`select 1 from trade_order where wallet_id = $1 and kind = 'exit'`, [
      strategy.walletId,
    ]);
    expect(exits).toHaveLength(1);
    expect(await loadFollowById(world.database, one.id)).toMatchObject({ closeRefusals: 0 });
    await passUntilClosed(deps, strategy.id);
    expect(await tokensIn(one.bookId)).toBe(0);
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
      { timeout: 120_000, interval: 500 },
    );
    const rows = await world.database.query<{ cost: bigint }>(
      `select cost_lamports as cost from position where book_id = $1`,
      [creator!.bookId],
    );
    expect(rows.every(({ cost }) => cost > 0n)).toBe(true);
    await expectBooksEqualChain();
  });

  it('returns SOL without the coins where it failed to go along with them', async () => {
    const [creator] = await world.traders(1, 5n * SOL);
    const strategy = await aStrategy(creator!, { autoClear: false });
    const personal = () => loadCash(world.database, creator!.bookId, 'SOL');
    const before = await personal();
    await untilFinal(strategy.bookId);
    // As of a coin whose issuer has frozen the account.
    for (const id of [randomUUID(), randomUUID(), randomUUID()]) {
      await world.database.write(
        `insert into transfer (id, kind, wallet_id, state) values ($1, 'return', $2, 'failed')`,
        [id, strategy.walletId],
      );
      await world.database.write(
        `insert into transfer_leg (transfer_id, line, from_book, to_book, asset, amount) values ($1, 0, $2, $3, $4, 1)`,
        [id, strategy.bookId, creator!.bookId, mints[0]],
      );
    }
    await endStrategy(deps, strategy.id);
    await passUntilClosed(deps, strategy.id);
    expect(await tokensIn(creator!.bookId)).toBe(0);
    expect(await tokensIn(strategy.bookId)).toBe(2);
    expect((await personal()) > before + SOL / 2n).toBe(true);
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

  it('sells no coins that a follower asked for because a pool cannot be read for a moment', async () => {
    const [creator, follower] = await world.traders(2, 5n * SOL);
    const strategy = await aStrategy(creator!);
    const followed = await follow(follower!, strategy.slug);
    await passUntilClosed(deps, strategy.id);
    await untilFinal(followed.bookId);
    const pools: Strategies['pools'] = {
      load: async (asked) => deps.pools.load(asked.filter((mint) => mint !== mints[1])),
    };
    await beginClosing(deps, strategy.id, [{ follow: followed, by: 'follower', inKind: true }]);
    await closeFollows({ ...deps, pools }, strategy.id);
    expect(await world.database.query(`select status, in_kind from follow where id = $1`, [followed.id])).toEqual([
      { status: 'closing', in_kind: true },
    ]);
    await passUntilClosed(deps, strategy.id);
    expect(await tokensIn(follower!.bookId)).toBe(2);
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
    const held = await world.database.query<{ asset: Asset }>(
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
    const held = await world.database.query<{ asset: Asset }>(
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
    await untilFinal(one.bookId);
    // As where the answer was lost while the first one waits.
    const both = await Promise.allSettled([change('reduce', SOL, 'less'), change('reduce', SOL, 'less')]);
    expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled']);
    await vi.waitFor(
      () => expect(change('reduce', SOL, 'too much')).rejects.toMatchObject({ errorName: 'INVALID_INPUT' }),
      { timeout: 120_000, interval: 500 },
    );
    await vi.waitFor(
      async () => {
        const { returnedLamports, returnId } = await loadFollowById(world.database, one.id);
        expect(returnId).toBeNull();
        expect(returnedLamports! > (SOL * 98n) / 100n).toBe(true);
      },
      { timeout: 120_000, interval: 500 },
    );
    expect(await tokensIn(one.bookId)).toBe(1);
    // What was taken out is no loss: not of the follower, and not of those who followed.
    const page = { type: 'strategy' as const, pageNo: 1, pageSize: 20 };
    const { lists } = await loadStrategyRecord(deps, follower!.userId, page);
    expect(Number(lists[0]!.changeRate)).toBeGreaterThan(-10);
    await world.database.write(`update follow set opened_at = opened_at - interval '2 hours' where id = $1`, [one.id]);
    await markStrategies(deps, [strategy.id]);
    const [stats] = await world.database.query<{ followerReturn: bigint }>(
      `select follower_return as "followerReturn" from strategy_stats where strategy_id = $1`,
      [strategy.id],
    );
    expect(stats!.followerReturn).toBeGreaterThan(-(10n ** 17n));
    await expectBooksEqualChain();
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
});
