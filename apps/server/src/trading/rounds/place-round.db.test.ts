import { TOKEN_PROGRAM } from '@hunter/solana/program-ids';
import { Keypair } from '@hunter/solana/keypair';
import { lamports } from '@hunter/domain/numbers/lamports';
import { randomUUID } from 'node:crypto';
import { address } from '@hunter/solana/address';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../../../scripts/database-for-test.ts';
import { openBook } from '../../ledger/books.ts';
import { postEntries, SOL } from '../../ledger/journal.ts';
import { insertWallet } from '../../ledger/wallets.ts';
import { StoredTokenFacts } from '../../market/token-facts.ts';
import { systemClock } from '../../platform/clock.ts';
import { createLog } from '../../platform/log.ts';
import { Database } from '../../platform/postgres.ts';
import { insertTransactions } from '../../sending/transaction-store.ts';
import type { EnginePorts } from '../engine-ports.ts';
import { OrderEngine } from '../order-engine.ts';
import { loadJoinedLately } from './allocation-store.ts';
import { recordTokenAccounts } from '../token-accounts.ts';
import { isRoundSwap } from './round-memo.ts';
import type { NewPart } from './round.ts';

const MINT = address('So11111111111111111111111111111111111111113');
const ONE_SOL = 1_000_000_000n;
const AMOUNT_IN = ONE_SOL / 10n;

describe('a round', () => {
  let testDatabase: TestDatabase;
  let database: Database;

  beforeAll(async () => {
    testDatabase = await createTestDatabase();
    database = new Database(testDatabase.url, createLog('silent'), { maxConnections: 1 });
  });

  afterAll(async () => {
    await database.close();
    await testDatabase.drop();
  });

  /** A strategy with 1 SOL, and how it places a round of its own book. */
  async function aStrategy() {
    const [userId, walletId] = [randomUUID(), randomUUID()];
    await database.write(
      `insert into users (id, email, email_key, password_hash, display_name) values ($1, $2, $2, '', $2)`,
      [userId, userId],
    );
    await insertWallet(database, {
      id: walletId,
      userId,
      kind: 'strategy',
      address: Keypair.generate().address,
      sealedKey: '',
    });
    const { id: bookId } = await openBook(database, { userId, walletId, kind: 'strategy', name: 'Round' });
    await postEntries(database, [
      {
        kind: 'deposit',
        reference: bookId,
        postings: [
          { bookId, account: 'cash', asset: SOL, amount: ONE_SOL },
          { bookId: null, account: 'chain', asset: SOL, amount: -ONE_SOL },
        ],
      },
    ]);
    const token = { mint: MINT, symbol: 'T', name: 'T', decimals: 6, logoUrl: '', tokenProgram: TOKEN_PROGRAM };
    const venue = { profile: { feeReserveLamports: lamports(10_000n) }, tokens: async () => [token] };
    const tokens = new StoredTokenFacts(database, venue as never);
    const ports = { database, tokens, venue, clock: systemClock, log: createLog('silent') };
    const engine = new OrderEngine(ports as unknown as EnginePorts);
    const part: NewPart = {
      bookId,
      userId,
      followId: null,
      wantedIn: lamports(AMOUNT_IN),
      amountIn: lamports(AMOUNT_IN),
      limitedBy: null,
      runUpLamports: lamports(0n),
      costLamports: lamports(0n),
      reason: null,
      freeLamports: lamports(ONE_SOL),
    };
    const round = { walletId, userId, bookId, side: 'buy', mint: MINT, slippageBps: 100, parts: [part] } as const;
    const place = (kind: 'trade' | 'join') =>
      database.transaction((sql) => engine.placeRound(sql, { id: randomUUID(), kind, ...round }, new Date()));
    return { userId, walletId, bookId, place };
  }

  it('of joins counts as spent from when it is placed, and with what it spent once it is over', async () => {
    const { userId, place } = await aStrategy();
    const joined = () => loadJoinedLately(database, userId, MINT, new Date());
    expect(await joined()).toBe(0n);
    const { order } = await place('join');
    expect(await joined()).toBe(AMOUNT_IN);
    await database.write(`update trade_order set state = 'failed', settled_at = now() where id = $1`, [order.id]);
    expect(await joined()).toBe(0n);
  });

  // Twenty who wait for the strategy's row have all connections; whoever has the row must not need another one.
  it('is placed on the one connection of its transaction, the facts of its coin included, and known by its swaps', async () => {
    const held = await (await aStrategy()).place('trade');
    expect(held.order).toMatchObject({ state: 'held', swapIn: AMOUNT_IN });

    const signed = {
      walletAddress: MINT,
      wire: new Uint8Array(),
      lastValidBlockHeight: 1n,
      venueRequest: null,
    };
    const sent = { sender: 'test', at: new Date() };
    await insertTransactions(database, 'order', [{ signature: 'first', intentId: held.order.id, ...signed }], sent);
    await database.write(`update signed_transaction set state = 'failed' where signature = 'first'`);
    await insertTransactions(database, 'order', [{ signature: 'second', intentId: held.order.id, ...signed }], sent);
    await insertTransactions(database, 'closing', [{ signature: 'closing', intentId: MINT, ...signed }], sent);
    await insertTransactions(database, 'order', [{ signature: 'other', intentId: randomUUID(), ...signed }], sent);
    const rounds = ['first', 'second', 'closing', 'other', 'unknown'].map((each) => isRoundSwap(database, each));
    expect(await Promise.all(rounds)).toEqual([true, true, false, false, false]);
  });

  it('sets the deposit aside of a token account that is being closed', async () => {
    const { walletId, bookId, place } = await aStrategy();
    const address = Keypair.generate().address;
    const rentLamports = lamports(2_039_280n);
    await recordTokenAccounts(database, [
      { walletId, mint: MINT, address, tokenProgram: TOKEN_PROGRAM, bookId, rentLamports },
    ]);
    const held = async () => (await place('trade')).order.holdLamports;
    expect(await held()).toBe(AMOUNT_IN + 10_000n);
    const closing = {
      signature: address,
      intentId: address,
      walletAddress: MINT,
      wire: new Uint8Array(),
      lastValidBlockHeight: 1n,
      venueRequest: null,
    };
    await insertTransactions(database, 'closing', [closing], { sender: 'test', at: new Date() });
    expect(await held()).toBe(AMOUNT_IN + 10_000n + rentLamports);
  });
});
