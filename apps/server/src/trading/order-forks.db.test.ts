import { lamports } from '@hunter/domain/numbers/lamports';
import { randomBytes, randomUUID } from 'node:crypto';
import type { Address } from '@hunter/solana/address';
import { associatedTokenAddress } from '@hunter/solana/associated-token-address';
import { encodeBase58 } from '@hunter/solana/base58';
import { TOKEN_PROGRAM } from '@hunter/solana/program-ids';
import type { RpcClient } from '@hunter/solana/rpc-client';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadBookBalances } from '../ledger/balances.ts';
import { openBook } from '../ledger/books.ts';
import { postEntries, SOL } from '../ledger/journal.ts';
import { systemClock } from '../platform/clock.ts';
import { createLog } from '../platform/log.ts';
import type { Database } from '../platform/postgres.ts';
import { useTestDatabase } from '../platform/postgres-for-test.ts';
import { FAKE_MINT } from './fake-chain-for-test.ts';
import { FORK_DEPOSIT, startForkWorld, type ForkWorld } from './forks-for-test.ts';
import { SELL_ALL, type NewOrder } from './order.ts';
import { loadOrders } from './order-store.ts';
import { Reconciliation } from './reconciliation.ts';
import type { NewPart } from './rounds/round.ts';

const DEPOSIT = FORK_DEPOSIT;
const FEE = 10_000n;

let inner: Database;
useTestDatabase((opened) => {
  inner = opened;
});

