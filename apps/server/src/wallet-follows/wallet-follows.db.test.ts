import { lamports } from '@hunter/domain/lamports';
import { spotPrice } from '@hunter/domain/swap-maths';
import { address } from '@hunter/solana/address';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../../scripts/database-for-test.ts';
import { systemClock } from '../platform/clock.ts';
import { createLog } from '../platform/log.ts';
import { differencesToChain } from '../strategies/strategies-for-test.ts';
import type { Order } from '../trading/order.ts';
import { startTradingWorld, type Trader, type TradingWorld } from '../trading/world-for-test.ts';
import { WalletFollowLoop } from './copy-trades.ts';
import { endWalletFollow, followWallet, updateWalletFollow } from './manage-wallet-follows.ts';
import { endPaperWalletFollow, loadMyPaperWalletFollows, startPaperWalletFollow } from './paper-wallet-follows.ts';
import { simulateFollowOfWallet } from './simulate-wallet-follow.ts';
import type { WalletFollow, WalletFollows } from './wallet-follow.ts';
import { loadMyWalletFollows, loadReceipts } from './wallet-follow-views.ts';

const SOL = 1_000_000_000n;
let testDatabase: TestDatabase;
let world: TradingWorld;
let deps: WalletFollows;
let seq = 1_000n;
let count = 0;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  world = await startTradingWorld(testDatabase.url);
  const { database, rpc, pools, tokens, engine } = world;
  deps = {
    database,
    rpc,
    pools,
    tokens,
    place: (order) => engine.placeOrder(order, { waitMs: 20_000 }),
    coinFacts: async (mint) => ({
      badges: ['ok'],
      mintAuthority: 'given-up',
      ageMs: 30 * 86_400_000,
      reference: spotPrice((await pools.load([mint])).get(mint)!),
    }),
    clock: systemClock,
    log: createLog('warn'),
    balanceChanged: () => {},
  };
  const fact = (await tokens.load([world.mint])).get(world.mint)!;
  await database.query(
    `insert into token (mint, name, symbol, decimals, token_program, supply, created_at) values ($1, $2, $3, $4, $5, 1, now())
     on conflict do nothing`,
    [world.mint, fact.name, fact.symbol, fact.decimals, fact.tokenProgram],
  );
}, 180_000);

afterAll(async () => {
  await world?.close();
  await testDatabase?.drop();
});

/** A trade of the wallet on chain, as the indexer stores it. `worse` makes the price that it paid look lower than it was. */
async function walletTrades(wallet: Trader, side: 'buy' | 'sell', amountIn: bigint, worse = 1n): Promise<Order> {
  const order = await world.engine.placeOrder(
    {
      userId: wallet.userId,
      bookId: wallet.bookId,
      side,
      mint: world.mint,
      amountIn,
      slippageBps: 1_000,
      kind: 'trade',
    },
    { waitMs: 20_000 },
  );
  const [sol, tokens] = side === 'buy' ? [order.filledIn!, order.filledOut!] : [order.filledOut!, order.filledIn!];
  seq += 1n;
  const { database } = world;
  await database.query(`insert into trader (address) values ($1) on conflict do nothing`, [wallet.address]);
  await database.query(
    `insert into trade (token_id, seq, at, is_buy, lamports, base_units, price_sol, price_usd, value_usd, trader_id, signature)
     select t.id, $1, now(), $2, $3, $4, 1, 1, 1, r.id, $5 from token t, trader r where t.mint = $6 and r.address = $7`,
    [seq, side === 'buy', sol, tokens * worse, order.signature, world.mint, wallet.address],
  );
  await database.query(
    `insert into holder (token_id, trader_id, amount, seq)
     select t.id, r.id, $1, $2 from token t, trader r where t.mint = $3 and r.address = $4
     on conflict (token_id, trader_id) do update set amount = holder.amount + excluded.amount, seq = excluded.seq`,
    [side === 'buy' ? tokens : -tokens, seq, world.mint, wallet.address],
  );
  return order;
}

async function aFollow(settings: object = {}): Promise<{ follow: WalletFollow; wallet: Trader; owner: Trader }> {
  count += 1;
  const [wallet, owner] = await world.traders(2, 6n * SOL);
  const follow = await followWallet(
    deps,
    owner!.userId,
    {
      address: wallet!.address,
      name: `Whale ${count}`,
      amount: lamports(2n * SOL),
      settings: { size: { kind: 'share', share: '50' }, ...settings } as never,
    },
    `key ${count}`,
  );
  return { follow, wallet: wallet!, owner: owner! };
}

