import { lamports } from '@hunter/domain/numbers/lamports';
import { AppError } from '@hunter/contract/app-error';
import { Keypair } from '@hunter/solana/keypair';
import { describe, expect, it, vi } from 'vitest';
import { loadCash } from '../ledger/balances.ts';
import { loadWatchedTrades } from '../market/wallets/watched-trades.ts';
import { differencesToChain } from '../strategies/strategies-for-test.ts';
import { SELL_ALL } from '../trading/order.ts';
import { aloneOrderId } from '../trading/request-order-id.ts';
import { useTradingWorld } from '../trading/use-trading-world-for-test.ts';
import type { Trader, TradingWorld } from '../trading/world-for-test.ts';
import { insertCopy, loadOpenCopies } from './copy-store.ts';
import { WalletFollowLoop } from './copy-trades.ts';
import { endWalletFollow, updateWalletFollow } from './manage-wallet-follows.ts';
import type { WalletFollows } from './wallet-follow.ts';
import { loadMyWalletFollows } from './wallet-follow-views.ts';
import { SOL, walletFollowsOn, walletFollowSteps } from './wallet-follow-steps-for-test.ts';

let world: TradingWorld;
let deps: WalletFollows;

useTradingWorld(async (started) => {
  world = started;
  deps = await walletFollowsOn(world);
});