describe('an order that was posted once confirmed', () => {
  let world: ForkWorld;
  let { clock, chain, database, engine, trader, settled, fork, drop } = {} as ForkWorld;

  beforeEach(async () => {
    world = await startForkWorld(inner);
    ({ clock, chain, database, engine, trader, settled, fork, drop } = world);
  });
  afterEach(() => world.close());

  const order = (over: Partial<NewOrder> = {}): NewOrder => {
    const { userId, bookId } = trader;
    return {
      userId,
      bookId,
      mint: FAKE_MINT,
      side: 'buy',
      amountIn: lamports(100_000_000n),
      slippageBps: 200,
      kind: 'trade',
      ...over,
    };
  };
  const ofBook = async (bookId: string) =>
    new Map((await loadBookBalances(inner, [bookId])).map((row) => [`${row.account} ${row.asset}`, row.amount]));
  const again = async (id: string) => (await clock.still(() => loadOrders(inner, [id])))[0]!;
  const tripsOf = (bookId: string) => inner.query(`select 1 from round_trip where book_id = $1`, [bookId]);
  const quantityOf = async (bookId: string) =>
    (
      await clock.still(() =>
        inner.query<{ quantity: bigint }>(`select quantity from position where book_id = $1`, [bookId]),
      )
    )[0]?.quantity;
  /** A node that says what the chain here says. */
  const rpc = {
    getBalance: async (address: string) => ({ value: chain.wallets.get(address)!.lamports, contextSlot: 1n }),
    getTokenAccountsByOwner: async (address: string, { programId }: { programId: string }) => {
      const amount = chain.wallets.get(address)!.tokens ?? 0n;
      const account = {
        address: associatedTokenAddress(address as Address, FAKE_MINT),
        mint: FAKE_MINT,
        amount,
      };
      return {
        value: programId === TOKEN_PROGRAM ? [{ ...account, tokenProgram: TOKEN_PROGRAM }] : [],
        contextSlot: 1n,
      };
    },
  } as unknown as RpcClient;
  const differences = () =>
    new Reconciliation({
      database: inner,
      rpc,
      clock: systemClock,
      log: createLog('silent'),
      report: () => {},
      accountsBetween: async () => [],
    }).check(trader);

  it('is taken back by an entry with its cause where the chain drops it, and the user is reconciled again', async () => {
    const bought = await engine.placeOrder(order());
    expect(bought.state).toBe('confirmed');
    expect(await quantityOf(trader.bookId)).toBe(bought.filledOut);
    await drop(bought);
    expect(await again(bought.id)).toMatchObject({
      state: 'dead',
      error: 'TRADE_DROPPED',
      signature: null,
      filledIn: null,
    });
    expect(await ofBook(trader.bookId)).toEqual(new Map([[`cash ${SOL}`, DEPOSIT]]));
    expect(await quantityOf(trader.bookId)).toBe(0n);
    expect(await tripsOf(trader.bookId)).toEqual([]);
    expect(await inner.query(`select 1 from token_account where wallet_id = $1`, [trader.walletId])).toEqual([]);
    const entries = await inner.query(
      `select memo, signature from journal_entry where kind = 'reversal' and reference = $1`,
      [`order-fill:${bought.id}`],
    );
    expect(entries).toEqual([{ memo: 'dropped by the chain', signature: bought.signature }]);
    expect(settled.at(-1)).toMatchObject({ id: bought.id, state: 'dead', error: 'TRADE_DROPPED' });
    expect(await differences()).toEqual(new Map());
  });

  it('stands where the same bytes are sent and land again before they expire', async () => {
    const bought = await engine.placeOrder(order());
    await fork(bought);
    expect(await again(bought.id)).toMatchObject({ state: 'finalized', filledOut: bought.filledOut });
    expect(await quantityOf(trader.bookId)).toBe(bought.filledOut);
    expect(await tripsOf(trader.bookId)).toHaveLength(1);
    expect(await differences()).toEqual(new Map());
  });

  it('pays the fee alone where it is final as a failure on another fork', async () => {
    const bought = await engine.placeOrder(order());
    await fork(bought, { landAgain: 1, lastFails: true });
    expect(await again(bought.id)).toMatchObject({ state: 'failed', error: 'TRADE_FAILED', feeLamports: FEE });
    expect(await ofBook(trader.bookId)).toEqual(new Map([[`cash ${SOL}`, DEPOSIT - FEE]]));
    expect(await quantityOf(trader.bookId)).toBe(0n);
    expect(await differences()).toEqual(new Map());
  });

  it('is taken back together with the sale that used what it brought', async () => {
    const bought = await engine.placeOrder(order());
    const sold = await engine.placeOrder(order({ side: 'sell', amountIn: SELL_ALL, fit: true, kind: 'close' }));
    expect(sold.state).toBe('confirmed');
    await drop(bought);
    expect([(await again(bought.id)).error, (await again(sold.id)).error]).toEqual(['TRADE_DROPPED', 'TRADE_DROPPED']);
    expect(await ofBook(trader.bookId)).toEqual(new Map([[`cash ${SOL}`, DEPOSIT]]));
    expect(await tripsOf(trader.bookId)).toEqual([]);
  });

  it('takes a round back from every book, and each follower is told why', async () => {
    const bookIds = [randomUUID(), randomUUID()];
    const walletId = randomUUID();
    const address = encodeBase58(randomBytes(32)) as Address;
    await inner.write(`insert into wallet (id, user_id, kind, address, envelope) values ($1, $2, 'strategy', $3, '')`, [
      walletId,
      trader.userId,
      address,
    ]);
    for (const [index, id] of bookIds.entries()) {
      const kind = index === 0 ? 'strategy' : 'follow';
      await openBook(inner, { id, userId: trader.userId, walletId, kind, name: 'Round' });
      await postEntries(inner, [
        {
          kind: 'deposit',
          reference: `round:${id}`,
          postings: [
            { bookId: id, account: 'cash', asset: SOL, amount: DEPOSIT },
            { bookId: null, account: 'chain', asset: SOL, amount: -DEPOSIT },
          ],
        },
      ]);
    }
    chain.wallets.set(address, { lamports: 2n * DEPOSIT, tokens: null });
    const parts = bookIds.map((bookId, index): NewPart => {
      const limits = {
        wantedIn: null,
        limitedBy: null,
        runUpLamports: lamports(0n),
        costLamports: lamports(0n),
        reason: null,
      };
      const followId = index === 0 ? null : bookId;
      return {
        bookId,
        userId: trader.userId,
        followId,
        amountIn: lamports(50_000_000n),
        freeLamports: lamports(DEPOSIT),
        ...limits,
      };
    });
    const round = {
      id: randomUUID(),
      walletId,
      userId: trader.userId,
      bookId: bookIds[0]!,
      kind: 'trade',
      side: 'buy',
      mint: FAKE_MINT,
    } as const;
    const held = await database.transaction((sql) =>
      engine.placeRound(sql, { ...round, slippageBps: 200, parts }, new Date(clock.nowMs())),
    );
    await engine.execute(held, 5_000);
    let filled = await again(round.id);
    for (let look = 0; look < 20 && filled.state === 'sent'; look += 1) {
      await clock.pause(100);
      filled = await again(round.id);
    }
    expect(filled.state).toBe('confirmed');
    expect(await quantityOf(bookIds[1]!)).toBeGreaterThan(0n);
    await drop(filled);
    for (const bookId of bookIds) {
      expect(await ofBook(bookId)).toEqual(new Map([[`cash ${SOL}`, DEPOSIT]]));
      expect(await quantityOf(bookId)).toBe(0n);
    }
    const told = await inner.query(`select distinct reason, filled_in from filled_allocation where order_id = $1`, [
      round.id,
    ]);
    expect(told).toEqual([{ reason: 'dropped-by-chain', filled_in: null }]);
  });
});
