import { expect, it } from 'vitest';
import { systemClock } from './clock.ts';
import { createLog } from './log.ts';
import { enqueue, loadOutboxTopics, type OutboxHandler, OutboxWorker } from './outbox.ts';
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

it('keeps what it gave up on as failed and counts it, until an operator has it tried again', async () => {
  await database.write(`delete from outbox`);
  let isDown = true;
  const worker = anOutbox({
    fills: async () => {
      if (isDown) throw new Error('the receiver is down');
    },
  });
  await enqueue(database, 'fills', {});
  await database.write(`update outbox set attempts = 11`);
  worker.start();
  const rows = () =>
    database.query(
      `select attempts, failure, done_at is not null as done, failed_at is not null as failed from outbox`,
    );
  try {
    await expect.poll(rows).toEqual([{ attempts: 12, failure: 'the receiver is down', done: false, failed: true }]);
    expect(await loadOutboxTopics(database)).toEqual([{ topic: 'fills', failed: 1, oldestSeconds: 0 }]);
    // It is left alone and never removed, however old it is.
    await database.write(
      `update outbox set failed_at = now() - interval '1 year', available_at = now() - interval '1 year'`,
    );
    await worker.removeOld();
    await enqueue(database, 'fills', {});
    const attempted = () => database.query(`select attempts from outbox where attempts > 0 order by id`);
    await expect.poll(attempted).toHaveLength(2);
    expect((await attempted())[0]).toEqual({ attempts: 12 });

    isDown = false;
    await database.write(`update outbox set failed_at = null, attempts = 0, available_at = now()`);
    await expect.poll(async () => (await rows()).every((row) => row['done'])).toBe(true);
    expect(await loadOutboxTopics(database)).toEqual([]);
  } finally {
    await worker.stop();
  }
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
