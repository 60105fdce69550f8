import { randomUUID } from 'node:crypto';
import { medianFollowerReturn } from '@hunter/domain/record/follower-return';
import { rateOf } from '@hunter/domain/numbers/rate';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../../../scripts/database-for-test.ts';
import { createLog } from '../../platform/log.ts';
import { Database, type Row, type Sql } from '../../platform/postgres.ts';
import { loadFollows, type Follows } from './follow-results.ts';

const HOUR_MS = 3_600_000;
const OPENED = Date.UTC(2026, 10, 16, 12);
const SOL = 1_000_000_000n;

let testDatabase: TestDatabase;
let database: Database;
let strategyId: string;
let ran = 0;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = new Database(testDatabase.url, createLog('silent'));
});

beforeEach(async () => {
  const bookId = await aBook('strategy');
  strategyId = randomUUID();
  ran += 1;
  await database.write(
    `insert into strategy (id, user_id, book_id, wallet_id, slug, name, status, auto_clear, capital_lamports, published_at)
     select $1, user_id, id, wallet_id, $4, $4, 'running', true, 1, $3 from book where id = $2`,
    [strategyId, bookId, new Date(OPENED), `strategy-${ran}`],
  );
});

afterAll(async () => {
  await database?.close();
  await testDatabase?.drop();
});

async function aBook(kind: string): Promise<string> {
  const [userId, bookId] = [randomUUID(), randomUUID()];
  await database.write(
    `insert into users (id, email, email_key, password_hash, display_name) values ($1, $2, $2, '', $2)`,
    [userId, userId],
  );
  await database.write(`insert into wallet (user_id, address, envelope) values ($1, $2, 'sealed')`, [userId, userId]);
  await database.write(
    `insert into book (id, user_id, kind, name, wallet_id) select $1, $2, $3, 'x', id from wallet where user_id = $2`,
    [bookId, userId, kind],
  );
  return bookId;
}

/** Of one SOL. */
async function aFollow(): Promise<string> {
  const id = await aBook('follow');
  await database.write(
    `insert into follow (id, user_id, strategy_id, book_id, mode, status, amount_lamports, opened_at)
     select $1, user_id, $2, id, 'sol', 'active', $3, $4 from book where id = $1`,
    [id, strategyId, SOL, new Date(OPENED)],
  );
  return id;
}

async function close(id: string, returned: bigint): Promise<void> {
  await database.write(`update follow set status = 'closed', returned_lamports = $2, closed_at = $3 where id = $1`, [
    id,
    returned,
    new Date(OPENED + HOUR_MS),
  ]);
}

/** What was loaded, and how many rows the database answered. */
async function load(known: Follows | null, meanwhile = async () => {}): Promise<{ follows: Follows; rows: number }> {
  let rows = 0;
  const counting: Sql = {
    write: (text, values) => database.write(text, values),
    async query<R extends Row>(text: string, values?: readonly unknown[]): Promise<R[]> {
      const answer = await database.query<R>(text, values);
      rows += answer.length;
      await meanwhile();
      return answer;
    },
  };
  const follows = (await loadFollows(counting, [strategyId], new Date(), () => known)).get(strategyId)!;
  return { follows, rows };
}

it('reads a follow that is over once, and the results are those of all of them', async () => {
  const [first, second, third, running] = [await aFollow(), await aFollow(), await aFollow(), await aFollow()];
  await close(first, SOL / 2n);
  await close(second, 2n * SOL);
  const whole = await load(null);
  expect(whole.rows).toBe(4);
  expect((await load(whole.follows)).rows).toBe(2);

  await close(third, (SOL * 11n) / 10n);
  const after = await load(whole.follows);
  expect(after.rows).toBe(2);
  expect(after.follows.open.map(({ id }) => id)).toEqual([running]);
  expect(medianFollowerReturn([], after.follows.closed.returns)).toEqual({ median: rateOf(1n, 10n), count: 3 });
  const again = await load(null);
  expect(again.follows.closed.returns).toEqual(after.follows.closed.returns);
  for (const [name, sum] of Object.entries(again.follows.closed.sums)) {
    expect(Object.entries(after.follows.closed.sums)).toContainEqual([name, expect.closeTo(sum, 12)]);
  }
});

it('counts a follow once that is closed between the two reads', async () => {
  const id = await aFollow();
  const { follows } = await load(null, () => close(id, 2n * SOL));
  expect(follows.open).toHaveLength(1);
  expect(follows.closed.returns).toEqual([]);
  const after = await load(follows);
  expect(after.follows.open).toEqual([]);
  expect(after.follows.closed.returns.map(({ made }) => made)).toEqual([rateOf(1n, 1n)]);
});
