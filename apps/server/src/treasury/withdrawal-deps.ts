import type { RpcClient } from '@hunter/solana/rpc-client';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import type { Database } from '../platform/postgres.ts';
import type { BalancePushes } from './balance-pushes.ts';
import type { WithdrawalSigner } from './withdrawal-signer.ts';

export type WithdrawalDeps = {
  database: Database;
  rpc: RpcClient;
  signer: WithdrawalSigner;
  balances: Pick<BalancePushes, 'changed'>;
  clock: Clock;
  log: Log;
};
