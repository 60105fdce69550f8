import { describe, expect, it, vi } from 'vitest';
import { ManualClock } from '../platform/clock-for-test.ts';
import { LiveBus } from '../platform/live-bus.ts';
import { createLog } from '../platform/log.ts';
import type { Sql } from '../platform/postgres.ts';
import { BalancePushes } from './balance-pushes.ts';
import type { WalletInfo } from './wallet-info.ts';

const nothing: WalletInfo = {
  walletAddress: '',
  tokenBalance: '0',
  available: '0',
  committed: null,
  equity: null,
  withdrawable: '0',
};

function aPusher(answers: readonly Promise<WalletInfo>[] = []) {
  const clock = new ManualClock();
  const bus = new LiveBus();
  const loaded: string[] = [];
  const load = async (_sql: Sql, userId: string) => {
    loaded.push(userId);
    return answers[loaded.length - 1] ?? { ...nothing, walletAddress: userId };
  };
  const pushes = new BalancePushes({} as Sql, bus, clock, createLog('silent'), load);
  return { pushes, bus, clock, loaded };
}

describe('balance pushes', () => {
  it('tell a follower the newest balance once for changes within a moment', async () => {
    const { pushes, bus, clock } = aPusher();
    const told: unknown[] = [];
    bus.follow('balance', 'ann', (_channel, userId, data) => told.push([userId, data]));
    pushes.changed('ann');
    pushes.changed('ann');
    await clock.advance(100);
    expect(told).toEqual([['ann', { ...nothing, walletAddress: 'ann' }]]);
  });

  it('work out nothing for those whom nobody follows', async () => {
    const { pushes, bus, clock, loaded } = aPusher();
    bus.follow('balance', 'ann', () => {});
    pushes.changed('ann');
    pushes.changed('ben');
    await clock.advance(100);
    expect(loaded).toEqual(['ann']);
  });

  it('tell the newest balance last, however long an earlier one took to work out', async () => {
    const earlier = Promise.withResolvers<WalletInfo>();
    const { pushes, bus, clock, loaded } = aPusher([earlier.promise, Promise.resolve({ ...nothing, available: '2' })]);
    const told: unknown[] = [];
    bus.follow('balance', 'ann', (_channel, _userId, data) => told.push((data as WalletInfo).available));
    pushes.changed('ann');
    await clock.advance(100);
    pushes.changed('ann');
    await clock.advance(100);
    earlier.resolve({ ...nothing, available: '1' });
    await vi.waitFor(() => expect(loaded).toHaveLength(2));
    await vi.waitFor(() => expect(told).toEqual(['1', '2']));
  });
});
