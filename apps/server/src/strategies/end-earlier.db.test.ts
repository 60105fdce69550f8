import { randomUUID } from 'node:crypto';
import { baseUnits } from '@hunter/domain/numbers/base-units';
import { lamports } from '@hunter/domain/numbers/lamports';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { address } from '@hunter/solana/address';
import { createTestDatabase, type TestDatabase } from '../../../../scripts/database-for-test.ts';
import { openBook } from '../ledger/books.ts';
import { postEntries, SOL, type Asset } from '../ledger/journal.ts';
import { recordFills } from '../ledger/positions.ts';
import { createLog } from '../platform/log.ts';
import { Database } from '../platform/postgres.ts';
import { insertTraders } from '../trading/world-for-test.ts';
import { endEarlierStrategies } from './end-earlier.ts';
import { startPerformance } from './performance/start-performance.ts';
import type { Strategies } from './strategies.ts';

const MINT = address('So11111111111111111111111111111111111111113');
const DEPOSIT = 5_000_000_000n;

let testDatabase: TestDatabase;
let database: Database;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = new Database(testDatabase.url, createLog('silent'));
});

afterAll(async () => {
  await database?.close();
  await testDatabase?.drop();
});

function deps(told: string[]): Strategies {
  return {
    database,
    pools: { load: async () => new Map() },
    clock: { nowMs: () => Date.now(), pause: () => Promise.resolve() },
    log: createLog('silent'),
    balanceChanged: (userId: string) => void told.push(userId),
  } as unknown as Strategies;
}

/** As the upgrade leaves it: a strategy in its creator's personal wallet, marked as ending. */
async function anEarlierStrategy() {
  const [userId, walletId, bookId, id] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
  await insertTraders(database, [{ userId, walletId, address: walletId as never, sealedKey: '', bookId }], DEPOSIT);
  const book = await database.transaction(async (sql) => {
    const opened = await openBook(sql, { userId, walletId, kind: 'strategy', name: 'Earlier' });
    await postEntries(sql, [
      {
        kind: 'move-sol',
        reference: `earlier:${id}`,
        postings: [
          { bookId, account: 'cash', asset: SOL, amount: -1_000_000_000n },
          { bookId: opened.id, account: 'cash', asset: SOL, amount: 1_000_000_000n },
        ],
      },
      {
        kind: 'deposit',
        reference: `earlier coins:${id}`,
        postings: [
          { bookId: opened.id, account: 'cash', asset: MINT, amount: 77n },
          { bookId: null, account: 'chain', asset: MINT, amount: -77n },
        ],
      },
    ]);
    await recordFills(sql, [
      {
        reference: `earlier ${id}`,
        userId,
        bookId: opened.id,
        mint: MINT,
        at: new Date(),
        fill: { kind: 'received', tokens: baseUnits(77n) },
      },
    ]);
    await sql.write(
      `insert into strategy (id, user_id, book_id, wallet_id, is_earlier, slug, name, status, auto_clear, capital_lamports, published_at)
       values ($1, $2, $3, $4, true, $5, 'Earlier', 'ending', true, 1000000000, now())`,
      [id, userId, opened.id, walletId, id],
    );
    await startPerformance(sql, id, lamports(1_000_000_000n), new Date());
    return opened;
  });
  return { id, userId, walletId, personalBookId: bookId, bookId: book.id };
}

async function amounts(bookId: string): Promise<Record<string, bigint>> {
  const rows = await database.query<{ asset: Asset; amount: bigint }>(
    `select asset, sum(amount)::numeric(40, 0) as amount from balance where book_id = $1 and amount > 0 group by asset`,
    [bookId],
  );
  return Object.fromEntries(rows.map(({ asset, amount }) => [asset, amount]));
}

it('ends a strategy of an earlier version without a trade: everything it held is its owner’s again', async () => {
  const told: string[] = [];
  const strategy = await anEarlierStrategy();
  await endEarlierStrategies(deps(told));
  expect(await amounts(strategy.bookId)).toEqual({});
  expect(await amounts(strategy.personalBookId)).toEqual({ SOL: DEPOSIT, [MINT]: 77n });
  const [row] = await database.query(`select status from strategy where id = $1`, [strategy.id]);
  expect(row).toEqual({ status: 'ended' });
  expect(await database.query(`select 1 from trade_order`)).toEqual([]);
  expect(told).toEqual([strategy.userId]);
});

it('waits for an order that is still under way', async () => {
  const strategy = await anEarlierStrategy();
  await database.write(
    `insert into trade_order (id, user_id, book_id, wallet_id, kind, side, mint, amount_in, swap_in, slippage_bps, state)
     values ($1, $2, $3, $4, 'trade', 'sell', $5, 7, 7, 100, 'sent')`,
    [randomUUID(), strategy.userId, strategy.bookId, strategy.walletId, MINT],
  );
  await endEarlierStrategies(deps([]));
  const status = () => database.query(`select status from strategy where id = $1`, [strategy.id]);
  expect(await status()).toEqual([{ status: 'ending' }]);
  await database.write(`update trade_order set state = 'dead', error = 'PRICE_MOVED'`);
  await endEarlierStrategies(deps([]));
  expect(await status()).toEqual([{ status: 'ended' }]);
});
