import { hostname } from 'node:os';
import { Client } from 'pg';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ManualClock } from './clock-for-test.ts';
import { createLog } from './log.ts';
import type { Database } from './postgres.ts';
import { useTestDatabase } from './postgres-for-test.ts';
import { SecondServerError, ServerLease } from './server-lease.ts';

let database: Database;
let url: string;
useTestDatabase((opened, openedUrl) => {
  database = opened;
  url = openedUrl;
});

const clock = new ManualClock();
const held: ServerLease[] = [];
let lost: number;
beforeEach(async () => {
  lost = 0;
  await database.write(`delete from lease`);
});
afterEach(async () => {
  for (const lease of held.splice(0)) await lease.release();
});

function aServerLease(together?: { program: string }): ServerLease {
  const onLost = () => (lost += 1);
  const lease = new ServerLease({ databaseUrl: url, clock, log: createLog('silent'), onLost, together });
  held.push(lease);
  return lease;
}

/** Lets time pass until `work` is over, which also waits for the database. */
async function within<T>(work: Promise<T>): Promise<T> {
  const passing = new AbortController();
  const passed = passTime(passing.signal);
  try {
    return await work;
  } finally {
    passing.abort();
    await passed;
  }
}

async function passTime(until: AbortSignal): Promise<void> {
  while (!until.aborted) await clock.advance(10);
}

const untilMs = async () => (await database.query<{ until: Date }>(`select until from lease`))[0]!.until.getTime();

it('is given back at a stop, so that the next server takes it at once', async () => {
  const first = aServerLease();
  expect(await within(first.take())).toMatchObject({ epoch: 1n });
  await within(first.release());
  expect(await within(aServerLease().take())).toMatchObject({ epoch: 2n });
});

it('is refused to another server, whose connection is closed', async () => {
  await within(aServerLease().take());
  await expect(within(aServerLease().take())).rejects.toBeInstanceOf(SecondServerError);
  const lists = () =>
    database.query(
      `select 1 from pg_stat_activity where application_name = 'hunter-server-lease' and datname = current_database()`,
    );
  await expect.poll(lists).toHaveLength(1);
});

it('says which one to stop, or how to join those that share the database', async () => {
  await within(aServerLease().take());
  const refusal = async (lease: ServerLease) => (await within(lease.take().catch((error: Error) => error))) as Error;
  const alone = `process ${process.pid} on ${hostname()}`;
  const other = /stop it there \(SIGTERM\).+where each of them was started with the same NATS_URL$/;
  for (const second of [aServerLease(), aServerLease({ program: '0001' })]) {
    const { message } = await refusal(second);
    expect(message).toContain(alone);
    expect(message).toMatch(other);
  }
  await within(held[0]!.release());
  await within(aServerLease({ program: '0001' }).take());
  expect((await refusal(aServerLease())).message).toMatch(
    /^servers that share one NATS server already run on this database, since 20.+Z; start this one with their NATS_URL, stop all/,
  );
});

it('is renewed over a new connection after its own was lost, and then protects as before', async () => {
  await within(aServerLease().take());
  const before = await untilMs();
  await database.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'hunter-server-lease' and datname = current_database()`,
  );
  await expect.poll(async () => (await clock.advance(500), untilMs())).toBeGreaterThan(before);
  await expect(within(aServerLease().take())).rejects.toBeInstanceOf(SecondServerError);
  expect(lost).toBe(0);
});

it('tells a server that was replaced', async () => {
  await within(aServerLease().take());
  await database.write(`update lease set epoch = epoch + 1, owner = 'another'`);
  await expect.poll(async () => (await clock.advance(500), lost)).toBeGreaterThan(0);
});

it('is joined, and not taken over, by a server that starts right after the database was away for longer than it lasts', async () => {
  const together = { program: '0001' };
  await within(aServerLease(together).take());
  // Nobody could renew it meanwhile, nor before the next one asks: no time passes.
  await database.write(`update lease set until = clock_timestamp() - interval '1 minute' where name = 'server'`);
  expect(await aServerLease(together).take()).toMatchObject({ epoch: 1n });
  const renewals = () =>
    database.query(
      `select 1 from lease where name like 'program-%' and until > clock_timestamp() + interval '4 seconds'`,
    );
  await database.write(`update lease set until = clock_timestamp() where name like 'program-%'`);
  await expect.poll(async () => (await clock.advance(500), renewals())).toHaveLength(2);
  expect(lost).toBe(0);
});

it('is taken by servers that share it once one that had it alone has left it', async () => {
  const alone = aServerLease();
  await within(alone.take());
  await within(alone.release());
  expect(await within(aServerLease({ program: '0001' }).take())).toMatchObject({ epoch: 2n });
});

it('cannot be taken from a database that has not been migrated', async () => {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(`alter table lease rename to lease_of_later`);
  try {
    expect(await aServerLease().isPossible()).toBe(false);
  } finally {
    await client.query(`alter table lease_of_later rename to lease`);
    await client.end();
  }
  expect(await aServerLease().isPossible()).toBe(true);
});
