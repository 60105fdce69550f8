import { signerCalls } from '@hunter/signer-client/signer-connection';
import type { SignerStatus } from '@hunter/signer-client/signer-status';
import { address } from '@hunter/solana/address';
import { Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { connectionWaits } from '../platform/postgres.ts';
import { watchProcess, watchSignerStatus, watchStored, watchStream } from './figures.ts';

async function linesOf(registry: Registry, opening: string): Promise<string[]> {
  return (await registry.metrics()).split('\n').filter((line) => line.startsWith(opening));
}

function aProcess(overrides: Partial<Parameters<typeof watchProcess>[1]> = {}): Registry {
  const registry = new Registry();
  watchProcess(registry, {
    roles: ['engine'],
    database: { connections: { busy: 3, idle: 1, waiting: 7 } },
    isBusConnected: () => true,
    jobs: () => new Map(),
    marketLagMs: () => 1500,
    lanes: { groups: 32, waiting: { exit: 4, creator: 0, join: 1 } },
    ...overrides,
  });
  return registry;
}

it('says which leases a process has and for which it stands by', async () => {
  const registry = aProcess({
    jobs: () =>
      new Map([
        ['indexer', true],
        ['deposits', false],
      ]),
  });
  expect(await linesOf(registry, 'hunter_lease_owner{')).toEqual([
    'hunter_lease_owner{lease="indexer"} 1',
    'hunter_lease_owner{lease="deposits"} 0',
  ]);
  expect(await linesOf(registry, 'hunter_lane_groups ')).toEqual(['hunter_lane_groups 32']);
  expect(await linesOf(registry, 'hunter_lane_waiting{turn="exit"}')).toEqual(['hunter_lane_waiting{turn="exit"} 4']);
  expect(await linesOf(registry, 'hunter_database_waiting ')).toEqual(['hunter_database_waiting 7']);
});

it('calls a market that was never read infinitely old, and not new', async () => {
  expect(await linesOf(aProcess(), 'hunter_market_lag_seconds ')).toEqual(['hunter_market_lag_seconds 1.5']);
  const unread = aProcess({ marketLagMs: () => null });
  expect(await linesOf(unread, 'hunter_market_lag_seconds ')).toEqual(['hunter_market_lag_seconds +Inf']);
});

it('counts calls to the signer and waits for a connection as they end', async () => {
  const registry = aProcess();
  signerCalls.publish({ method: 'sign', durationMs: 30, failure: null });
  signerCalls.publish({ method: 'sign', durationMs: 30_000, failure: 'TIMEOUT' });
  connectionWaits.publish(20);
  expect(await linesOf(registry, 'hunter_signer_failures_total')).toEqual([
    'hunter_signer_failures_total{code="TIMEOUT"} 1',
  ]);
  expect(await linesOf(registry, 'hunter_signer_seconds_bucket{le="0.05"')).toEqual([
    'hunter_signer_seconds_bucket{le="0.05",method="sign"} 1',
  ]);
  expect(await linesOf(registry, 'hunter_database_wait_seconds_count')).toEqual([
    'hunter_database_wait_seconds_count 1',
  ]);
});

it('says what the signer has stopped and what waits there, and nothing where it does not answer', async () => {
  const registry = new Registry();
  let status: SignerStatus | null = {
    stopped: ['withdrawal'],
    stops: [],
    changes: [],
    frozen: 0,
    wallets: { personal: 3, strategy: 2 },
    heldReturns: [],
    recoveries: [{ address: address('11111111111111111111111111111111'), startedAt: 1, readyAt: 2 }],
    waitingExports: 7,
    withdrawals: { waiting: 3, part: 0.6 },
    epoch: 0,
    currentKeyId: 'key',
    keyIds: ['key'],
  };
  watchSignerStatus(registry, () => Promise.resolve(status));
  expect(await linesOf(registry, 'hunter_signer_stopped{')).toEqual([
    'hunter_signer_stopped{kind="swap"} 0',
    'hunter_signer_stopped{kind="transfer"} 0',
    'hunter_signer_stopped{kind="withdrawal"} 1',
    'hunter_signer_stopped{kind="export"} 0',
    'hunter_signer_stopped{kind="reset"} 0',
  ]);
  expect(await linesOf(registry, 'hunter_signer_waiting{')).toEqual([
    'hunter_signer_waiting{what="export"} 7',
    'hunter_signer_waiting{what="recovery"} 1',
    'hunter_signer_waiting{what="return"} 0',
    'hunter_signer_waiting{what="withdrawal"} 3',
  ]);
  expect(await linesOf(registry, 'hunter_signer_withdrawn_part{')).toEqual([
    'hunter_signer_withdrawn_part{window="24h"} 0.6',
  ]);
  status = null;
  expect(await linesOf(registry, 'hunter_signer_stopped{')).toEqual([]);
  expect(await linesOf(registry, 'hunter_signer_waiting{')).toEqual([]);
  expect(await linesOf(registry, 'hunter_signer_withdrawn_part{')).toEqual([]);
});

it('forgets topics that are done, and stays readable while the database does not answer', async () => {
  const registry = new Registry();
  let topics = [{ topic: 'mail', failed: 2, oldestSeconds: 90 }];
  let isDown = false;
  const read = async <T>(value: T): Promise<T> => {
    if (isDown) throw new Error('the database is down');
    return value;
  };
  watchStored(registry, {
    outbox: () => read(topics),
    openOrders: () => read({ 'above 10 min': 5 }),
    putOffTransfers: () =>
      read({ commit: { count: 0, lamports: 0n }, return: { count: 2, lamports: 30_000_000_000n } }),
  });
  expect(await linesOf(registry, 'hunter_')).toEqual([
    'hunter_outbox_failed{topic="mail"} 2',
    'hunter_outbox_oldest_seconds{topic="mail"} 90',
    'hunter_open_orders{age="above 10 min"} 5',
    'hunter_transfers_put_off{kind="commit"} 0',
    'hunter_transfers_put_off{kind="return"} 2',
    'hunter_transfers_put_off_lamports{kind="commit"} 0',
    'hunter_transfers_put_off_lamports{kind="return"} 30000000000',
  ]);
  topics = [];
  expect(await linesOf(registry, 'hunter_outbox')).toEqual([]);
  isDown = true;
  expect(await linesOf(registry, 'hunter_')).toEqual([]);
});

it('passes on what the stream has lost so far', async () => {
  const registry = new Registry();
  const stream = { connections: 9, losses: { replaced: 3, stuck: 1 } };
  watchStream(registry, stream);
  await registry.metrics();
  stream.losses.replaced = 5;
  expect(await linesOf(registry, 'hunter_stream')).toEqual([
    'hunter_stream_sockets 9',
    'hunter_stream_replaced_total 5',
    'hunter_stream_stuck_total 1',
  ]);
});