const pass = () => new WalletFollowLoop(deps).pass();
const receiptsOf = async (owner: Trader, id: string) =>
  (await loadReceipts(deps, owner.userId, { id, cursor: undefined })).lists;

async function tokensIn(bookId: string): Promise<bigint> {
  const rows = await world.database.query<{ amount: bigint }>(
    `select amount from balance where book_id = $1 and asset = $2 and account = 'cash'`,
    [bookId, world.mint],
  );
  return rows[0]?.amount ?? 0n;
}

describe('following a wallet', () => {
  it('repeats its buys and sells in a book of its own, once, with delay and gap on the receipt', async () => {
    const { follow, wallet, owner } = await aFollow();
    const bought = await walletTrades(wallet, 'buy', SOL);
    await pass();
    await pass();
    const [buy, ...others] = await receiptsOf(owner, follow.id);
    expect(others).toEqual([]);
    expect(buy).toMatchObject({
      side: 'buy',
      state: 'done',
      solAmount: '1',
      ownSolAmount: '0.5',
      txHash: bought.signature,
    });
    expect(buy!.delayMs).toBeGreaterThanOrEqual(0);
    expect(buy!.delaySlots).toBeGreaterThanOrEqual(0);
    expect(Number(buy!.gap)).toBeGreaterThan(0);
    expect(Number(buy!.gap)).toBeLessThan(3);
    const held = await tokensIn(follow.bookId);
    expect(held).toBeGreaterThan(0n);

    await walletTrades(wallet, 'sell', bought.filledOut! / 4n);
    await pass();
    const left = await tokensIn(follow.bookId);
    expect(Number((left * 1_000n) / held)).toBeGreaterThanOrEqual(749);
    expect(Number((left * 1_000n) / held)).toBeLessThanOrEqual(751);
    const { lists } = await loadMyWalletFollows(deps, owner.userId);
    expect(lists[0]).toMatchObject({ copied: 2, skipped: 0, copiedShare: '100', amount: '2' });
    expect(Number(lists[0]!.equity)).toBeGreaterThan(1.9);
    expect(await differencesToChain(world)).toEqual({});

    const ended = await endWalletFollow(deps, owner.userId, follow.id);
    expect(ended.endedAt).not.toBeNull();
    expect(await tokensIn(follow.bookId)).toBe(0n);
    expect(await tokensIn(owner.bookId)).toBe(left);
    await walletTrades(wallet, 'buy', SOL);
    await pass();
    expect(await receiptsOf(owner, follow.id)).toHaveLength(2);
    expect(await differencesToChain(world)).toEqual({});
  });

  it('carries on after a crash between deciding and trading, without trading twice', async () => {
    const { follow, wallet, owner } = await aFollow();
    await walletTrades(wallet, 'buy', SOL);
    let tries = 0;
    const dying: WalletFollows = {
      ...deps,
      place: async (order, kind) => {
        tries += 1;
        if (tries === 2) await deps.place(order, kind);
        throw new Error('the process dies here');
      },
    };
    await expect(new WalletFollowLoop(dying).pass()).rejects.toThrow('dies');
    expect(await receiptsOf(owner, follow.id)).toMatchObject([{ state: 'planned' }]);
    await expect(new WalletFollowLoop(dying).pass()).rejects.toThrow('dies');
    await pass();
    expect(await receiptsOf(owner, follow.id)).toMatchObject([{ state: 'done', ownSolAmount: '0.5' }]);
    const orders = await world.database.query(`select 1 from trade_order where book_id = $1`, [follow.bookId]);
    expect(orders).toHaveLength(1);
  });

  it('skips a price that has gone, waits for it where it was told to, and gives up when the wallet leaves', async () => {
    const { follow, wallet, owner } = await aFollow();
    await walletTrades(wallet, 'buy', SOL, 2n);
    await pass();
    expect(await receiptsOf(owner, follow.id)).toMatchObject([{ state: 'skipped', reason: 'price-gap' }]);
    await updateWalletFollow(deps, owner.userId, { id: follow.id, settings: { waitMinutes: 5 } });
    const bought = await walletTrades(wallet, 'buy', SOL / 2n, 2n);
    await pass();
    await pass();
    expect((await receiptsOf(owner, follow.id))[0]).toMatchObject({ state: 'waiting', reason: 'price-gap' });
    await world.database.query(
      `update wallet_copy set tokens = tokens / 4 where follow_id = $1 and state = 'waiting'`,
      [follow.id],
    );
    await pass();
    expect((await receiptsOf(owner, follow.id))[0]).toMatchObject({ state: 'done', ownSolAmount: '0.25' });

    await walletTrades(wallet, 'buy', SOL / 2n, 2n);
    await pass();
    const { heldNow } = (
      await world.database.query<{ heldNow: bigint }>(
        `select amount as "heldNow" from holder h join trader r on r.id = h.trader_id where r.address = $1`,
        [wallet.address],
      )
    )[0]!;
    expect(heldNow).toBeGreaterThan(bought.filledOut!);
    await walletTrades(wallet, 'sell', heldNow);
    await pass();
    const states = (await receiptsOf(owner, follow.id)).map(({ side, state, reason }) => `${side} ${state} ${reason}`);
    expect(states).toContain('buy skipped wallet-exited');
    expect(await tokensIn(follow.bookId)).toBe(0n);
    expect(await differencesToChain(world)).toEqual({});
  });

  it('sells when the wallet has sent its tokens away', async () => {
    const { follow, wallet, owner } = await aFollow();
    await walletTrades(wallet, 'buy', SOL);
    await pass();
    expect(await tokensIn(follow.bookId)).toBeGreaterThan(0n);
    // Its usual account is empty on chain, and no sale was seen; first it has them in another one, then in none.
    const rpc: WalletFollows['rpc'] = {
      getSignatureStatuses: (...asked) => deps.rpc.getSignatureStatuses(...asked),
      getMultipleAccounts: async (accounts) => ({ contextSlot: 1n, value: accounts.map(() => null) }),
      getTokenAccountsByOwner: (...asked) => deps.rpc.getTokenAccountsByOwner(...asked),
    };
    await new WalletFollowLoop({ ...deps, rpc }).pass();
    expect(await tokensIn(follow.bookId)).toBeGreaterThan(0n);
    rpc.getTokenAccountsByOwner = async () => ({ contextSlot: 1n, value: [] });
    await new WalletFollowLoop({ ...deps, rpc }).pass();
    expect(await tokensIn(follow.bookId)).toBe(0n);
    expect((await receiptsOf(owner, follow.id))[0]).toMatchObject({ side: 'sell', state: 'done', txHash: '' });
  });

  it('buys nothing while it is paused, refuses the own wallet, and shows nobody else’s', async () => {
    const { follow, wallet, owner } = await aFollow();
    await updateWalletFollow(deps, owner.userId, { id: follow.id, paused: true, settings: {} });
    await walletTrades(wallet, 'buy', SOL);
    await pass();
    expect(await receiptsOf(owner, follow.id)).toMatchObject([{ state: 'skipped', reason: 'paused' }]);
    const own = { address: owner.address, name: 'me', amount: lamports(SOL), settings: {} };
    await expect(followWallet(deps, owner.userId, own, 'own')).rejects.toMatchObject({ context: { field: 'address' } });
    const short = { ...own, address: 'x'.repeat(40) };
    await expect(followWallet(deps, owner.userId, short, 'x')).rejects.toMatchObject({ context: { field: 'address' } });
    await expect(startPaperWalletFollow(deps, owner.userId, short)).rejects.toMatchObject({
      errorName: 'INVALID_INPUT',
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
    await world.database.query(
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
    expect(running).toMatchObject({ id: started.id, copied: 2, skipped: 0, equity: done.equity });
    await expect(endPaperWalletFollow(at, stranger!.userId, started.id)).rejects.toMatchObject({
      errorName: 'NOT_FOUND',
    });
    const ended = await endPaperWalletFollow(at, reader!.userId, started.id);
    expect(ended).toMatchObject({ endTime: nowMs, equity: running!.equity });
    await world.database.query(`delete from trade where trader_id = (select id from trader where address = $1)`, [
      request.address,
    ]);
    expect((await loadMyPaperWalletFollows(at, reader!.userId)).lists).toEqual([ended]);
    expect((await loadMyPaperWalletFollows(at, stranger!.userId)).lists).toEqual([]);
  }, 60_000);
});
