import { randomUUID } from 'node:crypto';
import { lamports } from '@hunter/domain/numbers/lamports';
import { address } from '@hunter/solana/address';
import { Keypair } from '@hunter/solana/keypair';
import { describe, expect, it, vi } from 'vitest';
import { insertWallet } from '../ledger/wallets.ts';
import { hasTraded, type Order } from '../trading/order.ts';
import { loadOrders } from '../trading/order-store.ts';
import { systemClock } from '../platform/clock.ts';
import type { Database, Row, Sql } from '../platform/postgres.ts';
import { useTradingWorld } from '../trading/use-trading-world-for-test.ts';
import type { TradingWorld } from '../trading/world-for-test.ts';
import { insertCopy } from './copy-store.ts';
import { WalletFollowLoop } from './copy-trades.ts';
import { endWalletFollow, followWallet, pauseWalletFollows, updateWalletFollow } from './manage-wallet-follows.ts';
import { endPaperWalletFollow, loadMyPaperWalletFollows, startPaperWalletFollow } from './paper-wallet-follows.ts';
import { simulateFollowOfWallet } from './simulate-wallet-follow.ts';
import type { WalletFollows } from './wallet-follow.ts';
import { loadMyWalletFollows, loadReceipts } from './wallet-follow-views.ts';
import { SOL, storeMinutes, walletFollowsOn, walletFollowSteps } from './wallet-follow-steps-for-test.ts';

let world: TradingWorld;
let deps: WalletFollows;

useTradingWorld(async (started) => {
  world = started;
  deps = await walletFollowsOn(world);
});

const { walletTrades, storeTrade, aFollow, pass, copyOf, receiptsOf, tokensIn } = walletFollowSteps(() => ({
  world,
  deps,
}));

/** Told of each read that a transaction has made, before it goes on. */
function withQueries(database: Database, told: (text: string) => Promise<void>): Database {
  const read = (sql: Sql): Sql => ({
    query: async <R extends Row>(text: string, values?: readonly unknown[]) => {
      const rows = await sql.query<R>(text, values);
      await told(text);
      return rows;
    },
    write: <R extends Row>(text: string, values?: readonly unknown[]) => sql.write<R>(text, values),
  });
  return Object.assign(Object.create(database) as Database, {
    query: database.query.bind(database),
    write: database.write.bind(database),
    transaction: (work: (sql: Sql) => Promise<unknown>) => database.transaction((sql) => work(read(sql))),
  });
}

