import type { Address } from '@hunter/solana/address';
import { decodeTokenAccount } from '@hunter/solana/token-account';
import type { AccountInfo } from '@hunter/solana/rpc-replies';
import { SOL } from '../ledger/journal.ts';

/**
 * Wallets whose books are not the sum of their accounts, in any asset. Lamports count in the wallet's own account; those inside token
 * accounts are rent, and what somebody sends to where a token account was must not hide that as much is missing.
 */
export function sumDifferences(
  known: readonly { walletId: string; address: Address; isWallet: boolean }[],
  accounts: readonly (AccountInfo | null)[],
  books: readonly { walletId: string; asset: string; amount: bigint }[],
): ReadonlySet<string> {
  const sums = new Map<string, bigint>();
  const add = (walletId: string, asset: string, amount: bigint): void => {
    if (amount === 0n) return;
    const key = `${walletId} ${asset}`;
    const sum = (sums.get(key) ?? 0n) + amount;
    if (sum === 0n) sums.delete(key);
    else sums.set(key, sum);
  };
  for (const { walletId, asset, amount } of books) add(walletId, asset, -amount);
  known.forEach(({ walletId, isWallet }, index) => {
    const account = accounts[index];
    if (!account) return;
    const tokens = decodeTokenAccount(account);
    if (isWallet) add(walletId, SOL, account.lamports);
    else if (tokens !== null) add(walletId, tokens.mint, tokens.amount);
  });
  return new Set([...sums.keys()].map((key) => key.slice(0, key.indexOf(' '))));
}
