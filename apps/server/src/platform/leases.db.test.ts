import { beforeEach, expect, it } from 'vitest';
import {
  type Lease,
  LeaseLostError,
  loadLeaseHolder,
  releaseLease,
  renewLease,
  requireLease,
  takeLease,
} from './leases.ts';
import type { Database } from './postgres.ts';
import { useTestDatabase } from './postgres-for-test.ts';

let database: Database;
useTestDatabase((opened) => {
  database = opened;
});
beforeEach(async () => void (await database.write(`delete from lease`)));

const durationMs = 60_000;
const take = (owner: string) => takeLease(database, 'lane', owner, { durationMs });
const runOut = () => database.write(`update lease set until = clock_timestamp() - interval '1 second'`);
const untilMs = async () => (await loadLeaseHolder(database, 'lane'))!.until.getTime();

it('belongs to one owner until it has run out, and its epoch rises with each takeover', async () => {
  expect(await take('first')).toEqual({ name: 'lane', owner: 'first', epoch: 1n });
  expect(await take('second')).toBeNull();
  expect(await loadLeaseHolder(database, 'lane')).toMatchObject({ owner: 'first' });
  await runOut();
  expect(await take('second')).toEqual({ name: 'lane', owner: 'second', epoch: 2n });
  expect(await take('first')).toBeNull();
});

it('is taken over at once from an owner who is known to be gone', async () => {
  await take('first');
  const options = { durationMs, isFormerOwnerGone: true };
  expect(await takeLease(database, 'lane', 'second', options)).toMatchObject({ epoch: 2n });
});

it('can be taken again at once after it was released, also by its former owner, under a new epoch', async () => {
  const lease = (await take('first'))!;
  await releaseLease(database, lease);
  expect(await take('first')).toMatchObject({ epoch: 2n });
});

it('is renewed by its owner, even late as long as nobody took it over', async () => {
  const lease = (await take('first'))!;
  await runOut();
  const before = await untilMs();
  expect(await renewLease(database, lease, durationMs)).toBe(true);
  expect(await untilMs()).toBeGreaterThan(before);
});

it('is lost for an owner whom another replaced: he can neither renew nor release it nor decide under it', async () => {
  const old = (await take('first'))!;
  await runOut();
  const present = (await take('second'))!;
  const before = await untilMs();
  expect(await renewLease(database, old, durationMs)).toBe(false);
  await releaseLease(database, old);
  expect(await untilMs()).toBe(before);
  await expect(database.transaction((sql) => requireLease(sql, old))).rejects.toBeInstanceOf(LeaseLostError);
  await database.transaction((sql) => requireLease(sql, present));
});

it('tells an earlier epoch of the same owner from the present one', async () => {
  const old = (await take('first'))!;
  await runOut();
  await take('first');
  expect(await renewLease(database, old, durationMs)).toBe(false);
  await expect(database.transaction((sql) => requireLease(sql, old))).rejects.toBeInstanceOf(LeaseLostError);
});

it('is not taken over in the middle of a decision, which does not hold up renewing it', async () => {
  const lease = (await take('first'))!;
  let taking: Promise<Lease | null> | undefined;
  const ended: string[] = [];
  await database.transaction(async (sql) => {
    await requireLease(sql, lease);
    expect(await renewLease(database, lease, durationMs)).toBe(true);
    taking = takeLease(database, 'lane', 'second', { durationMs, isFormerOwnerGone: true });
    void taking.then(() => ended.push('takeover'));
    // The takeover waits for this transaction, as the database itself says.
    await expect
      .poll(() =>
        database.query(
          `select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
        ),
      )
      .toHaveLength(1);
    ended.push('decision');
  });
  expect(await taking).toMatchObject({ epoch: 2n });
  expect(ended).toEqual(['decision', 'takeover']);
});