describe('the follow of a wallet', () => {
  it('does as it is told at the same moment: paused it buys no more, ended it trades for nobody', async () => {
    const { follow, wallet, owner } = await aFollow();
    const change = { id: follow.id, settings: {} };
    for (let round = 0; round < 5; round += 1) {
      await updateWalletFollow(deps, owner.userId, { ...change, paused: false });
      await Promise.all([
        updateWalletFollow(deps, owner.userId, { ...change, paused: true }),
        updateWalletFollow(deps, owner.userId, { ...change, name: `Whale ${round}` }),
      ]);
      const { lists } = await loadMyWalletFollows(deps, owner.userId);
      expect(lists[0]).toMatchObject({ paused: true, name: `Whale ${round}` });
    }
    await updateWalletFollow(deps, owner.userId, { ...change, paused: false });
    await walletTrades(wallet, 'buy', SOL);
    const pausing: WalletFollows['coinFacts'] = async (...asked) => {
      await updateWalletFollow(deps, owner.userId, { ...change, paused: true });
      return deps.coinFacts(...asked);
    };
    await new WalletFollowLoop({ ...deps, coinFacts: pausing }).pass();
    expect(await receiptsOf(owner, follow.id)).toMatchObject([{ state: 'skipped', reason: 'paused' }]);

    await updateWalletFollow(deps, owner.userId, { ...change, paused: false });
    await walletTrades(wallet, 'buy', SOL);
    await world.database.write(`update book set kind = 'strategy' where id = $1`, [follow.bookId]);
    let refusal: unknown = null;
    const ending: WalletFollows['place'] = async (order) => {
      await endWalletFollow(deps, owner.userId, follow.id);
      refusal = await world.database.transaction((sql) => order.alongside!(sql, {} as Order)).catch((error) => error);
      throw refusal;
    };
    await new WalletFollowLoop({ ...deps, place: ending }).pass();
    await world.database.write(`update book set kind = 'wallet-follow' where id = $1`, [follow.bookId]);
    expect(refusal).toMatchObject({ errorName: 'NOT_FOLLOWING' });
    expect((await receiptsOf(owner, follow.id))[0]).toMatchObject({ state: 'skipped', reason: 'expired' });
  });

  it('leaves nothing behind of an order that comes while it ends', async () => {
    const { follow, owner } = await aFollow();
    const order = {
      id: randomUUID(),
      userId: owner.userId,
      bookId: follow.bookId,
      side: 'buy' as const,
      mint: world.mint,
      amountIn: lamports(SOL),
      slippageBps: 1_000,
      kind: 'trade' as const,
    };
    const placed: Promise<unknown>[] = [];
    const isWaiting = async () =>
      expect(await world.database.query(`select 1 from pg_locks where not granted`)).not.toEqual([]);
    // Once it was looked for orders under way: it is written at once, or waits until the follow has ended.
    const comes = async (text: string) => {
      if (placed.length > 0 || !text.includes('from trade_order')) return;
      const placing = world.database.transaction((sql) => world.engine.placeIn(sql, [order]));
      placed.push(placing);
      await Promise.race([placing, vi.waitFor(isWaiting, { timeout: 10_000 })]);
    };
    const database = withQueries(world.database, comes);
    await endWalletFollow({ ...deps, database }, owner.userId, follow.id);
    expect(await placed[0]).toMatchObject([{ kind: 'refused', error: 'STRATEGY_ENDED' }]);
    const left = await world.database.query(`select 1 from balance where book_id = $1 and amount > 0`, [follow.bookId]);
    expect(left).toEqual([]);
  });

  it('has no result where what it held cannot be priced when it ends', async () => {
    const { follow, wallet, owner } = await aFollow();
    await walletTrades(wallet, 'buy', SOL);
    await pass();
    expect(await tokensIn(follow.bookId)).toBeGreaterThan(0n);
    const away: WalletFollows['pools'] = { load: () => Promise.reject(new Error('the venue is away')) };
    const ended = await endWalletFollow({ ...deps, pools: away }, owner.userId, follow.id);
    expect(ended).toMatchObject({ endedAt: expect.any(Date), returnedLamports: null });
    expect((await loadMyWalletFollows(deps, owner.userId)).lists).toMatchObject([{ pnl: null, changeRate: null }]);
  });

  it('buys nothing while its owner is frozen and until he resumes it, sells on, and says why', async () => {
    const { follow, wallet, owner } = await aFollow();
    const { userId } = owner;
    await walletTrades(wallet, 'buy', SOL);
    await pass();
    const held = await tokensIn(follow.bookId);
    expect(held).toBeGreaterThan(0n);

    await world.database.write(`update users set frozen_at = now() where id = $1`, [userId]);
    await walletTrades(wallet, 'buy', SOL);
    await pass();
    expect((await receiptsOf(owner, follow.id))[0]).toMatchObject({ state: 'skipped', reason: 'account-frozen' });
    const resume = () => updateWalletFollow(deps, userId, { id: follow.id, paused: false, settings: {} });
    await expect(resume()).rejects.toMatchObject({ errorName: 'ACCOUNT_FROZEN' });
    await pauseWalletFollows(deps, userId);
    await world.database.write(`update users set frozen_at = null where id = $1`, [userId]);
    await walletTrades(wallet, 'buy', SOL);
    await pass();
    expect((await receiptsOf(owner, follow.id))[0]).toMatchObject({ state: 'skipped', reason: 'paused' });
    expect(await tokensIn(follow.bookId)).toBe(held);

    await world.database.write(`update users set frozen_at = now() where id = $1`, [userId]);
    const again = { address: wallet.address, name: 'Again', amount: lamports(SOL), settings: {} } as const;
    await expect(followWallet(deps, userId, again, 'again')).rejects.toMatchObject({ errorName: 'ACCOUNT_FROZEN' });
    await walletTrades(wallet, 'sell', await tokensIn(wallet.bookId));
    await pass();
    expect((await receiptsOf(owner, follow.id))[0]).toMatchObject({ side: 'sell', state: 'done' });
    expect(await tokensIn(follow.bookId)).toBe(0n);
  });

  it('does not buy where its owner is frozen between the decision and the signature', async () => {
    const { follow, wallet, owner } = await aFollow();
    await walletTrades(wallet, 'buy', SOL);
    const freezing: WalletFollows['place'] = async (order, kind) => {
      await world.database.write(`update users set frozen_at = now() where id = $1`, [owner.userId]);
      return deps.place(order, kind);
    };
    await new WalletFollowLoop({ ...deps, place: freezing }).pass();
    expect(await receiptsOf(owner, follow.id)).toMatchObject([{ state: 'skipped', reason: 'account-frozen' }]);
    expect(await tokensIn(follow.bookId)).toBe(0n);
  });

  it('ends where it would copy its owner’s own trade, through however many follows it comes back', async () => {
    const circle = await world.traders(3, 6n * SOL);
    const follows = await Promise.all(
      circle.map((owner, index) => {
        const { address } = circle[(index + 1) % circle.length]!;
        const settings = { size: { kind: 'fixed' as const, amount: lamports(SOL / 10n) } };
        const request = { address, name: 'Friend', amount: lamports(SOL), settings };
        return followWallet(deps, owner.userId, request, `circle ${index}`);
      }),
    );
    const [first] = circle;
    await walletTrades(first!, 'buy', SOL / 10n);
    // The third follows the first, the second the third, and the first the second.
    for (const index of [2, 1]) {
      await pass();
      const { bookId } = follows[index]!;
      const ids = await world.database.query<{ id: string }>(`select id from trade_order where book_id = $1`, [bookId]);
      const [order] = await loadOrders(world.database, [ids[0]!.id]);
      expect(hasTraded(order!)).toBe(true);
      await storeTrade(circle[index]!, order!);
    }
    await pass();
    expect(await receiptsOf(first!, follows[0]!.id)).toMatchObject([{ state: 'skipped', reason: 'own-trade' }]);
    expect(await tokensIn(follows[0]!.bookId)).toBe(0n);

    // What the second buys of his own accord is copied.
    await walletTrades(circle[1]!, 'buy', SOL / 10n);
    await pass();
    expect((await receiptsOf(first!, follows[0]!.id))[0]).toMatchObject({ state: 'done' });
    for (const [index, { id }] of follows.entries()) await endWalletFollow(deps, circle[index]!.userId, id);
  });

  it('pages through receipts without repeating or missing one while others arrive', async () => {
    const { follow, owner } = await aFollow();
    const seenAt = new Date(1_000);
    // The place of tokens that were sent away is negative.
    const places = [...Array.from({ length: 31 }, (_, place) => BigInt(place + 1)), -1n];
    for (const place of places)
      await insertCopy(world.database, { ...copyOf(follow), state: 'skipped', seq: place, seenAt });
    const read = (cursor?: string) => loadReceipts(deps, owner.userId, { id: follow.id, cursor });
    const newest = await read();
    await insertCopy(world.database, { ...copyOf(follow), state: 'skipped', seq: 99n, seenAt: new Date(2_000) });
    const oldest = await read(newest.nextCursor!);
    const ids = [...newest.lists, ...oldest.lists].map(({ id }) => id);
    expect(ids).toEqual(places.toSorted((one, other) => Number(other - one)).map((place) => `${place}-${world.mint}`));
    expect(oldest.nextCursor).toBeNull();
    for (const wrong of ['30', '30.1.Mint']) {
      await expect(read(wrong)).rejects.toMatchObject({ errorName: 'INVALID_INPUT' });
    }
    await endWalletFollow(deps, owner.userId, follow.id);
  });

  it('buys nothing while it is paused, refuses the own wallet, and shows nobody else’s', async () => {
    const { follow, wallet, owner } = await aFollow();
    await updateWalletFollow(deps, owner.userId, { id: follow.id, paused: true, settings: {} });
    await walletTrades(wallet, 'buy', SOL);
    await pass();
    expect(await receiptsOf(owner, follow.id)).toMatchObject([{ state: 'skipped', reason: 'paused' }]);
    const own = { address: owner.address, name: 'me', amount: lamports(SOL), settings: {} };
    await expect(followWallet(deps, owner.userId, own, 'own')).rejects.toMatchObject({ context: { field: 'address' } });
    const strategyWallet = Keypair.generate().address;
    await insertWallet(world.database, {
      id: randomUUID(),
      userId: owner.userId,
      kind: 'strategy',
      address: strategyWallet,
      sealedKey: '',
    });
    const circle = { ...own, address: strategyWallet };
    await expect(followWallet(deps, owner.userId, circle, 'y')).rejects.toMatchObject({
      context: { field: 'address' },
    });
    await expect(endWalletFollow(deps, wallet.userId, follow.id)).rejects.toThrow('Resource not found');
    await expect(receiptsOf(wallet, follow.id)).rejects.toThrow('Resource not found');
    const wild = { id: follow.id, settings: { maxGap: '90' } };
    await expect(updateWalletFollow(deps, owner.userId, wild)).rejects.toMatchObject({ context: { field: 'maxGap' } });
    expect(address(follow.address)).toBe(wallet.address);
  });

  it('is replayed since a past moment, or on paper from its start on, with limits and costs, beside what the wallet made', async () => {
    const [wallet] = await world.traders(1, 6n * SOL);
    const bought = await walletTrades(wallet!, 'buy', SOL);
    await walletTrades(wallet!, 'sell', bought.filledOut! / 2n);
    // As the indexer prices them.
    await world.database.write(
      `update trade x set price_sol = trunc(x.lamports * 10::numeric ^ (9 + t.decimals) / x.base_units)
       from token t where t.id = x.token_id and x.trader_id = (select id from trader where address = $1)`,
      [wallet!.address],
    );
    const request = { address: wallet!.address, amount: lamports(2n * SOL), since: Date.now() - 3_600_000 };
    const settings = { size: { kind: 'fixed' as const, amount: lamports(SOL / 10n) } };
    const done = await simulateFollowOfWallet(deps, { ...request, settings });
    expect(done).toMatchObject({ trades: 2, copied: 2, skipped: 0, reasons: [], amount: '2' });
    expect(Number(done.equity)).toBeLessThan(2);
    expect(Number(done.equity)).toBeGreaterThan(1.98);
    expect(Number(done.networkFees)).toBeGreaterThan(0);
    expect(Math.abs(Number(done.walletChangeRate))).toBeLessThan(5);
    expect(done.lists.at(0)).toMatchObject({ changeRate: '0' });
    const none = await simulateFollowOfWallet(deps, { ...request, settings: { ...settings, copies: 'sells' } });
    expect(none).toMatchObject({ copied: 0, skipped: 2, equity: '2', changeRate: '0' });
    expect(none.reasons.map(({ reason }) => reason).sort()).toEqual(['nothing-to-sell', 'side-off']);
    await expect(
      simulateFollowOfWallet(deps, { ...request, settings, since: Date.now() + 3_600_000 }),
    ).rejects.toMatchObject({ errorName: 'INVALID_INPUT' });

    // On paper it is the same from its start on; once it has ended its result stays.
    const [reader, stranger] = await world.traders(2, SOL);
    let nowMs = request.since;
    const at = { ...deps, clock: { ...systemClock, nowMs: () => nowMs } };
    const wanted = { address: request.address, name: 'whale', amount: request.amount, settings };
    const started = await startPaperWalletFollow(at, reader!.userId, wanted);
    expect(started).toMatchObject({ name: 'whale', amount: '2', startTime: request.since, endTime: null });
    await expect(startPaperWalletFollow(at, reader!.userId, wanted)).rejects.toMatchObject({
      errorName: 'ALREADY_FOLLOWING',
    });
    nowMs = Date.now();
    const [running] = (await loadMyPaperWalletFollows(at, reader!.userId)).lists;
    expect(running).toMatchObject({
      id: started.id,
      copied: 2,
      skipped: 0,
      equity: done.equity,
      replayedSince: null,
    });
    await expect(endPaperWalletFollow(at, stranger!.userId, started.id)).rejects.toMatchObject({
      errorName: 'NOT_FOUND',
    });
    const ended = await endPaperWalletFollow(at, reader!.userId, started.id);
    expect(ended).toMatchObject({ endTime: nowMs, equity: running!.equity });
    await world.database.write(`delete from trade where trader_id = (select id from trader where address = $1)`, [
      request.address,
    ]);
    expect((await loadMyPaperWalletFollows(at, reader!.userId)).lists).toEqual([ended]);
    expect((await loadMyPaperWalletFollows(at, stranger!.userId)).lists).toEqual([]);

    // Of a wallet that trades more than can be replayed, it says from when on it was.
    const busyMs = request.since + 60_000;
    await world.database.write(
      `insert into trade (token_id, seq, at, is_buy, lamports, base_units, price_sol, price_usd, value_usd, trader_id, signature)
       select (select min(id) from token), 1000000 + n, $2::timestamptz + make_interval(secs => n), true, 1000, 10, 1000000000000, 6, 7, r.id, 'busy' || n
       from trader r, generate_series(1, 1001) n where r.address = $1`,
      [request.address, new Date(busyMs)],
    );
    await storeMinutes(world.database);
    nowMs = request.since;
    const busy = await startPaperWalletFollow(at, stranger!.userId, wanted);
    nowMs = Date.now();
    expect((await endPaperWalletFollow(at, stranger!.userId, busy.id)).replayedSince).toBe(busyMs + 2_000);
  });
});
