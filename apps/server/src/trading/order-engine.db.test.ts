import { randomUUID } from 'node:crypto';
import { AppError } from '@hunter/contract/app-error';
import { lamports } from '@hunter/domain/numbers/lamports';
import type { Address } from '@hunter/solana/address';
import { associatedTokenAddress } from '@hunter/solana/associated-token-address';
import { describe, expect, it, vi } from 'vitest';
import { loadCash } from '../ledger/balances.ts';
import { postEntries } from '../ledger/journal.ts';
import { systemClock } from '../platform/clock.ts';
import { createLog } from '../platform/log.ts';
import { ACCOUNT_MINIMUM_LAMPORTS, WALLET_MINIMUM_LAMPORTS } from '../ledger/wallet-minimum.ts';
import { loadAccount } from '../portfolio/account-reads.ts';
import { loadFlows } from '../portfolio/account-value.ts';
import type { SignedTransaction } from '../sending/signed-transaction.ts';
import { SELL_ALL } from './order.ts';
import type { PoolCache } from '../venue/pool-cache.ts';
import type { EnginePorts, SwapToSign } from './engine-ports.ts';
import { countOpenOrders } from './open-orders.ts';
import { OrderEngine } from './order-engine.ts';
import { Reconciliation } from './reconciliation.ts';
import { RentReclaimer, type RentReclaimerDeps } from './rent-reclaimer.ts';
import { quoteTrade, trade } from './trade.ts';
import type { Trading } from './trading.ts';
import { useTradingWorld } from './use-trading-world-for-test.ts';
import type { Trader, TradingWorld } from './world-for-test.ts';

let world: TradingWorld;

useTradingWorld((started) => {
  world = started;
});

const log = createLog('error');
const ONE_SOL = 1_000_000_000n;

async function bookedLamports(trader: Trader): Promise<bigint> {
  const rows = await world.database.query<{ sum: bigint }>(
    `select coalesce(sum(b.amount), 0)::numeric(40,0) as sum from balance b join book k on k.id = b.book_id
     where k.user_id = $1 and b.asset = 'SOL' and b.account in ('cash', 'held')`,
    [trader.userId],
  );
  return rows[0]!.sum;
}

/** Another process at the same orders. */
function engineThat(signSwaps: EnginePorts['signer']['signSwaps'], ports: Partial<EnginePorts> = {}): OrderEngine {
  return new OrderEngine({ ...world.ports, log: createLog('silent'), signer: { signSwaps }, ...ports });
}

function venueOfWorld(): EnginePorts['venue'] {
  const { venue } = world;
  return {
    profile: venue.profile,
    quote: (input) => venue.quote(input),
    execute: (input) => venue.execute(input),
    tokens: (mints) => venue.tokens(mints),
  };
}

/** A purchase for a twentieth of a SOL. */
function anOrder({ userId, bookId }: Trader, kind: 'trade' | 'copy') {
  const order = { userId, bookId, mint: world.mint, slippageBps: 300, kind };
  return { ...order, side: 'buy' as const, amountIn: lamports(ONE_SOL / 20n) };
}

