import type { Address } from '@hunter/solana/address';
import type { RpcClient } from '@hunter/solana/rpc-client';
import type { TellUser } from '../accounts/tell-user.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import type { Database } from '../platform/postgres.ts';
import type { BalancePushes } from './balance-pushes.ts';
import type { TokenSymbols } from './wallet-movements.ts';
import type { WithdrawalSigner } from './withdrawal-signer.ts';

export type WithdrawalDeps = {
  database: Database;
  rpc: RpcClient;
  signer: WithdrawalSigner;
  balances: Pick<BalancePushes, 'changed'>;
  symbols: TokenSymbols;
  /** Of a token of the market: a pool may be an ordinary account of the system program, and nobody gets anything back from it. */
  isPool: (address: Address) => Promise<boolean>;
  tell: TellUser;
  clock: Clock;
  log: Log;
};
