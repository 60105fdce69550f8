import { expect, it, vi } from 'vitest';
import { ManualClock } from '../platform/clock-for-test.ts';
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

/** A watch of these addresses over a node that holds, lists and shows what it is told to. */
async function aWatch(addresses: readonly string[]) {
  const time = new ManualClock();
  const node = { lamports: new Map<string, bigint>(), listed: [] as string[], reads: 0 };
  const scanned: string[] = [];
  let reconnect = () => {};
  const rowOf = (address: unknown) => ({
    address,
    userId: 'user',
    walletId: 'wallet',
    walletAddress: address,
    readUntilSignature: null,
  });
  const sql = {
    write: async () => [],
    query: async (text: string, values: readonly unknown[]) => {
      if (!text.includes('from watched_address')) return [];
      if (text.includes('limit')) return addresses.filter((address) => address > (values[0] as string)).map(rowOf);
      scanned.push(values[0] as string);
      return [rowOf(values[0])];
    },
    afterCommit: () => {},
  };
  const watch = new DepositWatch({
    database: { ...sql, transaction: (work: (sql: unknown) => unknown) => work(sql) },
    rpc: {
      getMultipleAccounts: async (asked: readonly string[]) => ({
        value: asked.map((address) => ({ lamports: node.lamports.get(address) ?? 0n, data: new Uint8Array() })),
      }),
      getSignaturesForAddress: async () =>
        node.listed.map((signature) => ({ signature, confirmationStatus: 'finalized' })),
      getTransactions: async (asked: readonly string[]) => {
        node.reads += 1;
        return asked.map(() => null);
      },
      getTokenAccountsByOwner: async () => ({ value: [] }),
    },
    subscriptions: {
      logs: () => () => {},
      onReconnect: (listener: () => void) => {
        reconnect = listener;
        return () => {};
      },
    },
    clock: time,
    log: createLog('silent'),
  } as never);
  await watch.start();
  await vi.waitFor(async () => {
    await time.advance(100);
    expect(watch.idle).toBe(true);
  });
  return { watch, time, node, scanned, reconnect: () => reconnect() };
}

it('reads first what changed while it was cut off, also in the first minute of a process', async () => {
  const addresses = Array.from({ length: 30 }, (_, index) => `address-${String(index).padStart(2, '0')}`);
  const { watch, time, node, scanned, reconnect } = await aWatch(addresses);
  expect(new Set(scanned)).toEqual(new Set(addresses));
  scanned.length = 0;
  node.lamports.set('address-17', 1n);
  reconnect();
  await vi.waitFor(async () => {
    await time.advance(100);
    expect(new Set(scanned)).toEqual(new Set(addresses));
  });
  expect(scanned[0]).toBe('address-17');
  await watch.stop();
});

it('asks for what the node lists and never shows ever less often, and at least once a minute', async () => {
  const { watch, time, node } = await aWatch(['address']);
  node.listed = ['never-shown'];
  // As many scans as something else is noticed; none of them begins a series of its own.
  for (const lamports of [1n, 2n, 3n]) {
    node.lamports.set('address', lamports);
    await time.advance(60_000);
  }
  for (let minute = 0; minute < 10; minute += 1) {
    node.reads = 0;
    await time.advance(60_000);
    expect([1, 2]).toContain(node.reads);
  }
  await watch.stop();
});