const { stored, walletTrades, aFollow, pass, copyOf, receiptsOf, tokensIn } = walletFollowSteps(() => ({
  world,
  deps,
}));

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

  it('ends with the order of a creator who goes on alone, also where a crash came before its end', async () => {
    for (const dies of [false, true]) {
      const { follow, wallet, owner } = await aFollow();
      await walletTrades(wallet, 'buy', SOL);
      const place: WalletFollows['place'] = async (order, kind) => {
        const placed = await deps.place({ ...order, id: aloneOrderId(order.id!) }, kind);
        if (dies) throw new Error('the process dies here');
        return placed;
      };
      const copying = new WalletFollowLoop({ ...deps, place }).pass();
      if (dies) await expect(copying).rejects.toThrow('dies');
      await copying.catch(() => {});
      await pass();
      expect(await receiptsOf(owner, follow.id)).toMatchObject([{ state: 'done', ownSolAmount: '0.5' }]);
      const orders = await world.database.query(`select 1 from trade_order where book_id = $1`, [follow.bookId]);
      expect(orders).toHaveLength(1);
    }
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
    await world.database.write(
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

  it('waits with a copy while its book has a trade under way', async () => {
    const { follow, wallet, owner } = await aFollow();
    await walletTrades(wallet, 'buy', SOL);
    const busy = { ...deps, place: () => Promise.reject(new AppError('TRADE_UNDER_WAY')) };
    await new WalletFollowLoop(busy).pass();
    expect((await receiptsOf(owner, follow.id))[0]).toMatchObject({ side: 'buy', state: 'planned' });
    await pass();
    expect((await receiptsOf(owner, follow.id))[0]).toMatchObject({ side: 'buy', state: 'done' });
  });

  it('copies for one follow while the order of another, and the look at sent tokens, take for ever', async () => {
    const [slow, quick] = [await aFollow(), await aFollow()];
    await walletTrades(quick.wallet, 'buy', SOL);
    await pass();
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const { promise: ordering, resolve: isOrdering } = Promise.withResolvers<void>();
    const { promise: looking, resolve: isLooking } = Promise.withResolvers<void>();
    const place: WalletFollows['place'] = async (order, kind) => {
      if (order.bookId === slow.follow.bookId) {
        isOrdering();
        await released;
      }
      return deps.place(order, kind);
    };
    const rpc: WalletFollows['rpc'] = {
      getSignatureStatuses: (...asked) => deps.rpc.getSignatureStatuses(...asked),
      getTokenAccountsByOwner: (...asked) => deps.rpc.getTokenAccountsByOwner(...asked),
      getMultipleAccounts: async (...asked) => {
        isLooking();
        await released;
        return deps.rpc.getMultipleAccounts(...asked);
      },
    };
    const loop = new WalletFollowLoop({ ...deps, place, rpc });
    await walletTrades(slow.wallet, 'buy', SOL);
    loop.start();
    try {
      await Promise.all([ordering, looking]);
      await walletTrades(quick.wallet, 'buy', SOL);
      loop.traded([quick.wallet.address]);
      const done = { side: 'buy', state: 'done' };
      await vi.waitFor(async () => expect(await receiptsOf(quick.owner, quick.follow.id)).toMatchObject([done, done]), {
        timeout: 120_000,
      });
      expect(await receiptsOf(slow.owner, slow.follow.id)).toMatchObject([{ state: 'planned' }]);
    } finally {
      release();
      await loop.stop();
    }
  });

  it('does not buy above its price limit where the price rises between the decision and the order', async () => {
    const { follow, wallet, owner } = await aFollow();
    const [whale] = await world.traders(1, 900n * SOL);
    const { userId, bookId } = whale!;
    const rise = { userId, bookId, side: 'buy', mint: world.mint, slippageBps: 5_000, kind: 'close' } as const;
    await walletTrades(wallet, 'buy', SOL);
    const rising: WalletFollows['place'] = async (order, kind) => {
      await world.engine.placeOrder({ ...rise, amountIn: lamports(800n * SOL) }, { waitMs: 20_000 });
      return deps.place(order, kind);
    };
    await new WalletFollowLoop({ ...deps, place: rising }).pass();
    expect(await receiptsOf(owner, follow.id)).toMatchObject([{ state: 'skipped', reason: 'price-gap' }]);
    expect(await tokensIn(follow.bookId)).toBe(0n);
    const fall = { ...rise, side: 'sell', amountIn: SELL_ALL, fit: true } as const;
    await world.engine.placeOrder(fall, { waitMs: 20_000 });
  });

  it('buys for all that its book has where it wants more, and keeps fee and deposit back', async () => {
    const { follow, wallet, owner } = await aFollow({ size: { kind: 'share', share: '300' }, coinCap: '100' });
    await walletTrades(wallet, 'buy', SOL);
    await pass();
    const [receipt] = await receiptsOf(owner, follow.id);
    expect(receipt).toMatchObject({ state: 'done', reason: 'insufficient-balance' });
    const free = await loadCash(world.database, follow.bookId, 'SOL');
    expect(free).toBeGreaterThanOrEqual(0n);
    expect(free).toBeLessThanOrEqual(10_000n);
    expect(await differencesToChain(world)).toEqual({});
  });

  it('knows what the wallet had before each trade however many are read at once, and lets nobody wait behind another', async () => {
    const { database } = world;
    const [busy, calm] = [await aFollow(), await aFollow()];
    const [token] = await database.query<{ id: number }>(`select id from token where mint = $1`, [world.mint]);
    const trades = async ({ address: trader }: Trader, rows: readonly (readonly [boolean, bigint])[]) => {
      await database.write(`insert into trader (address) values ($1) on conflict do nothing`, [trader]);
      for (const [isBuy, units] of rows) {
        stored.seq += 1n;
        await database.write(
          `insert into trade (token_id, seq, at, is_buy, lamports, base_units, price_sol, price_usd, value_usd, trader_id, signature)
           select $1, $2, now(), $3, 1, $4, 1, 1, 1, id, $6 from trader where address = $5`,
          [token!.id, stored.seq, isBuy, units, trader, `trade ${stored.seq}`],
        );
      }
    };
    const first = stored.seq;
    await trades(busy.wallet, [
      [true, 100n],
      [false, 50n],
      [false, 50n],
    ]);
    await trades(calm.wallet, [[true, 7n]]);
    await database.write(
      `insert into holder (token_id, trader_id, amount, seq) select $1, id, 0, $2 from trader where address = $3`,
      [token!.id, stored.seq, busy.wallet.address],
    );
    const watched = [busy, calm].map(({ wallet }) => ({ address: wallet.address, afterSeq: first }));
    const read = await loadWatchedTrades(database, watched, 3);
    expect(read.map(({ address: of, heldAfter }) => [of, heldAfter])).toEqual([
      [busy.wallet.address, 100n],
      [calm.wallet.address, null],
      [busy.wallet.address, 50n],
    ]);
    const waiting = { ...copyOf(busy.follow), state: 'waiting' as const };
    for (let place = 1n; place <= 5n; place += 1n) await insertCopy(database, { ...waiting, seq: place });
    await insertCopy(database, { ...copyOf(calm.follow), seenAt: new Date() });
    const open = await loadOpenCopies(database, 2);
    expect(open.map(({ followId }) => followId)).toEqual([busy.follow.id, calm.follow.id]);
    await database.write(`delete from wallet_copy where follow_id = any($1::uuid[])`, [
      [busy.follow.id, calm.follow.id],
    ]);
    for (const { follow, owner } of [busy, calm]) await endWalletFollow(deps, owner.userId, follow.id);
  });

  it('comes past the trades of every wallet, however many wallets trade at once', async () => {
    const { database } = world;
    const { follow, owner } = await aFollow();
    const wallets = Array.from({ length: 201 }, () => Keypair.generate().address);
    const first = stored.seq;
    stored.seq += BigInt(wallets.length);
    await database.write(`insert into trader (address) select unnest($1::text[])`, [wallets]);
    await database.write(
      `insert into trade (token_id, seq, at, is_buy, lamports, base_units, price_sol, price_usd, value_usd, trader_id, signature)
       select t.id, $2::bigint + w.place, now(), true, 1, 1, 1, 1, 1, r.id, 'trade ' || w.place
       from unnest($1::text[]) with ordinality w (address, place) join trader r using (address), token t where t.mint = $3`,
      [wallets, first, world.mint],
    );
    await database.write(
      `with opened as (
         insert into book (user_id, wallet_id, kind, name) select k.user_id, k.wallet_id, k.kind, w.address
         from unnest($2::text[]) w (address), book k where k.id = $1 returning id, user_id, name
       )
       insert into wallet_follow (id, user_id, book_id, address, name, settings, paused, amount_lamports, seen_seq, started_at)
       select gen_random_uuid(), o.user_id, o.id, o.name, o.name, f.settings, true, 0, $3, now()
       from opened o, wallet_follow f where f.book_id = $1`,
      [follow.bookId, wallets, first],
    );
    await pass();
    await pass();
    const [seen] = await database.query(
      `select count(*)::int as copies from wallet_copy c join wallet_follow f on f.id = c.follow_id
       where f.address = any($1::text[])`,
      [wallets],
    );
    expect(seen).toEqual({ copies: wallets.length });
    await database.write(`update wallet_follow set ended_at = now() where address = any($1::text[])`, [wallets]);
    await endWalletFollow(deps, owner.userId, follow.id);
  });

  it('reads all of one transaction’s trades even where they are more than was asked for', async () => {
    const { database } = world;
    const wallet = Keypair.generate().address;
    stored.seq += 1n;
    await database.write(`insert into trader (address) values ($1)`, [wallet]);
    await database.write(
      `insert into token (mint, name, symbol, decimals, token_program, supply, created_at)
       select 'other ' || n, 'other', 'OTHER', 6, '', 1, now() from generate_series(1, 3) n`,
    );
    await database.write(
      `insert into trade (token_id, seq, at, is_buy, lamports, base_units, price_sol, price_usd, value_usd, trader_id, signature)
       select t.id, $1, now(), true, 1, 1, 1, 1, 1, r.id, 'several' from token t, trader r
       where t.mint like 'other %' and r.address = $2`,
      [stored.seq, wallet],
    );
    const read = await loadWatchedTrades(database, [{ address: wallet, afterSeq: stored.seq - 1n }], 2);
    expect(read.map(({ mint }) => mint).sort()).toEqual(['other 1', 'other 2', 'other 3']);
  });
});
