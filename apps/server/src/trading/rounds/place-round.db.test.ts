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
import { isRoundSwap } from './round-memo.ts';
import type { NewPart } from './round.ts';

const MINT = address('So11111111111111111111111111111111111111113');
const ONE_SOL = 1_000_000_000n;

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

  // Twenty who wait for the strategy's row have all connections; whoever has the row must not need another one.
  it('is placed on the one connection of its transaction, the facts of its coin included, and known by its swaps', async () => {
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
    const amountIn = ONE_SOL / 10n;
    const part: NewPart = {
      bookId,
      userId,
      followId: null,
      wantedIn: lamports(amountIn),
      amountIn: lamports(amountIn),
      limitedBy: null,
      runUpLamports: lamports(0n),
      costLamports: lamports(0n),
      reason: null,
      freeLamports: lamports(ONE_SOL),
    };
    const round = { walletId, userId, bookId, kind: 'trade', side: 'buy', mint: MINT, slippageBps: 100 } as const;
    const held = await database.transaction((sql) =>
      engine.placeRound(sql, { id: randomUUID(), ...round, parts: [part] }, new Date()),
    );
    expect(held.order).toMatchObject({ state: 'held', swapIn: amountIn });

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
});
