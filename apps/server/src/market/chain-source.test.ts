import { expect, it } from 'vitest';
import type { Clock } from '../platform/clock.ts';
import { createLog } from '../platform/log.ts';
import { ChainSource } from './chain-source.ts';

const NOW_MS = 1_790_000_000_000;
const clock: Clock = { nowMs: () => NOW_MS, pause: (_, signal) => untilAborted(signal) };

function untilAborted(signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    signal?.addEventListener('abort', () => resolve(), { once: true });
  });
}

/** A source over a store with this cursor, and a chain with these transactions, or with none that answers. */
function aSource(cursor: unknown, transactions?: readonly { signature: string; slot: bigint; blockTime: number }[]) {
  const stored: unknown[] = [];
  const source = new ChainSource({
    rpc: {
      getSignaturesForAddress: async () => transactions!.toReversed(),
      getTransactions: async () => transactions!.map(({ blockTime }) => ({ blockTime, err: 'failed' })),
    } as never,
    subscriptions: { logs: () => () => {}, onReconnect: () => () => {} } as never,
    venue: {
      referenceAddress: () => (transactions ? Promise.resolve('reference') : Promise.reject(new Error('not there'))),
      liveliestTokens: async () => [],
    } as never,
    sink: {
      loadCursor: async () => stored.at(-1) ?? cursor,
      storeTokens: async () => {},
      storeTrades: async (_: unknown, __: unknown, next: unknown) => void stored.push(next),
      tokens: { get: () => undefined, ofPool: () => undefined },
    } as never,
    solUsd: { start: async () => {}, now: () => null } as never,
    clock,
    log: createLog('silent'),
  });
  return { source, stored };
}

it('does not know how old the market is before any of it was stored', async () => {
  const { source } = aSource(null);
  await source.start();
  expect(source.lagMs()).toBeNull();
  await source.stop();
});

it('knows how old the stored market is after a restart, also while the chain does not answer', async () => {
  const { source } = aSource({ signature: 'last', slot: '5', place: 0, atMs: NOW_MS - 4_000 });
  await source.start();
  expect(source.lagMs()).toBe(4_000);
  expect(source.isCaughtUp).toBe(false);
  await source.stop();
});

it('stores with its place when the last transaction was made', async () => {
  const seconds = NOW_MS / 1000;
  const { source, stored } = aSource(null, [
    { signature: 'first', slot: 5n, blockTime: seconds - 9 },
    { signature: 'second', slot: 5n, blockTime: seconds - 8 },
  ]);
  await source.start();
  await expect.poll(() => source.isCaughtUp).toBe(true);
  expect(stored).toEqual([{ signature: 'second', slot: '5', place: 1, atMs: NOW_MS - 8_000 }]);
  await source.stop();
});