describe('the order engine on a real chain with a real signer', () => {
  it('buys and sells, and the books equal the chain to the lamport', async () => {
    const [trader] = await world.traders(1, 2n * ONE_SOL);
    const common = { userId: trader!.userId, bookId: trader!.bookId, mint: world.mint, slippageBps: 100 };
    const bought = await world.engine.placeOrder({
      ...common,
      kind: 'trade',
      side: 'buy',
      amountIn: lamports(ONE_SOL / 10n),
    });
    // The chain goes on meanwhile: what has landed may be final already.
    expect(['confirmed', 'finalized']).toContain(bought.state);
    expect(bought).toMatchObject({ error: null, filledIn: ONE_SOL / 10n, rentLamports: 2_039_280n });
    expect(await bookedLamports(trader!)).toBe((await world.rpc.getBalance(trader!.address)).value);

    const sold = await world.engine.placeOrder({
      ...common,
      kind: 'close',
      side: 'sell',
      amountIn: SELL_ALL,
      fit: true,
    });
    expect(['confirmed', 'finalized']).toContain(sold.state);
    expect(sold.filledIn).toBe(bought.filledOut);
    expect(await bookedLamports(trader!)).toBe((await world.rpc.getBalance(trader!.address)).value);
    const trips = await world.database.query(
      `select closed_by, quantity, realised_lamports from round_trip where user_id = $1`,
      [trader!.userId],
    );
    expect(trips).toEqual([
      {
        closed_by: 'sold',
        quantity: 0n,
        realised_lamports: sold.filledOut! - bought.filledIn! - bought.feeLamports! - sold.feeLamports!,
      },
    ]);
  });

  it('sells what the largest purchase bought: the wallet keeps the fees of sales', async () => {
    const [trader] = await world.traders(1, ONE_SOL);
    const { userId, bookId, address } = trader!;
    const order = { userId, bookId, mint: world.mint, slippageBps: 3_000, kind: 'trade' as const };
    await world.engine.placeOrder({ ...order, side: 'buy', amountIn: lamports(ONE_SOL), fit: true });
    expect((await world.rpc.getBalance(address)).value).toBe(WALLET_MINIMUM_LAMPORTS);
    const sold = await world.engine.placeOrder({ ...order, side: 'sell', amountIn: SELL_ALL, fit: true });
    expect(['confirmed', 'finalized']).toContain(sold.state);
    expect(WALLET_MINIMUM_LAMPORTS - 10n * sold.feeLamports!).toBeGreaterThanOrEqual(ACCOUNT_MINIMUM_LAMPORTS);
  });

  it('says before a sale that nothing pays its network fee', async () => {
    const [trader] = await world.traders(1, ONE_SOL);
    const { userId, bookId } = trader!;
    await world.engine.placeOrder(anOrder(trader!, 'trade'));
    const cash = await loadCash(world.database, bookId, 'SOL');
    const move = (amount: bigint) =>
      postEntries(world.database, [
        {
          kind: 'deposit',
          reference: `to ${amount} of ${bookId}`,
          postings: [
            { bookId, account: 'cash', asset: 'SOL', amount },
            { bookId: null, account: 'external', asset: 'SOL', amount: -amount },
          ],
        },
      ]);
    const sale = {
      userId,
      bookId,
      mint: world.mint,
      slippageBps: 300,
      side: 'sell',
      kind: 'close',
      fit: true,
    } as const;
    await move(ACCOUNT_MINIMUM_LAMPORTS + 9_999n - cash);
    await expect(world.engine.placeOrder({ ...sale, amountIn: SELL_ALL })).rejects.toMatchObject({
      errorName: 'FEE_NOT_COVERED',
    });
    await move(cash - ACCOUNT_MINIMUM_LAMPORTS - 9_999n);
    const { state } = await world.engine.placeOrder({ ...sale, amountIn: SELL_ALL });
    expect(['confirmed', 'finalized']).toContain(state);
  });

  it('trades what a crash left behind at no worse a price than was quoted', async () => {
    const [trader, other] = await world.traders(2, 120n * ONE_SOL);
    const dying = engineThat(() => Promise.reject(new Error('the process dies here')));
    const { id, state } = await dying.placeOrder(anOrder(trader!, 'trade'), { waitMs: 0 });
    expect(state).toBe('held');
    const { userId, bookId } = other!;
    const lifting = { userId, bookId, mint: world.mint, side: 'buy' as const, amountIn: lamports(100n * ONE_SOL) };
    await world.engine.placeOrder({ ...lifting, slippageBps: 5_000, kind: 'trade' });
    await new OrderEngine(world.ports).recover();
    const [order] = await world.engine.waitFor([id], 20_000);
    expect(order).toMatchObject({ state: 'dead', error: 'PRICE_MOVED' });
  });

  it('knows an order that is placed again while the market refuses it', async () => {
    const [trader] = await world.traders(1, ONE_SOL);
    const order = { ...anOrder(trader!, 'trade'), id: randomUUID() };
    const { signature } = await world.engine.placeOrder(order);
    expect(signature).not.toBeNull();
    const venue = { ...venueOfWorld(), quote: () => Promise.reject(new AppError('UNAVAILABLE')) };
    const again = new OrderEngine({ ...world.ports, venue });
    expect(await again.placeOrder(order)).toMatchObject({ id: order.id, signature });
    await expect(again.placeOrder({ ...order, id: randomUUID() })).rejects.toMatchObject({ errorName: 'UNAVAILABLE' });
  });

  it('leaves an order alone that another engine has tried to trade meanwhile', async () => {
    const [trader] = await world.traders(1, ONE_SOL);
    // Ahead of the engine of the other tests, for which the order is too young to be carried on.
    const clock = { ...systemClock, nowMs: () => systemClock.nowMs() + 60 * 60_000 };
    const dies = () => Promise.reject(new Error('the process dies here'));
    const { id } = await engineThat(dies, { clock }).placeOrder(anOrder(trader!, 'trade'), { waitMs: 0 });
    const venue: EnginePorts['venue'] = {
      ...venueOfWorld(),
      execute: async () => ({ code: 'PRICE_MOVED', error: null }),
    };
    const { promise: isSigning, resolve: signs } = Promise.withResolvers<void>();
    const { promise: mayGoOn, resolve: goOn } = Promise.withResolvers<void>();
    const { signer } = world.ports;
    const signsLate = async (swaps: readonly SwapToSign[]) => {
      signs();
      await mayGoOn;
      return signer.signSwaps(swaps);
    };
    const paused = engineThat(signsLate, { clock });
    const recovery = paused.recover();
    await isSigning;
    let tries = 0;
    const signsOnce = (swaps: readonly SwapToSign[]) => {
      tries += 1;
      return tries === 1 ? signer.signSwaps(swaps) : dies();
    };
    // Later than the first one has taken it for.
    const later = { ...clock, nowMs: () => clock.nowMs() + 60_000 };
    const other = engineThat(signsOnce, { clock: later, venue });
    await other.recover();
    goOn();
    await recovery;
    await Promise.all([paused.stop(0), other.stop(0)]);
    const [order] = await world.engine.waitFor([id], 0);
    expect(order).toMatchObject({ state: 'held', attempts: 1 });
    const signed = await world.database.query(`select state from signed_transaction where intent_id = $1`, [id]);
    expect(signed).toEqual([{ state: 'refused' }]);
    const last = new OrderEngine({ ...world.ports, clock });
    await last.recover();
    await last.stop(0);
    expect(await world.engine.waitFor([id], 0)).toMatchObject([{ attempts: 2 }]);
  });

  it('says of an account that cannot be priced just now what is known, and no loss', async () => {
    const [trader] = await world.traders(1, ONE_SOL);
    await world.engine.placeOrder(anOrder(trader!, 'trade'));
    const accountWith = (pools: Pick<PoolCache, 'values'>) =>
      loadAccount({ ...world.ports, pools, solUsd: () => '150' } as never, trader!.userId);
    const known = await accountWith(world.pools);
    expect(Number(known.equity)).toBeGreaterThan(0.9);
    const unknown = await accountWith({ values: async (holdings) => holdings.map(() => null) });
    expect(unknown).toEqual({
      ...known,
      equity: null,
      equityUsd: null,
      inStrategies: null,
      inFollows: null,
      totalProfit: null,
      totalReturnRate: null,
    });
  });

  it('counts open orders by age', async () => {
    const [trader] = await world.traders(1, ONE_SOL);
    const { id } = await world.engine.placeOrder(anOrder(trader!, 'trade'));
    const counted = world.database.transaction(async (sql) => {
      const before = await countOpenOrders(sql);
      await sql.write(
        `update trade_order set state = 'sent', created_at = now() - interval '5 minutes' where id = $1`,
        [id],
      );
      throw Object.assign(new Error('undone'), { before, after: await countOpenOrders(sql) });
    });
    const { before, after } = await counted.catch((error) => error);
    expect(after).toEqual({ ...before, '1 to 10 min': before['1 to 10 min'] + 1 });
  });

  it('takes the deposit of an emptied token account back, and then the books still equal the chain', async () => {
    const [trader] = await world.traders(1, ONE_SOL);
    const common = { userId: trader!.userId, bookId: trader!.bookId, mint: world.mint, slippageBps: 300 };
    await world.engine.placeOrder({ ...common, kind: 'trade', side: 'buy', amountIn: lamports(ONE_SOL / 10n) });
    await world.engine.placeOrder({ ...common, kind: 'close', side: 'sell', amountIn: SELL_ALL, fit: true });
    const { database, rpc, signer } = world;
    const rents = new RentReclaimer({
      database,
      rpc,
      signer,
      clock: systemClock,
      log,
      balanceChanged: () => {},
      idleSeconds: 0,
    });
    const rentOf = async () =>
      (
        await database.query<{ amount: bigint }>(
          `select amount from balance where book_id = $1 and account = 'rent' and asset = 'SOL'`,
          [trader!.bookId],
        )
      )[0]!.amount;
    expect(await rentOf()).toBe(2_039_280n);
    const account = associatedTokenAddress(trader!.address, world.mint);
    const gift = 3_000_000n;
    await rpc.requestAirdrop(account, gift);
    const chainHas = async () => (await rpc.getMultipleAccounts([account])).value[0]?.lamports;
    await vi.waitFor(async () => expect(await chainHas()).toBe(2_039_280n + gift), { timeout: 30_000, interval: 100 });
    await vi.waitFor(
      async () => {
        await rents.pass();
        expect(await rentOf()).toBe(0n);
      },
      { timeout: 120_000, interval: 200 },
    );
    expect(await bookedLamports(trader!)).toBe((await rpc.getBalance(trader!.address)).value);
    expect((await rpc.getTokenAccountsByOwner(trader!.address, { mint: world.mint })).value).toEqual([]);
    // What a stranger had sent into it came from outside.
    const flows = await loadFlows(database, [trader!.userId]);
    expect(flows.get(trader!.userId)).toEqual({ deposited: ONE_SOL + gift, withdrawn: 0n });

    // Final in another slot than the one it was posted from.
    const [{ signature } = { signature: '' }] = await database.query<{ signature: string }>(
      `select signature from signed_transaction where intent_id = $1 and state in ('landed', 'finalized')`,
      [account],
    );
    const [onChain] = await rpc.getTransactions([signature]);
    const before = await bookedLamports(trader!);
    const transaction: SignedTransaction = {
      signature,
      intentId: account,
      walletAddress: trader!.address,
      wire: new Uint8Array(),
      lastValidBlockHeight: 0n,
      venueRequest: null,
    };
    const again = { transaction, onChain: { ...onChain!, slot: onChain!.slot + 1n }, isFinal: true };
    await database.transaction((sql) => rents.post(sql, [again]));
    expect(await bookedLamports(trader!)).toBe(before);
    expect(await rentOf()).toBe(0n);
  });

  it('does not go on closing a token account that cannot be closed', async () => {
    const [trader] = await world.traders(1, ONE_SOL);
    await world.engine.placeOrder(anOrder(trader!, 'trade'));
    const { userId, bookId, address } = trader!;
    const all = { userId, bookId, mint: world.mint, side: 'sell' as const, amountIn: SELL_ALL, fit: true };
    await world.engine.placeOrder({ ...all, slippageBps: 300, kind: 'close' });
    const { database, rpc } = world;
    const asked: string[] = [];
    const signer = {
      sign: async (requests: readonly { userId: string }[]) => {
        asked.push(...requests.map((request) => request.userId));
        return requests.map(() => ({ denied: { code: 'POLICY_INVALID' as const, reason: '' } }));
      },
      latestSealedKey: async () => ({ sealedKey: null }),
    } as unknown as RentReclaimerDeps['signer'];
    const silent = createLog('silent');
    const deps = { database, rpc, signer, clock: systemClock, log: silent, balanceChanged: () => {}, idleSeconds: 0 };
    const failed = (attempt: number) =>
      database.write(
        `insert into signed_transaction (signature, purpose, intent_id, attempt, wallet_address, wire, last_valid_block_height,
           sender, state, created_at)
         select gen_random_uuid(), 'closing', t.address, $2, $1, '', 1, '', 'failed', now() - interval '2 hours'
         from token_account t join wallet w on w.id = t.wallet_id where w.address = $1`,
        [address, attempt],
      );
    for (const attempt of [1, 2]) await failed(attempt);
    await new RentReclaimer(deps).resume();
    expect(asked).toContain(userId);
    asked.length = 0;
    // A thousand accounts before it that hold tokens: a pass looks at so many, and goes on soon.
    const mints = await database.write<{ mint: Address }>(
      `insert into token_account (wallet_id, mint, address, token_program, book_id, rent_lamports)
       select w.id, '0' || i, '0' || i, 'program', $2, 1 from wallet w, generate_series(1, 1000) i where w.address = $1
       returning mint`,
      [address, bookId],
    );
    const hold = (reference: string, amount: bigint) =>
      postEntries(database, [
        {
          kind: 'deposit',
          reference,
          postings: mints.flatMap(({ mint }) => [
            { bookId, account: 'cash' as const, asset: mint, amount },
            { bookId: null, account: 'external' as const, asset: mint, amount: -amount },
          ]),
        },
      ]);
    await hold('a thousand tokens come', 1n);
    const walking = new RentReclaimer(deps);
    await walking.resume();
    expect(asked).not.toContain(userId);
    expect(walking.pauseMs()).toBe(1_000);
    while (walking.pauseMs() === 1_000) await walking.resume();
    expect(asked).toContain(userId);
    await database.write(`delete from token_account where mint like '0%'`);
    await hold('a thousand tokens go', -1n);
    asked.length = 0;
    await failed(3);
    await new RentReclaimer(deps).resume();
    expect(asked).not.toContain(userId);
  });

  it('says of a sale that brings less than its fee just that, and of a purchase what is the least', async () => {
    const [trader] = await world.traders(1, ONE_SOL);
    const { userId } = trader!;
    await world.engine.placeOrder(anOrder(trader!, 'trade'));
    const { database, engine, venue, tokens, pools } = world;
    const trading: Trading = {
      database,
      engine,
      venue,
      tokens,
      pools,
      clock: systemClock,
      solUsd: () => null,
      placeInStrategy: () => Promise.reject(new Error('there is no strategy in this test')),
      followersInput: async () => lamports(0n),
    };
    const request = { tokenContractAddress: world.mint, slippageBps: 300 };
    const sale = { ...request, side: 'sell' as const, amount: '0.000001' };
    const buy = { ...request, side: 'buy' as const, amount: '0.0009' };
    await expect(trade(trading, sale, { key: 'dust', userId })).rejects.toMatchObject({ errorName: 'SALE_TOO_SMALL' });
    await expect(quoteTrade(trading, sale, userId)).rejects.toMatchObject({ errorName: 'SALE_TOO_SMALL' });
    await expect(trade(trading, buy, { key: 'little', userId })).rejects.toMatchObject({
      errorName: 'AMOUNT_TOO_SMALL',
      context: { minimum: '0.001 SOL' },
    });
  });

  it('takes the fee of a closing that failed from other books where the own one has nothing', async () => {
    const [trader] = await world.traders(1, ONE_SOL);
    const { userId, bookId: personalId, address } = trader!;
    const { database, rpc, signer } = world;
    const bought = await world.engine.placeOrder(anOrder(trader!, 'trade'));
    const [book] = await database.write<{ id: string; tokenAccount: string }>(
      `with opened as (
         insert into book (user_id, wallet_id, kind, name)
         select user_id, wallet_id, 'wallet-follow', 'empty' from book where id = $1 returning id, wallet_id
       )
       update token_account t set book_id = o.id from opened o where t.wallet_id = o.wallet_id
       returning o.id, t.address as "tokenAccount"`,
      [personalId],
    );
    const deps = { database, rpc, signer, clock: systemClock, log, balanceChanged: () => {} };
    const [onChain] = await rpc.getTransactions([bought.signature!]);
    const transaction = {
      signature: 'a closing that failed',
      intentId: book!.tokenAccount,
      walletAddress: address,
      wire: new Uint8Array(),
      lastValidBlockHeight: 1n,
      venueRequest: null,
    };
    const before = await loadCash(database, personalId, 'SOL');
    await database.transaction((sql) =>
      new RentReclaimer(deps).post(sql, [{ transaction, onChain: { ...onChain!, err: 'failed' } }]),
    );
    expect(await loadCash(database, personalId, 'SOL')).toBe(before - onChain!.fee);
    expect(await loadCash(database, book!.id, 'SOL')).toBe(0n);
    await database.write(`update token_account set book_id = $1 where book_id = $2`, [personalId, book!.id]);
    await postEntries(database, [
      {
        kind: 'deposit',
        reference: `what the closing that failed cost ${userId}`,
        postings: [
          { bookId: personalId, account: 'cash', asset: 'SOL', amount: onChain!.fee },
          { bookId: null, account: 'external', asset: 'SOL', amount: -onChain!.fee },
        ],
      },
    ]);
  });

  it('sees no difference between still books and the chain, and raises an alarm about one that stays', async () => {
    const [trader] = await world.traders(1, ONE_SOL);
    let nowMs = 0;
    const { database, rpc } = world;
    const reconciliation = new Reconciliation({
      database,
      rpc,
      log,
      report: () => {},
      accountsBetween: async () => [],
      clock: { ...systemClock, nowMs: () => nowMs },
    });
    const wallet = trader!;
    await vi.waitFor(async () => expect(await reconciliation.check(wallet)).toEqual(new Map()), { timeout: 120_000 });
    const taken = await rpc.requestAirdrop(trader!.address, 1_000n);
    await vi.waitFor(async () => expect(await reconciliation.check(wallet)).toEqual(new Map([['SOL', 1_000n]])), {
      timeout: 120_000,
    });
    for (let look = 0; look < 10; look += 1) {
      nowMs += 60_000;
      await reconciliation.check(wallet);
    }
    const alarms = () =>
      database.query(
        `select asset, chain - books as difference from reconciliation_alarm where user_id = $1 and resolved_at is null`,
        [trader!.userId],
      );
    expect(await alarms()).toEqual([{ asset: 'SOL', difference: 1_000n }]);
    // The deposit is posted at last, but only after the process that raised the alarm has died.
    await postEntries(database, [
      {
        kind: 'deposit',
        reference: taken,
        postings: [
          { bookId: trader!.bookId, account: 'cash', asset: 'SOL', amount: 1_000n },
          { bookId: null, account: 'external', asset: 'SOL', amount: -1_000n },
        ],
      },
    ]);
    await new Reconciliation({
      database,
      rpc,
      log,
      report: () => {},
      accountsBetween: async () => [],
      clock: systemClock,
    }).pass();
    expect(await alarms()).toEqual([]);
  });

  it('refuses what the book cannot pay, and writes nothing', async () => {
    const [trader] = await world.traders(1, ONE_SOL / 10n);
    const order = { userId: trader!.userId, bookId: trader!.bookId, mint: world.mint, slippageBps: 100 } as const;
    await expect(
      world.engine.placeOrder({ ...order, kind: 'trade', side: 'buy', amountIn: lamports(ONE_SOL / 10n) }),
    ).rejects.toMatchObject({ errorName: 'INSUFFICIENT_BALANCE' });
    expect(await world.database.query(`select 1 from trade_order where user_id = $1`, [trader!.userId])).toEqual([]);
  });
});
