import { lamports, type Lamports } from '@hunter/domain/numbers/lamports';
import type { Address } from './address.ts';
import type { ChainTransaction } from './rpc-replies.ts';

/**
 * What one transaction did to balances, by its own pre and post balances. A failed transaction changes
 * the fee payer's lamports only. Lamports are per account: a wallet's are its own; those inside
 * its token accounts (rent) show up as `tokenAccountsCreated` and `tokenAccountsClosed`.
 */
export type BalanceChanges = {
  signature: string;
  slot: bigint;
  failed: boolean;
  fee: Lamports;
  feePayer: Address;
  /** Only accounts whose lamports changed. The fee payer's delta includes the fee. */
  lamportDeltas: Map<Address, bigint>;
  /** Only non-zero sums per owner and mint, over all of the owner's token accounts. */
  tokenDeltas: TokenDelta[];
  tokenAccountsCreated: TokenAccountRent[];
  tokenAccountsClosed: TokenAccountRent[];
};

export type TokenDelta = {
  owner: Address;
  mint: Address;
  delta: bigint;
  decimals: number;
  tokenProgram: Address | null;
};
export type TokenAccountRent = { account: Address; owner: Address; mint: Address; rentLamports: bigint };

export function balanceChanges(transaction: ChainTransaction): BalanceChanges {
  const { accountKeys, preBalances, postBalances } = transaction;
  const lamportDeltas = new Map<Address, bigint>();
  accountKeys.forEach((key, index) => {
    const delta = (postBalances[index] ?? 0n) - (preBalances[index] ?? 0n);
    if (delta !== 0n) lamportDeltas.set(key, delta);
  });

  const deltas = new Map<string, TokenDelta>();
  const add = (row: ChainTransaction['preTokenBalances'][number], amount: bigint): void => {
    if (row.owner === null) return;
    const key = `${row.owner} ${row.mint}`;
    const known = deltas.get(key);
    if (known === undefined) {
      const { owner, mint, decimals, tokenProgram } = row;
      deltas.set(key, { owner, mint, delta: amount, decimals, tokenProgram });
    } else known.delta += amount;
  };
  for (const row of transaction.preTokenBalances) add(row, -row.amount);
  for (const row of transaction.postTokenBalances) add(row, row.amount);

  const before = new Set(transaction.preTokenBalances.map((row) => row.accountIndex));
  const after = new Set(transaction.postTokenBalances.map((row) => row.accountIndex));
  return {
    signature: transaction.signature,
    slot: transaction.slot,
    failed: transaction.err !== null,
    fee: lamports(transaction.fee),
    feePayer: accountKeys[0]!,
    lamportDeltas,
    tokenDeltas: [...deltas.values()].filter((row) => row.delta !== 0n),
    tokenAccountsCreated: rents(transaction, transaction.postTokenBalances, before, (pre, post) => post - pre),
    tokenAccountsClosed: rents(transaction, transaction.preTokenBalances, after, (pre) => pre),
  };
}

export function lamportDelta(changes: BalanceChanges, account: Address): bigint {
  return changes.lamportDeltas.get(account) ?? 0n;
}

export function tokenDelta(changes: BalanceChanges, owner: Address, mint: Address): bigint {
  return changes.tokenDeltas.find((row) => row.owner === owner && row.mint === mint)?.delta ?? 0n;
}

function rents(
  transaction: ChainTransaction,
  rows: ChainTransaction['preTokenBalances'],
  onTheOtherSide: ReadonlySet<number>,
  rent: (pre: bigint, post: bigint) => bigint,
): TokenAccountRent[] {
  return rows
    .filter((row) => !onTheOtherSide.has(row.accountIndex) && row.owner !== null)
    .map((row) => ({
      account: transaction.accountKeys[row.accountIndex]!,
      owner: row.owner!,
      mint: row.mint,
      rentLamports: rent(
        transaction.preBalances[row.accountIndex] ?? 0n,
        transaction.postBalances[row.accountIndex] ?? 0n,
      ),
    }));
}

/** What an owner has of a mint after the transaction, over all token accounts that it names. */
export function tokensAfter(transaction: ChainTransaction, owner: string, mint: string): bigint {
  return transaction.postTokenBalances
    .filter((row) => row.owner === owner && row.mint === mint)
    .reduce((sum, row) => sum + row.amount, 0n);
}
