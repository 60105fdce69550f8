import { baseUnits } from '@hunter/domain/numbers/base-units';
import { randomUUID } from 'node:crypto';
import { AppError } from '@hunter/contract/app-error';
import { lamports } from '@hunter/domain/numbers/lamports';
import { SignerError } from '@hunter/signer-client/signer-error';
import { describe, expect, it, vi } from 'vitest';
import { loadCash } from '../ledger/balances.ts';
import { loadPersonalBook } from '../ledger/books.ts';
import { lockCoinsOfCreators } from '../ledger/creator-coins.ts';
import { postEntries, SOL as SOL_ASSET } from '../ledger/journal.ts';
import { systemClock } from '../platform/clock.ts';
import { loadCopyReceipts } from '../portfolio/copy-receipts.ts';
import { loadCreatorHoldings } from '../portfolio/strategy-evidence.ts';
import type { HeldOrder } from '../trading/order.ts';
import { loadFrozenBooks } from '../treasury/transfers/transfer-store.ts';
import { closePosition, trade } from '../trading/trade.ts';
import { useTradingWorld } from '../trading/use-trading-world-for-test.ts';
import type { Trader, TradingWorld } from '../trading/world-for-test.ts';
import { beginClosing, cancelFollow } from './cancel-follow.ts';
import { changeFunds } from './change-funds.ts';
import { endStrategy } from './end-strategy.ts';
import { placeInStrategy, placeStrategyRound } from './copying/place-strategy-round.ts';
import { createStrategy } from './create-strategy.ts';
import { loadFollowById, type Follow } from './follow-store.ts';
import { followStrategy } from './follow-strategy.ts';
import { guardFollows } from './guard-follows.ts';
import { returnFollows } from './return-funds.ts';
import { markStrategies } from './performance/mark-strategies.ts';
import type { Strategies } from './strategies.ts';
import { passUntilClosed, strategiesOn } from './strategies-for-test.ts';
import { StrategyLanes } from './strategy-lanes.ts';
import type { Strategy } from './strategy-store.ts';
import { updateFollow } from './update-follow.ts';

const SOL = 1_000_000_000n;

let world: TradingWorld;
let deps: Strategies;
let count = 0;

useTradingWorld((started) => {
  world = started;
  deps = strategiesOn(world);
});

type Scene = { strategy: Strategy; follow: Follow; leader: Trader; follower: Trader };

async function aFollowed(): Promise<Scene> {
  count += 1;
  const [leader, follower] = (await world.traders(2, 60n * SOL)) as [Trader, Trader];
  const wanted = { name: `Same ${count}`, description: '', capital: lamports(3n * SOL), coins: [], autoClear: true };
  const { strategy } = await createStrategy(deps, leader.userId, wanted, `same ${count}`);
  const request = { slug: strategy.slug, mode: 'sol' as const, amount: lamports(2n * SOL), multiplier: '1' };
  const follow = await followStrategy(deps, follower.userId, request, `follow ${count}`);
  return { strategy, follow, leader, follower };
}

const aPurchase = (strategy: Strategy) => ({
  strategyId: strategy.id,
  side: 'buy' as const,
  mint: world.mint,
  amountIn: lamports(SOL),
  slippageBps: 2_000,
  kind: 'trade' as const,
  waitMs: 20_000,
});

const trading = () => {
  const { database, engine, venue, tokens, pools } = world;
  const placing = {
    placeInStrategy: (order: Parameters<typeof placeInStrategy>[1]) => placeInStrategy(deps, order),
    followersInput: async () => lamports(0n),
  };
  return { database, engine, venue, tokens, pools, clock: systemClock, solUsd: () => null, ...placing };
};

/** Orders are written and not traded yet, as between the order and its fill. */
const writingOnly = () =>
  new Proxy(world.engine, {
    get: (target, name) => {
      if (name === 'execute') return async ({ order }: HeldOrder) => order;
      return (Reflect.get(target, name) as (...given: unknown[]) => unknown).bind(target);
    },
  });

