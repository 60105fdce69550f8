import { balanceChanges, lamportDelta, tokensAfter } from '@hunter/solana/balance-changes';
import { absolute } from '@hunter/domain/numbers/rounding';
import type { ChainTransaction } from '@hunter/solana/rpc-replies';
import type { Address } from '@hunter/solana/address';

export type DecodedSwap = {
  mint: Address;
  wallet: string;
  pool: string;
  isBuy: boolean;
  lamports: bigint;
  baseUnits: bigint;
  arrivedUnits: bigint;
  walletUnitsAfter: bigint;
  poolLamportsAfter: bigint;
  poolUnitsAfter: bigint;
  feeLamports: bigint;
};

/**
 * Reads a swap from what it did to balances, whatever program or venue built it: the fee payer's holding of one mint
 * moved one way and somebody else's the other way, against SOL. Null for everything that is not a swap.
 */
export function decodeSwap(transaction: ChainTransaction): DecodedSwap | null {
  if (transaction.err !== null) return null;
  const changes = balanceChanges(transaction);
  const wallet = changes.feePayer;
  const own = changes.tokenDeltas.filter((row) => row.owner === wallet);
  if (own.length !== 1) return null;
  const { mint, delta } = own[0]!;
  const others = changes.tokenDeltas.filter(
    (row) => row.mint === mint && row.owner !== wallet && row.delta * delta < 0n,
  );
  if (others.length !== 1) return null;
  const pool = others[0]!;
  const poolLamports = lamportDelta(changes, pool.owner);
  const isBuy = pool.delta < 0n;
  if (isBuy ? poolLamports <= 0n : poolLamports >= 0n) return null;
  const baseUnits = absolute(pool.delta);
  return {
    mint,
    wallet,
    pool: pool.owner,
    isBuy,
    lamports: absolute(poolLamports),
    baseUnits,
    arrivedUnits: isBuy && delta < baseUnits ? delta : baseUnits,
    walletUnitsAfter: tokensAfter(transaction, wallet, mint),
    poolLamportsAfter: transaction.postBalances[transaction.accountKeys.indexOf(pool.owner)] ?? 0n,
    poolUnitsAfter: tokensAfter(transaction, pool.owner, mint),
    feeLamports: transaction.fee,
  };
}

/** What a pool held right after a transaction that was no trade. */
export type PoolState = { pool: string; lamports: bigint; units: bigint };

/** The pools whose balances a transaction changed: where it is no swap, somebody added or took liquidity. */
export function touchedPools(
  transaction: ChainTransaction,
  mintOfPool: (address: string) => string | undefined,
): PoolState[] {
  if (transaction.err !== null) return [];
  return transaction.accountKeys.flatMap((pool, place) => {
    const mint = mintOfPool(pool);
    if (mint === undefined) return [];
    return [{ pool, lamports: transaction.postBalances[place] ?? 0n, units: tokensAfter(transaction, pool, mint) }];
  });
}
