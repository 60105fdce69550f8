import type { Address } from '@hunter/solana/address';
import type { LedgerTransaction } from '../chain/chain.ts';
import type { Pool } from './pool.ts';
import type { PoolRegistry } from './pool-registry.ts';
import type { Side } from './pool-curve.ts';

/** A swap as the chain tells it: read from what changed in the pool, not from what anybody meant to do. */
export type Trade = {
  pool: Pool;
  side: Side;
  taker: Address;
  lamports: bigint;
  tokens: bigint;
  timeMs: number;
};

export function readTrade(transaction: LedgerTransaction, pools: PoolRegistry): Trade | null {
  if (transaction.err !== null) return null;
  const index = transaction.accountKeys.findIndex((key) => pools.ofAccount(key)?.keypair.address === key);
  if (index < 0) return null;
  const pool = pools.ofAccount(transaction.accountKeys[index]!)!;
  const lamports = transaction.postBalances[index]! - transaction.preBalances[index]!;
  const tokens =
    vaultAmount(transaction, pool, transaction.postTokenBalances) -
    vaultAmount(transaction, pool, transaction.preTokenBalances);
  if (lamports > 0n === tokens > 0n || lamports === 0n || tokens === 0n) return null;
  return {
    pool,
    side: lamports > 0n ? 'buy' : 'sell',
    taker: transaction.accountKeys[0] as Address,
    lamports: lamports > 0n ? lamports : -lamports,
    tokens: tokens > 0n ? tokens : -tokens,
    timeMs: transaction.blockTime * 1000,
  };
}

function vaultAmount(
  transaction: LedgerTransaction,
  pool: Pool,
  balances: LedgerTransaction['preTokenBalances'],
): bigint {
  const vaultIndex = transaction.accountKeys.indexOf(pool.vault);
  return balances.find((balance) => balance.accountIndex === vaultIndex)?.amount ?? 0n;
}
