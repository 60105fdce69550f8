import { describe, expect, it } from 'vitest';
import { systemClock } from '../platform/clock.ts';
import type { Database } from '../platform/postgres.ts';
import { useTestDatabase } from '../platform/postgres-for-test.ts';
import { SharedRateLimit } from '../platform/shared-rate-limit.ts';
import { beginAll, LoginThrottle } from './login-throttle.ts';

let database: Database;
useTestDatabase((opened) => {
  database = opened;
});

let nowMs = 1_800_000_000_000;
const clock = { ...systemClock, nowMs: () => nowMs };
const aThrottle = (name: string, freeFailures: number) =>
  new LoginThrottle({ sql: database, clock, name, freeFailures });

describe('LoginThrottle', () => {
  it('lets a few failures pass and then doubles the pause up to a minute, whichever server counts', async () => {
    const servers = [aThrottle('doubling', 3), aThrottle('doubling', 3)];
    const pauses: number[] = [];
    for (let count = 0; count < 12; count += 1) {
      const pause = await servers[count % 2]!.begin('key');
      pauses.push(pause);
      if (pause === 0) continue;
      nowMs += pause * 1000 - 1;
      expect(await servers[0]!.begin('key')).toBe(1);
      nowMs += 1;
      expect(await servers[1]!.begin('key')).toBe(0);
    }
    expect(pauses).toEqual([0, 0, 0, 1, 2, 4, 8, 16, 32, 60, 60, 60]);
  });

  it('counts many tries at once one by one', async () => {
    const throttle = aThrottle('at once', 3);
    const pauses = await Promise.all(Array.from({ length: 20 }, () => throttle.begin('key')));
    expect(pauses.filter((pause) => pause === 0)).toHaveLength(3);
  });

  it('takes back one try and forgives none of the others', async () => {
    const throttle = aThrottle('back', 2);
    for (let count = 0; count < 2; count += 1) await throttle.begin('shared');
    expect(await throttle.begin('shared')).toBe(1);
    await throttle.takeBack('shared');
    expect(await throttle.begin('shared')).toBe(0);
    expect(await throttle.begin('shared')).toBe(1);
  });

  it('forgets after a success and after a quarter of an hour', async () => {
    const throttle = aThrottle('forgets', 1);
    for (const key of ['left', 'right']) await throttle.begin(key);
    expect(await throttle.begin('left')).toBe(1);
    await throttle.succeeded('left');
    expect(await throttle.begin('left')).toBe(0);
    nowMs += 16 * 60_000;
    expect(await throttle.begin('right')).toBe(0);
    expect(await throttle.begin('right')).toBe(1);
    nowMs += 16 * 60_000;
    await throttle.removeOld();
    expect(await database.query(`select 1 from login_failure`)).toEqual([]);
  });

  it('counts a try for all throttles it must pass or for none', async () => {
    const [open, shut] = [aThrottle('open', 2), aThrottle('shut', 1)];
    await shut.begin('network');
    const tries = [
      { throttle: open, key: 'account' },
      { throttle: shut, key: 'network' },
    ];
    expect(await beginAll(tries)).toBe(1);
    expect([await open.begin('account'), await open.begin('account')]).toEqual([0, 0]);
  });
});

describe('SharedRateLimit', () => {
  it('lets a burst pass, then as many as the rate allows, and says when to come back', async () => {
    const limit = new SharedRateLimit({ sql: database, clock, name: 'codes', perSecond: 0.5, burst: 3 });
    const waits = await Promise.all(Array.from({ length: 4 }, () => limit.take('address')));
    expect(waits.filter((wait) => wait === 0)).toHaveLength(3);
    expect(await limit.take('address')).toBe(2);
    expect(await limit.take('another')).toBe(0);
    nowMs += 2_000;
    expect([await limit.take('address'), await limit.take('address')]).toEqual([0, 2]);
  });
});
