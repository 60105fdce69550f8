import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { LocalBus } from '../platform/bus/local-bus.ts';
import { systemClock } from '../platform/clock.ts';
import { ManualClock } from '../platform/clock-for-test.ts';
import { createLog } from '../platform/log.ts';
import { AccountsUnderTest } from './accounts-for-test.ts';
import { Sessions } from './sessions.ts';

const log = createLog('silent');
let world: AccountsUnderTest;
let here: Sessions;
let there: Sessions;
let stops: (() => Promise<void>)[];

/** Two servers on one database; their buses are not connected, as if every message were lost. */
beforeEach(async () => {
  world = await AccountsUnderTest.start();
  stops = [];
  [here, there] = [new Sessions(world.database, systemClock), new Sessions(world.database, systemClock)];
  for (const sessions of [here, there]) {
    const sharing = sessions.share(new LocalBus(), log);
    sharing.start();
    stops.push(() => sharing.stop());
  }
});
afterEach(async () => {
  for (const stop of stops) await stop();
  await world.stop();
});

async function login(userId: string): Promise<string> {
  const [row] = await world.database.query<{ hash: string }>(`select password_hash as hash from users where id = $1`, [
    userId,
  ]);
  const user = { id: userId, passwordHash: row!.hash, device: 'd', address: '203.0.113.1' };
  return (await here.create(world.database, user, 'login'))!;
}

it('ends a session on every server that shares the database, also where the message is lost', async () => {
  const { userId } = await world.register('a@b.example');
  const token = await login(userId);
  const session = await there.authenticate(token);
  expect(session).not.toBeNull();
  const ended: string[] = [];
  there.onEnd((sessionId) => ended.push(sessionId));
  await world.database.write(`delete from session where id = $1`, [session!.sessionId]);
  await expect.poll(() => ended).toEqual([session!.sessionId]);
  expect(await there.authenticate(token)).toBeNull();
  expect(await here.authenticate(token)).toBeNull();
});

it('finds what ended while the database did not answer this server, however long that was', async () => {
  const { userId } = await world.register('c@b.example');
  const token = await login(userId);
  const time = new ManualClock(systemClock.nowMs());
  let isAway = false;
  const query = (text: string, values: unknown[]) =>
    isAway ? Promise.reject(new Error('the database is away')) : world.database.query(text, values);
  const cutOff = new Sessions({ query } as never, time);
  const sharing = cutOff.share(new LocalBus(), log);
  sharing.start();
  stops.push(() => sharing.stop());
  const session = await cutOff.authenticate(token);
  const ended: string[] = [];
  cutOff.onEnd((sessionId) => ended.push(sessionId));
  await time.advance(300);
  await expect.poll(() => time.waiting).toBe(1);
  isAway = true;
  await world.database.write(`delete from session where id = $1`, [session!.sessionId]);
  await world.database.write(`update ended_session set ended_at = now() - interval '2 minutes'`);
  await time.advance(150_000);
  isAway = false;
  await vi.waitFor(async () => {
    await time.advance(300);
    expect(ended).toEqual([session!.sessionId]);
  });
});

it('writes when sessions were last seen rarely and for many at once, and moves their expiry with it', async () => {
  const { userId } = await world.register('b@b.example');
  const [old, older, fresh] = await Promise.all([1, 2, 3].map(() => login(userId)));
  await world.database.write(
    `update session set last_seen_at = now() - interval '1 hour', expires_at = now() + interval '1 day'
     where token_hash = any(select sha256(t::bytea) from unnest($1::text[]) t)`,
    [[old, older]],
  );
  const ends = () =>
    world.database.query<{ days: number; writes: string }>(
      `select round(extract(epoch from expires_at - now()) / 86400)::int as days, xmin::text as writes from session
       where user_id = $1 order by created_at, id`,
      [userId],
    );
  const before = await ends();
  for (const token of [old, older, fresh]) expect(await there.authenticate(token!)).not.toBeNull();
  expect(await ends()).toEqual(before);
  await there.saveSeen();
  const after = await ends();
  expect(after.map(({ days }) => days).filter((days) => days === 1)).toEqual([]);
  expect(after.filter(({ writes }) => !before.some((row) => row.writes === writes))).toHaveLength(2);
});