describe('a creator who orders twice at the same moment', () => {
  it('does not sell his own into a purchase of his strategy that is still on its way', async () => {
    const { strategy, leader } = await aFollowed();
    const own = { tokenContractAddress: world.mint, slippageBps: 2_000 };
    await trade(trading(), { ...own, side: 'buy', amount: '0.5' }, { key: 'own', userId: leader.userId });
    await placeStrategyRound({ ...deps, engine: writingOnly() }, aPurchase(strategy));
    const selling = trade(trading(), { ...own, side: 'sell', amount: '1' }, { key: 'sale', userId: leader.userId });
    await expect(selling).rejects.toMatchObject({ errorName: 'CREATOR_CONFLICT' });
  });

  it('does not sell his own into a purchase that his strategy orders after he was last asked', async () => {
    const { strategy, leader } = await aFollowed();
    const own = { tokenContractAddress: world.mint, slippageBps: 2_000 };
    const placing = trading();
    await trade(placing, { ...own, side: 'buy', amount: '0.5' }, { key: 'own', userId: leader.userId });
    const engine = new Proxy(placing.engine, {
      get: (target, name) => {
        const method = (Reflect.get(target, name) as (...given: unknown[]) => unknown).bind(target);
        if (name !== 'placeOrder') return method;
        return async (...given: unknown[]) => {
          await placeStrategyRound({ ...deps, engine: writingOnly() }, aPurchase(strategy));
          return method(...given);
        };
      },
    });
    const request = { ...own, side: 'sell' as const, amount: '1' };
    const selling = trade({ ...placing, engine }, request, { key: 'sale', userId: leader.userId });
    await expect(selling).rejects.toMatchObject({ errorName: 'CREATOR_CONFLICT' });
  });

  it('sells his own after his followers where he closes a position everywhere', async () => {
    const { strategy, leader } = await aFollowed();
    const { userId } = leader;
    const own = { tokenContractAddress: world.mint, slippageBps: 2_000 };
    // His strategy bought long enough ago.
    const placing = { ...trading(), clock: { ...systemClock, nowMs: () => systemClock.nowMs() + 660_000 } };
    await trade(placing, { ...own, side: 'buy', amount: '0.5' }, { key: 'own', userId });
    await placeStrategyRound(deps, aPurchase(strategy));
    const sold: string[] = [];
    const inStrategy: typeof placing.placeInStrategy = async (order) => {
      const ended = await placing.placeInStrategy(order);
      sold.push('with followers');
      return ended;
    };
    const engine = new Proxy(placing.engine, {
      get: (target, name) => {
        if (name === 'placeOrder') sold.push('his own');
        return (Reflect.get(target, name) as (...given: unknown[]) => unknown).bind(target);
      },
    });
    const { lists } = await closePosition({ ...placing, engine, placeInStrategy: inStrategy }, own, {
      key: 'close',
      userId,
    });
    expect(lists).toHaveLength(2);
    for (const { status } of lists) expect(['confirmed', 'finalized']).toContain(status);
    expect(sold).toEqual(['with followers', 'his own']);
  });

  it('has his strategy marked again soon where it could not be marked because of an order on its way', async () => {
    const { strategy } = await aFollowed();
    const own = { ...deps, due: new Set<string>() };
    await markStrategies(own, [strategy.id]);
    expect([...own.due]).toEqual([]);
    await placeStrategyRound({ ...own, engine: writingOnly() }, aPurchase(strategy));
    await markStrategies(own, [strategy.id]);
    expect([...own.due]).toEqual([strategy.id]);
  });

  it('shows what he holds on the side also where a book of his follows a wallet', async () => {
    const { strategy, leader } = await aFollowed();
    await placeStrategyRound(deps, aPurchase(strategy));
    const { userId, bookId } = leader;
    const own = { userId, bookId, side: 'buy' as const, mint: world.mint, amountIn: lamports(SOL / 2n) };
    await world.engine.placeOrder({ ...own, slippageBps: 2_000, kind: 'trade' }, { waitMs: 20_000 });
    expect(await loadCreatorHoldings(deps, strategy)).toMatchObject([{ mint: world.mint, where: 'personal' }]);
    await world.database.write(`update book set kind = 'wallet-follow' where id = $1`, [bookId]);
    expect(await loadCreatorHoldings(deps, strategy)).toMatchObject([{ mint: world.mint, where: 'personal' }]);
    await world.database.write(`update book set kind = 'personal' where id = $1`, [bookId]);
  });

  it('buys alone while an order of his own in the coin is on its way', async () => {
    const { strategy, leader, follower } = await aFollowed();
    const { userId, bookId } = leader;
    const order = {
      id: randomUUID(),
      userId,
      bookId,
      side: 'buy' as const,
      mint: world.mint,
      amountIn: lamports(SOL / 2n),
    };
    await world.database.transaction((sql) =>
      world.engine.placeIn(sql, [{ ...order, slippageBps: 2_000, kind: 'trade' }]),
    );
    await placeStrategyRound(deps, aPurchase(strategy));
    const request = { slug: strategy.slug, cursor: undefined };
    const { lists } = await loadCopyReceipts(deps, follower.userId, request);
    expect(lists[0]).toMatchObject({ kind: 'skip', reason: 'creator-traded' });
  });

  it('buys alone where a sale of his own is being written', async () => {
    const { strategy, leader, follower } = await aFollowed();
    const { userId, bookId } = leader;
    // What he has had for long.
    const postings = [
      { bookId, account: 'cash' as const, asset: world.mint, amount: 1_000n },
      { bookId: null, account: 'external' as const, asset: world.mint, amount: -1_000n },
    ];
    await postEntries(world.database, [{ kind: 'deposit', reference: `tokens of ${bookId}`, postings }]);
    const order = {
      id: randomUUID(),
      userId,
      bookId,
      side: 'sell' as const,
      mint: world.mint,
      amountIn: baseUnits(1_000n),
    };
    const { buying } = await world.database.transaction(async (sql) => {
      await lockCoinsOfCreators(sql, [{ userId, mint: world.mint }]);
      await world.engine.placeIn(sql, [{ ...order, slippageBps: 2_000, kind: 'trade' }]);
      const round = placeStrategyRound(deps, aPurchase(strategy));
      round.catch(() => {});
      await expect
        .poll(() =>
          world.database.query(
            `select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
          ),
        )
        .toHaveLength(1);
      return { buying: round };
    });
    await buying;
    const { lists } = await loadCopyReceipts(deps, follower.userId, { slug: strategy.slug, cursor: undefined });
    expect(lists[0]).toMatchObject({ kind: 'skip', reason: 'creator-traded' });
  });
});

/** Two processes of which none begins a transaction before both are about to. */
function twoProcesses(): [Strategies, Strategies] {
  let arrived = 0;
  const { promise: bothArrived, resolve } = Promise.withResolvers<void>();
  const database = new Proxy(world.database, {
    get: (target, name) => {
      const method = (Reflect.get(target, name) as (...given: unknown[]) => unknown).bind(target);
      if (name !== 'transaction') return method;
      return async (...given: unknown[]) => {
        arrived += 1;
        if (arrived === 2) resolve();
        await bothArrived;
        return method(...given);
      };
    },
  });
  return [strategiesOn(world, { database }), strategiesOn(world, { database })];
}

describe('one request at two processes at the same moment', () => {
  it('creates one strategy and answers both with it', async () => {
    const [leader] = await world.traders(1, 60n * SOL);
    const wanted = { name: 'Twice', description: '', capital: lamports(3n * SOL), coins: [], autoClear: true };
    const created = await Promise.all(
      twoProcesses().map((process) => createStrategy(process, leader!.userId, wanted, 'twice')),
    );
    expect(new Set(created.map(({ strategy }) => strategy.id)).size).toBe(1);
    const rows = await world.database.query(`select 1 from strategy where user_id = $1`, [leader!.userId]);
    expect(rows).toHaveLength(1);
  });

  it('follows once and answers both with the follow, also where the money is enough for one only', async () => {
    const { strategy } = await aFollowed();
    const [follower] = await world.traders(1, 3n * SOL);
    const request = { slug: strategy.slug, mode: 'sol' as const, amount: lamports(2n * SOL), multiplier: '1' };
    const follows = await Promise.all(
      twoProcesses().map((process) => followStrategy(process, follower!.userId, request, 'twice')),
    );
    expect(new Set(follows.map(({ id }) => id)).size).toBe(1);
    expect(follows[0]).toMatchObject({ amountLamports: 2n * SOL });
  });
});

describe('a strategy that has been created', () => {
  it('is the answer to the same request, whatever would keep another from being created now', async () => {
    const [leader] = await world.traders(1, 60n * SOL);
    const wanted = { name: 'Once more', description: '', capital: lamports(3n * SOL), coins: [], autoClear: true };
    const { strategy } = await createStrategy(deps, leader!.userId, wanted, 'once more');
    const tokens = Object.assign(Object.create(deps.tokens) as Strategies['tokens'], {
      load: () => Promise.reject(new AppError('UNAVAILABLE')),
    });
    const again = await createStrategy({ ...deps, tokens }, leader!.userId, wanted, 'once more');
    expect(again.strategy.id).toBe(strategy.id);
  });
});

describe('a lane that was lost and won again while a round was planned', () => {
  it('has no second swap placed beside the one that was placed meanwhile', async () => {
    const { strategy } = await aFollowed();
    const owners = { own: async () => {}, begin: () => {}, end: () => {}, require: async () => {}, mine: () => null };
    const aProcess = () => ({ ...deps, engine: writingOnly(), lanes: new StrategyLanes(owners) });
    const other = aProcess();
    const meanwhile = vi.fn(() => placeStrategyRound(other, aPurchase(strategy)));
    const pools: Strategies['pools'] = {
      load: async (mints) => {
        if (meanwhile.mock.calls.length === 0) await meanwhile();
        return deps.pools.load(mints);
      },
    };
    const placing = placeStrategyRound({ ...aProcess(), pools }, aPurchase(strategy));
    await expect(placing).rejects.toMatchObject({ errorName: 'TRADE_UNDER_WAY' });
    expect(meanwhile).toHaveBeenCalledOnce();
  });
});

describe('a strategy that is created while the signer is unavailable', () => {
  it('is refused as unavailable, and created by the same request later', async () => {
    const [leader] = await world.traders(1, 60n * SOL);
    const wanted = { name: 'No signer', description: '', capital: lamports(3n * SOL), coins: [], autoClear: true };
    const createWallet = () => Promise.reject(new SignerError('UNREACHABLE', 'the connection to the signer was lost'));
    const creating = createStrategy({ ...deps, createWallet }, leader!.userId, wanted, 'unavailable');
    await expect(creating).rejects.toMatchObject({ errorName: 'UNAVAILABLE' });
    const { strategy } = await createStrategy(deps, leader!.userId, wanted, 'unavailable');
    expect(strategy.name).toBe('No signer');
  });
});

describe('a strategy that is refused', () => {
  it('has no wallet made for it', async () => {
    const [rich, poor] = (await world.traders(2, 5n * SOL)) as [Trader, Trader];
    const wanted = { name: 'First come', description: '', capital: lamports(3n * SOL), coins: [], autoClear: true };
    await createStrategy(deps, rich.userId, wanted, 'first');
    const createWallet = vi.fn(deps.createWallet);
    const refused = (changes: Partial<typeof wanted>) =>
      createStrategy({ ...deps, createWallet }, poor.userId, { ...wanted, ...changes }, 'refused');
    await expect(refused({})).rejects.toMatchObject({ errorName: 'NAME_TAKEN' });
    const capital = lamports(5n * SOL);
    await expect(refused({ name: 'Too much', capital })).rejects.toMatchObject({ errorName: 'INSUFFICIENT_BALANCE' });
    expect(createWallet).not.toHaveBeenCalled();
  });
});

describe('followers at the same moment', () => {
  it('find the same room once', async () => {
    const { strategy } = await aFollowed();
    const others = await world.traders(2, 40n * SOL);
    const request = { slug: strategy.slug, mode: 'position' as const, amount: lamports(20n * SOL), multiplier: '1' };
    const joined = await Promise.allSettled(
      others.map(({ userId }, index) => followStrategy(deps, userId, request, `room ${index}`)),
    );
    expect(joined.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(joined.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { errorName: 'STRATEGY_FULL' },
    });
  });

  it('add nothing to a follow that they cancel', async () => {
    const { strategy, follow, follower } = await aFollowed();
    const personal = await loadPersonalBook(world.database, follower.userId);
    const before = await loadCash(world.database, personal.id, SOL_ASSET);
    // Canceled after it was found active, before the money is set aside.
    const transfers = Object.assign(Object.create(deps.transfers) as Strategies['transfers'], {
      waitFor: async () => {
        await beginClosing(deps, strategy.id, [{ follow, by: 'follower' }]);
        return [];
      },
    });
    const change = { slug: strategy.slug, action: 'add' as const, amount: lamports(SOL) };
    const adding = changeFunds({ ...deps, transfers }, follower.userId, change, 'add');
    await expect(adding).rejects.toMatchObject({ errorName: 'NOT_FOLLOWING' });
    expect(await loadCash(world.database, personal.id, SOL_ASSET)).toBe(before);
  });

  it('have lost nothing where they cancel and their SOL then never leaves', async () => {
    const { strategy } = await aFollowed();
    const [follower] = await world.traders(1, 3n * SOL);
    const { userId } = follower!;
    const answering = (code: 'VELOCITY' | 'DESTINATION') =>
      vi
        .spyOn(world.signer, 'sign')
        .mockImplementation(async (asked) => asked.map(() => ({ denied: { code, reason: 'test' } })));
    answering('VELOCITY');
    const transfers = Object.assign(Object.create(deps.transfers) as Strategies['transfers'], {
      run: (id: string) => deps.transfers.run(id, { waitMs: 1_000 }),
      waitFor: deps.transfers.waitFor.bind(deps.transfers),
    });
    const request = { slug: strategy.slug, mode: 'sol' as const, amount: lamports(SOL), multiplier: '1' };
    const { id, status } = await followStrategy({ ...deps, transfers }, userId, request, 'never leaves');
    expect(status).toBe('opening');
    expect((await cancelFollow(deps, userId, strategy.slug)).status).toBe('closing');
    const denying = answering('DESTINATION');
    await passUntilClosed(deps, strategy.id);
    denying.mockRestore();
    expect(await loadFollowById(world.database, id)).toMatchObject({ status: 'closed', returnedLamports: SOL });
  });

  it('are not sold out by a stop loss that they have just taken back', async () => {
    const { strategy, follow, follower } = await aFollowed();
    // As if twice as much had been put in, and as if it had been worth half of it for a minute.
    await world.database.write(
      `update follow set amount_lamports = amount_lamports * 2, guard = 'stop-loss', guard_since = now() - interval '2 minutes'
       where id = $1`,
      [follow.id],
    );
    // Taken back after the follow was read, before it is closed.
    const pools: Strategies['pools'] = {
      load: async (mints) => {
        await updateFollow(deps, follower.userId, { slug: strategy.slug, protection: { stopLoss: null } });
        return deps.pools.load(mints);
      },
    };
    await guardFollows({ ...deps, pools }, [follow.id]);
    expect(await loadFollowById(world.database, follow.id)).toMatchObject({ status: 'active', stopLossBps: null });
    const [book] = await world.database.query(`select status from book where id = $1`, [follow.bookId]);
    expect(book).toEqual({ status: 'open' });
  });

  it('get their coins where their SOL becomes final between two looks at their follow', async () => {
    const { strategy, follow, follower } = await aFollowed();
    const isFrozen = async () => (await loadFrozenBooks(world.database, [follow.bookId])).size > 0;
    await vi.waitFor(async () => expect(await isFrozen()).toBe(false), { timeout: 120_000, interval: 100 });
    await placeStrategyRound(deps, aPurchase(strategy));
    await beginClosing(deps, strategy.id, [{ follow, by: 'follower', inKind: true }]);
    const setCommit = (state: string) =>
      world.database.write(
        `update transfer t set state = $2 from transfer_leg l where l.transfer_id = t.id and l.to_book = $1 and t.kind = 'commit'`,
        [follow.bookId, state],
      );
    await setCommit('confirmed');
    const lanes = new Proxy(deps.lanes, {
      get: (target, name) => {
        const method = (Reflect.get(target, name) as (...given: unknown[]) => unknown).bind(target);
        if (name !== 'run') return method;
        return async (...given: unknown[]) => {
          const result = await method(...given);
          await setCommit('finalized');
          return result;
        };
      },
    });
    await returnFollows({ ...deps, lanes }, strategy.id);
    expect(await isFrozen()).toBe(false);
    await passUntilClosed(deps, strategy.id);
    const personal = await loadPersonalBook(world.database, follower.userId);
    expect(await loadCash(world.database, personal.id, world.mint)).toBeGreaterThan(0n);
  });
});

describe('a strategy that ends while its wallet pays fees', () => {
  const payFee = (bookId: string, reference: string) =>
    postEntries(world.database, [
      {
        kind: 'rent-return-failed',
        reference,
        signature: reference,
        slot: 5n,
        postings: [
          { bookId, account: 'cash', asset: SOL_ASSET, amount: -5_000n },
          { bookId: null, account: 'network-fee', asset: SOL_ASSET, amount: 5_000n },
        ],
      },
    ]);

  it('has those in its record that lessened what it returned, and none after its end', async () => {
    count += 1;
    const [leader] = (await world.traders(1, 60n * SOL)) as [Trader];
    const wanted = { name: `Ends ${count}`, description: '', capital: lamports(3n * SOL), coins: [], autoClear: true };
    const { strategy } = await createStrategy(deps, leader.userId, wanted, `ends ${count}`);
    let marks = 0;
    const loadUnrecorded: Strategies['loadUnrecorded'] = async (sql, ids) => {
      const found = await deps.loadUnrecorded(sql, ids);
      // Posted when the last mark has read what is missing.
      if (marks === 0) await payFee(strategy.bookId, `between ${count}`);
      marks += 1;
      return found;
    };
    await endStrategy({ ...deps, loadUnrecorded }, strategy.id);
    await passUntilClosed(deps, strategy.id);
    await payFee(strategy.bookId, `after ${count}`);
    // As a process does that chose it before the end.
    await markStrategies(deps, [strategy.id]);
    const rows = await world.database.query(
      `select side, lamports, fee_lamports as fee from strategy_event where strategy_id = $1 order by id`,
      [strategy.id],
    );
    expect(rows).toEqual([
      { side: 'in', lamports: 3n * SOL, fee: 0n },
      { side: 'in', lamports: 0n, fee: 5_000n },
      { side: 'out', lamports: 3n * SOL - 5_000n, fee: 0n },
    ]);
  });
});
