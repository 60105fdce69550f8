import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../../scripts/database-for-test.ts';
import { systemClock, windSystemClock } from './clock.ts';
import { createLog } from './log.ts';
import { enterPast, type PastNews } from './past-time.ts';
import { Database } from './postgres.ts';

const BEGIN = Date.UTC(2026, 0, 5, 12);
const HOUR = 3_600_000;

let testDatabase: TestDatabase;
let database: Database;
let server: Server;
let url: string;
let asked: PastNews[];
/** Answers to questions that are open, and those who wait for a question. */
let open: ((told: object) => void)[];
let waiting: (() => void)[];

beforeEach(async () => {
  testDatabase = await createTestDatabase();
  asked = [];
  open = [];
  waiting = [];
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      asked.push(JSON.parse(Buffer.concat(chunks).toString('utf8')) as PastNews);
      open.push((told) => void response.end(JSON.stringify(told)));
      for (const wake of waiting.splice(0)) wake();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/past`;
});

afterEach(async () => {
  windSystemClock(null);
  await database?.close();
  server.closeAllConnections();
  server.close();
  await testDatabase.drop();
});

function isAsked(): Promise<void> {
  return new Promise((resolve) => waiting.push(resolve));
}

/** Answers the open question, or the next one, and resolves when another one has been asked. */
async function answer(told: object, isLast = false): Promise<void> {
  if (open.length === 0) await isAsked();
  const next = isLast ? null : isAsked();
  open.shift()!(told);
  await next;
}

async function times(): Promise<{ statement: number; column: number }> {
  const [row] = await database.write<{ statement: Date; column: Date }>(
    `with added as (insert into outbox (topic, payload) values ('test', '{}') returning created_at)
     select now() as statement, created_at as column from added`,
  );
  return { statement: row!.statement.getTime(), column: row!.column.getTime() };
}

describe('a server in the past', () => {
  it('has its time from the chain, and its database too, until the past is over', async () => {
    const entering = enterPast({ url, databaseUrl: testDatabase.url });
    await answer({ nowMs: BEGIN }, true);
    const past = await entering;
    database = new Database(testDatabase.url, createLog('silent'));
    expect(systemClock.nowMs()).toBe(BEGIN);
    expect(await times()).toEqual({ statement: BEGIN, column: BEGIN });

    let hasLeft = false;
    const over = past.follow({
      untilQuiet: () => new Promise((resolve) => setImmediate(resolve)),
      news: async () => ({ unfinished: 2, marketAtMs: BEGIN }),
      leave: async () => {
        await systemClock.pause(HOUR);
        hasLeft = true;
      },
    });
    let isPauseOver = false;
    void systemClock.pause(2 * HOUR).then(() => {
      isPauseOver = true;
    });
    await answer({ nowMs: BEGIN + HOUR });
    expect(systemClock.nowMs()).toBe(BEGIN + HOUR);
    expect(await times()).toEqual({ statement: BEGIN + HOUR, column: BEGIN + HOUR });
    expect(isPauseOver).toBe(false);
    expect(asked.at(-1)).toEqual({ unfinished: 2, marketAtMs: BEGIN });
    await answer({ nowMs: BEGIN + 2 * HOUR });
    expect(isPauseOver).toBe(true);

    const startedMs = Date.now();
    await answer({ over: true });
    expect([hasLeft, asked.at(-1)?.hasLeft]).toEqual([false, undefined]);
    // What it has begun needs the time of the past.
    await answer({ nowMs: BEGIN + 3 * HOUR });
    expect([hasLeft, asked.at(-1)?.hasLeft]).toEqual([true, true]);
    await answer({}, true);
    await over;
    expect(systemClock.nowMs()).toBeGreaterThanOrEqual(startedMs);
    const { statement, column } = await times();
    expect(statement).toBeGreaterThan(BEGIN + 24 * HOUR);
    expect(column).toBe(statement);
    await database.close();
    database = new Database(testDatabase.url, createLog('silent'));
    const left = await database.query(
      `select 1 from pg_attrdef where pg_get_expr(adbin, adrelid) like '%past%'
       union all select 1 from pg_namespace where nspname = 'past'
       union all select 1 where current_setting('search_path') like '%past%'`,
    );
    expect(left).toEqual([]);
  });
});
