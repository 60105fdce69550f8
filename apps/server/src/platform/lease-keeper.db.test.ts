import { afterEach, expect, it } from 'vitest';
import { systemClock as clock } from './clock.ts';
import { LeaseKeeper } from './lease-keeper.ts';
import { takeLease } from './leases.ts';
import { createLog } from './log.ts';
import { OwnsByLease } from './ownership.ts';
import type { Database } from './postgres.ts';
import { useTestDatabase } from './postgres-for-test.ts';

let database: Database;
let databaseUrl: string;
useTestDatabase((opened, url) => {
  database = opened;
  databaseUrl = url;
});

const log = createLog('silent');
let stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.reverse()) await stop();
  stops = [];
});

function aKeeper(onLost: (name: string) => void = () => {}, isStopping = () => false) {
  const keeper = new LeaseKeeper({ databaseUrl, durationMs: 6_000, clock, log, onLost });
  keeper.start();
  const ownership = new OwnsByLease({ database, keeper, isStopping, clock, log });
  ownership.start();
  stops.push(async () => {
    await ownership.stop();
    await keeper.stop();
  });
  return { keeper, ownership };
}

const raiseEpoch = (name: string) =>
  takeLease(database, name, 'another', { durationMs: 60_000, isFormerOwnerGone: true });

it('lets one process do a job, and the next one as soon as the first hands it over', async () => {
  const first = aKeeper();
  const second = aKeeper();
  const begun: string[] = [];
  await first.ownership.job('mail', () => void begun.push('first'));
  await expect.poll(() => begun).toEqual(['first']);
  await second.ownership.job('mail', () => void begun.push('second'));
  const until = () => database.query<{ until: Date }>(`select until from lease where name = 'mail'`);
  const [taken] = await until();
  await expect.poll(async () => (await until())[0]!.until.getTime()).toBeGreaterThan(taken!.until.getTime());
  expect(begun).toEqual(['first']);
  await first.keeper.release('mail');
  await expect.poll(() => begun).toEqual(['first', 'second']);
});

it('gives a job back that it cannot start, takes the jobs behind it, and tries again', async () => {
  const { ownership } = aKeeper();
  const begun: string[] = [];
  let isBroken = true;
  await ownership.job('broken', async () => {
    begun.push('broken');
    if (isBroken) throw new Error('the node does not answer');
  });
  await ownership.job('sound', () => void begun.push('sound'));
  await expect.poll(() => ownership.owns('sound')).toBe(true);
  expect(begun).toEqual(['broken', 'sound']);
  expect(ownership.jobs().get('broken')).toBe(false);
  expect(() => ownership.leaseOf('broken')).toThrow('was taken over');
  const other = aKeeper();
  await expect.poll(() => other.keeper.take('broken')).toBe(true);
  isBroken = false;
  await other.keeper.release('broken');
  await expect.poll(() => ownership.owns('broken'), { timeout: 10_000 }).toBe(true);
  expect(begun.at(-1)).toBe('broken');
});

it('takes no other job once it is being stopped', async () => {
  const { ownership } = aKeeper();
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  const begun: string[] = [];
  await ownership.job('slow', () => (begun.push('slow'), gate));
  await ownership.job('next', () => void begun.push('next'));
  await expect.poll(() => begun).toEqual(['slow']);
  const stopped = ownership.stop();
  open();
  await stopped;
  expect(begun).toEqual(['slow']);
});

it('takes no job that another hands over once its process only finishes what it has begun', async () => {
  const begun: string[] = [];
  let isStopping = false;
  let looks = 0;
  const first = aKeeper();
  await first.ownership.job('handed-over', () => void begun.push('first'));
  await expect.poll(() => begun).toEqual(['first']);
  const { ownership } = aKeeper(undefined, () => ((looks += 1), isStopping));
  await ownership.job('own', () => void begun.push('own'));
  await expect.poll(() => begun).toEqual(['first', 'own']);
  isStopping = true;
  await ownership.job('handed-over', () => void begun.push('draining'));
  await first.keeper.release('handed-over');
  const before = looks;
  await expect.poll(() => begun.includes('draining') || looks > before + 1).toBe(true);
  expect(begun).toEqual(['first', 'own']);
  expect([ownership.owns('own'), await first.keeper.take('handed-over')]).toEqual([true, true]);
});

it('tells a process that another has taken over, and lets it write nothing any more', async () => {
  const lost: string[] = [];
  const { ownership } = aKeeper((name) => lost.push(name));
  await ownership.job('fenced', () => {});
  await expect.poll(() => ownership.owns('fenced')).toBe(true);
  const own = ownership.databaseOf('fenced');
  await own.write(`insert into ended_session (session_id) values (gen_random_uuid())`);
  await raiseEpoch('fenced');
  const late = own.transaction((sql) => sql.write(`insert into ended_session (session_id) values (gen_random_uuid())`));
  await expect(late).rejects.toThrow('was taken over by another process');
  await expect(own.write(`insert into ended_session (session_id) values (gen_random_uuid())`)).rejects.toThrow();
  expect(await own.query(`select count(*)::int as count from ended_session`)).toEqual([{ count: 1 }]);
  await expect.poll(() => lost).toEqual(['fenced']);
});

it('lets a lease run out that the database could not be told to release', async () => {
  const { keeper } = aKeeper();
  await keeper.take('kept');
  await database.write(`alter table lease rename to lease_away`);
  await keeper.release('kept');
  await database.write(`alter table lease_away rename to lease`);
  expect(keeper.holds('kept')).toBe(false);
});
