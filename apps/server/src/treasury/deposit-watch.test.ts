import { expect, it } from 'vitest';
import { systemClock as clock } from '../platform/clock.ts';
import { createLog } from '../platform/log.ts';
import { DepositWatch } from './deposit-watch.ts';

it('listens to nothing after a start that failed', async () => {
  const listeners = new Set<unknown>();
  const watch = new DepositWatch({
    database: { write: async () => [], query: () => Promise.reject(new Error('the database is away')) },
    subscriptions: {
      onReconnect: (listener: unknown) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
    clock,
    log: createLog('silent'),
  } as never);
  await expect(watch.start()).rejects.toThrow('the database is away');
  expect(listeners.size).toBe(0);
});
