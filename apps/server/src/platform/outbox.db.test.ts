import { expect, it, vi } from 'vitest';
import { createLog } from './log.ts';
import { enqueue, OutboxWorker } from './outbox.ts';
import type { Database } from './postgres.ts';
import { useTestDatabase } from './postgres-for-test.ts';

let database: Database;
useTestDatabase((opened) => {
  database = opened;
});

it('goes on with the other topics while one of them hangs, and forgets what was done long ago', async () => {
  const { promise: never, resolve: release } = Promise.withResolvers<void>();
  const done: string[] = [];
  const worker = new OutboxWorker(database, createLog('silent'), {
    mail: () => never,
    fills: async (payload: { text: string }) => void done.push(payload.text),
  });
  worker.start();
  try {
    await enqueue(database, 'mail', {});
    for (const text of ['one', 'two']) await enqueue(database, 'fills', { text });
    await vi.waitFor(() => expect(done.toSorted()).toEqual(['one', 'two']), { timeout: 10_000 });
  } finally {
    release();
    await worker.stop();
  }
  await database.query(`update outbox set done_at = now() - interval '8 days' where topic = 'fills'`);
  await worker.removeOld();
  expect(await database.query(`select topic from outbox`)).toEqual([{ topic: 'mail' }]);
});
