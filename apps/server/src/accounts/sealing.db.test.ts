import { expect, it } from 'vitest';
import { createLog } from '../platform/log.ts';
import { Database } from '../platform/postgres.ts';
import { useTestDatabase } from '../platform/postgres-for-test.ts';
import { AccountsUnderTest, KeysInMemory } from './accounts-for-test.ts';
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

it('leaves connections to everybody else, however often one account is asked to be unfrozen while the signer is slow', async () => {
  const signer = Promise.withResolvers<void>();
  let asked = 0;
  class SlowKeys extends KeysInMemory {
    // Asked right before the transaction begins.
    override factors: KeysInMemory['factors'] = (wallet, ask) => {
      asked += 1;
      return super.factors(wallet, ask);
    };
    override unfreeze = () => signer.promise;
  }
  const test = await AccountsUnderTest.start({ keys: new SlowKeys() });
  try {
    const { email, password } = await test.register('unfreezes@example.com');
    const verificationCode = await test.code(email, 'unfreeze');
    const unfreezing: Promise<unknown>[] = [];
    for (let count = 1; count <= 10; count += 1) {
      unfreezing.push(test.post('login/unfreezeAccount', { email, password, verificationCode }));
      await expect.poll(() => asked).toBe(count);
    }
    expect(await test.database.query('select 2 as answer')).toEqual([{ answer: 2 }]);
    signer.resolve();
    await Promise.all(unfreezing);
  } finally {
    signer.resolve();
    await test.stop();
  }
}, 60_000);
