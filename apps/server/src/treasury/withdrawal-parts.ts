import type { RpcClient } from '@hunter/solana/rpc-client';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import type { Database } from '../platform/postgres.ts';
import type { BalancePushes } from './balance-pushes.ts';
import type { WithdrawalSigner } from './withdrawal-signer.ts';

export type WithdrawalParts = {
  database: Database;
  rpc: RpcClient;
  signer: WithdrawalSigner;
  balances: BalancePushes;
  clock: Clock;
  log: Log;
  /** Where a crash is worth testing; does nothing outside of tests. */
  crashPoint?: (label: CrashPoint) => Promise<void>;
};

export type CrashPoint = 'held' | 'signed' | 'recorded' | 'sent' | 'before-posting' | 'posted';
