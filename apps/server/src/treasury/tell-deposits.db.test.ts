import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { SOL, type Asset } from '../ledger/journal.ts';
import type { Database } from '../platform/postgres.ts';
import { useTestDatabase } from '../platform/postgres-for-test.ts';
import { tellDeposits } from './tell-deposits.ts';
import type { MovementRow } from './wallet-movements.ts';

let database: Database;
useTestDatabase((opened) => {
  database = opened;
});

it('tells somebody who is sent dust of 1,000 tokens of twenty and that there are more, once a day, and of real SOL still', async () => {
  const userId = randomUUID();
  const symbols = async (assets: readonly Asset[]) => new Map(assets.map((asset) => [asset, 'DUST']));
  const row = (asset: string, amount: bigint) =>
    ({ id: randomUUID(), userId, asset, amount, decimals: 6, signature: 'S', status: 'finalized' }) as MovementRow;
  for (let index = 0; index < 100; index += 1) {
    const rows = Array.from({ length: 10 }, (_, part) => row(`Mint${index * 10 + part}`, 1n));
    await tellDeposits(database, symbols, rows);
  }
  await tellDeposits(database, symbols, [row(SOL, 1_000_000_000n)]);
  const told = await database.query<{ asset: string | null; more: boolean }>(
    `select payload ->> 'tokenContractAddress' as asset, payload ? 'isMore' as more from alert
     where user_id = $1 order by id`,
    [userId],
  );
  expect(told).toHaveLength(22);
  expect(told.filter(({ more }) => more)).toHaveLength(1);
  expect(told.at(-1)).toEqual({ asset: null, more: false });
  // The next day begins anew.
  await database.write(`update alert set created_at = created_at - interval '1 day' where user_id = $1`, [userId]);
  await tellDeposits(database, symbols, [row('Another', 1n)]);
  const rows = await database.query(`select 1 from alert where user_id = $1`, [userId]);
  expect(rows).toHaveLength(23);
});
