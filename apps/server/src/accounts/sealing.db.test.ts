import { expect, it } from 'vitest';
import { createLog } from '../platform/log.ts';
import { Database } from '../platform/postgres.ts';
import { useTestDatabase } from '../platform/postgres-for-test.ts';
import { whileSealing } from './sealing.ts';

let url: string;
useTestDatabase((_, given) => {
  url = given;
});

it('leaves connections to everybody else, however many change their passwords, and refuses more than can wait', async () => {
  const database = new Database(url, createLog('silent'), { maxConnections: 6 });
  const signer = Promise.withResolvers<void>();
  let sealing = 0;
  const changes = Array.from({ length: 20 }, (_, index) =>
    whileSealing({ database }, `account ${index}`, async (sql) => {
      await sql.query('select 1');
      sealing += 1;
      await signer.promise;
      return index;
    }),
  );
  await expect.poll(() => sealing).toBe(4);
  expect(await database.query('select 2 as answer')).toEqual([{ answer: 2 }]);
  const more = Array.from({ length: 85 }, (_, index) =>
    whileSealing({ database }, `another ${index}`, async () => null),
  );
  await expect(more.at(-1)).rejects.toMatchObject({ errorName: 'UNAVAILABLE' });
  signer.resolve();
  expect(await Promise.all(changes)).toEqual(changes.map((_, index) => index));
  await Promise.all(more.slice(0, -1));
  await database.close();
});

it('keeps nobody from undoing a reset however often somebody else changes his password', async () => {
  const database = new Database(url, createLog('silent'), { maxConnections: 6 });
  const signer = Promise.withResolvers<void>();
  const changes = Array.from({ length: 104 }, () => whileSealing({ database }, 'thief', () => signer.promise));
  const settled = Promise.allSettled(changes);
  expect(await whileSealing({ database }, 'owner', async () => 'undone')).toBe('undone');
  signer.resolve();
  expect((await settled).filter(({ status }) => status === 'fulfilled')).toHaveLength(6);
  await database.close();
});
