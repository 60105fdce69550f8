import { expect, it } from 'vitest';
import { systemClock } from './clock.ts';
import { createLog } from './log.ts';
import {
  endingAfterDays,
  enqueue,
  loadOutboxTopics,
  MessageRefused,
  type OutboxHandler,
  OutboxWorker,
} from './outbox.ts';
import type { Database } from './postgres.ts';
import { rowsPassedOver, useTestDatabase } from './postgres-for-test.ts';

let database: Database;
useTestDatabase((opened) => {
  database = opened;
});

const log = createLog('silent');

function anOutbox(handlers: Record<string, OutboxHandler>): OutboxWorker {
  return new OutboxWorker({ database, clock: systemClock, log, handlers });
}

it('goes on with the other topics while one of them hangs, and forgets what was done long ago', async () => {
  const { promise: never, resolve: release } = Promise.withResolvers<void>();
  const done: string[] = [];
  const worker = anOutbox({
    mail: () => never,
    fills: async (payload: { text: string }) => void done.push(payload.text),
  });
  worker.start();
  try {
    await enqueue(database, 'mail', {});
    for (const text of ['one', 'two']) await enqueue(database, 'fills', { text });
    await expect.poll(() => done.toSorted()).toEqual(['one', 'two']);
  } finally {
    release();
    await worker.stop();
  }
  await database.write(`update outbox set done_at = now() - interval '8 days' where topic = 'fills'`);
  await worker.removeOld();
  expect(await database.query(`select topic from outbox`)).toEqual([{ topic: 'mail' }]);
});

it('goes through no rows that wait for another topic, nor through those that are not done, to find its own', async () => {
  await database.write(`delete from outbox`);
  await database.write(`insert into outbox (topic, payload) select 'mail', '{}' from generate_series(1, 500)`);
  await enqueue(database, 'fills', {});
  const passedOver: number[] = [];
  const explained = {
    write: async (text: string, values: readonly unknown[] = []) => {
      passedOver.push(await rowsPassedOver(database, text, values));
      return [];
    },
  } as unknown as Database;
  const worker = new OutboxWorker({
    database: explained,
    clock: systemClock,
    log,
    handlers: { fills: async () => {} },
  });
  worker.start();
  await expect.poll(() => passedOver).not.toHaveLength(0);
  await worker.stop();
  await worker.removeOld();
  expect(new Set(passedOver)).toEqual(new Set([0]));
});

const rows = () =>
  database.query(
    `select attempts, failure, done_at is not null as done, failed_at is not null as failed from outbox order by id`,
  );

it('gives nothing up because who is to do it was unavailable for hours: it is counted, and done once he is back', async () => {
  await database.write(`delete from outbox`);
  let isDown = true;
  const worker = anOutbox({
    fills: async () => {
      if (isDown) throw new Error('the receiver is down');
    },
  });
  await enqueue(database, 'fills', {});
  await database.write(`update outbox set attempts = 11, created_at = now() - interval '1 year'`);
  worker.start();
  try {
    const failure = 'the receiver is down';
    await expect.poll(rows).toEqual([{ attempts: 12, failure, done: false, failed: true }]);
    expect(await loadOutboxTopics(database)).toEqual([{ topic: 'fills', failed: 1, oldestSeconds: 0 }]);
    const [{ pause } = { pause: NaN }] = await database.query<{ pause: number }>(
      `select extract(epoch from available_at - now())::float8 as pause from outbox`,
    );
    expect(pause).toBeGreaterThan(290);
    expect(pause).toBeLessThanOrEqual(300);
    await worker.removeOld();
    isDown = false;
    await database.write(`update outbox set available_at = now()`);
    await expect.poll(rows).toEqual([{ attempts: 13, failure: null, done: true, failed: false }]);
    expect(await loadOutboxTopics(database)).toEqual([]);
  } finally {
    await worker.stop();
  }
});

it('carries out what is new before what keeps failing', async () => {
  await database.write(`delete from outbox`);
  await database.write(
    `insert into outbox (topic, payload, attempts, failed_at, available_at)
     select 'push', '{"text": "failing"}', 12, now(), now() - interval '1 hour' from generate_series(1, 30)`,
  );
  await database.write(`insert into outbox (topic, payload) values ('push', '{"text": "new"}')`);
  const begun: string[] = [];
  const worker = anOutbox({
    push: async ({ text }: { text: string }) => {
      begun.push(text);
      throw new Error('no answer');
    },
  });
  worker.start();
  try {
    await expect.poll(() => begun.length).toBe(31);
    expect(begun.slice(0, 20)).toContain('new');
  } finally {
    await worker.stop();
  }
});

it('ends what its receiver refuses, and a message that nobody took for three days', async () => {
  await database.write(`delete from outbox`);
  const worker = anOutbox({
    mail: endingAfterDays(() => Promise.reject(new MessageRefused('no such user'))),
    push: endingAfterDays(() => Promise.reject(new Error('no answer'))),
  });
  await enqueue(database, 'mail', {});
  await enqueue(database, 'push', {});
  await enqueue(database, 'push', {});
  await database.write(
    `update outbox set created_at = now() - interval '3 days' where id = (select max(id) from outbox)`,
  );
  worker.start();
  try {
    await expect.poll(rows).toEqual([
      { attempts: 1, failure: 'no such user', done: true, failed: false },
      { attempts: 1, failure: 'no answer', done: false, failed: false },
      { attempts: 1, failure: 'nobody took it for 3 days: no answer', done: true, failed: false },
    ]);
  } finally {
    await worker.stop();
  }
  // Nothing of them stays for ever.
  await database.write(`update outbox set done_at = now() - interval '8 days' where done_at is not null`);
  await worker.removeOld();
  expect(await rows()).toHaveLength(1);
});

it('records a failure whatever characters its words hold', async () => {
  await database.write(`delete from outbox`);
  const worker = anOutbox({ push: () => Promise.reject(new Error('the push service answered 500: \0\0no')) });
  await enqueue(database, 'push', {});
  worker.start();
  try {
    const rows = () => database.query(`select failure from outbox`);
    await expect.poll(rows).toEqual([{ failure: 'the push service answered 500: no' }]);
  } finally {
    await worker.stop();
  }
});
