import { expect, it } from 'vitest';
import { FakeClock } from '../accounts/accounts-for-test.ts';
import { CallerReadLimit } from './caller-read-limit.ts';
import type { Caller, Handlers } from './handlers.ts';
import { limitReplays, REPLAYS } from './limit-replays.ts';

it('replays for one caller only so often, and for others all the same, one after another', async () => {
  const clock = new FakeClock();
  let running = 0;
  let most = 0;
  const replay = async () => {
    running += 1;
    most = Math.max(most, running);
    await Promise.resolve();
    running -= 1;
    return {};
  };
  const handlers = Object.fromEntries(REPLAYS.map((name) => [name, replay])) as unknown as Handlers;
  const limited = limitReplays(handlers, new CallerReadLimit(clock, { perSecond: 0.2, atOnce: 1, waiting: 10 }));
  const from = (address: string) => limited.simulateFollow({} as never, { session: null, address } as Caller);
  await Promise.all([from('203.0.113.1'), from('203.0.113.1'), from('203.0.113.2')]);
  expect(most).toBe(1);
  await expect(from('203.0.113.1')).rejects.toMatchObject({ errorName: 'RATE_LIMITED' });
  await from('203.0.113.2');
  clock.advanceSeconds(5);
  await from('203.0.113.1');
});
