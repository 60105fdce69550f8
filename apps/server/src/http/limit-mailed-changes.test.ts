import { expect, it } from 'vitest';
import { FakeClock } from '../accounts/accounts-for-test.ts';
import { RateLimit } from '../platform/rate-limit.ts';
import type { Handlers, SignedInCaller } from './handlers.ts';
import { limitMailedChanges } from './limit-mailed-changes.ts';

it('lets one account change so often what is mailed, by whichever call, and others all the same', async () => {
  const clock = new FakeClock();
  const buckets = new RateLimit(clock, 1 / 60, 3);
  const done: string[] = [];
  const handlers = {
    saveWithdrawalAddress: async () => done.push('saved'),
    removeWithdrawalAddress: async () => done.push('removed'),
    cancelRecovery: async () => done.push('canceled'),
    connectTelegram: async () => done.push('connected'),
  } as unknown as Handlers;
  const limited = limitMailedChanges(handlers, { take: async (userId) => buckets.take(userId) });
  const of = (userId: string) => ({ session: { userId } }) as SignedInCaller;
  await limited.saveWithdrawalAddress({} as never, of('ann'));
  await limited.removeWithdrawalAddress({} as never, of('ann'));
  await limited.cancelRecovery({}, of('ann'));
  const tooOften = limited.connectTelegram({}, of('ann'));
  await expect(tooOften).rejects.toMatchObject({ errorName: 'RATE_LIMITED', context: { retryAfterSeconds: 60 } });
  await limited.connectTelegram({}, of('bob'));
  clock.advanceSeconds(60);
  await limited.connectTelegram({}, of('ann'));
  expect(done).toEqual(['saved', 'removed', 'canceled', 'connected', 'connected']);
});
