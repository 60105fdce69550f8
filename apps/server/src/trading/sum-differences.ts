import { tokensIn } from '@hunter/solana/token-account';
import type { AccountInfo } from '@hunter/solana/rpc-replies';
import { SOL } from '../ledger/journal.ts';

/**
 * Wallets whose books are not the sum of their accounts, in any asset; `chain` has what the chain says of the wallets and then of the
 * accounts. Lamports count in the wallet's own account; those inside token accounts are rent, and what somebody sends to where a
 * token account was must not hide that as much is missing.
 */
export function sumDifferences<W extends { walletId: string; amounts: ReadonlyMap<string, bigint> }>(
  wallets: readonly W[],
  accounts: readonly { walletId: string }[],
  chain: readonly (AccountInfo | null)[],
): W[] {
  const tokens = new Map<string, Map<string, bigint>>();
  accounts.forEach(({ walletId }, index) => {
    const account = chain[wallets.length + index];
    const held = account ? tokensIn(account) : null;
    if (held === null) return;
    const ofWallet = tokens.get(walletId) ?? new Map<string, bigint>();
    tokens.set(walletId, ofWallet.set(held.mint, (ofWallet.get(held.mint) ?? 0n) + held.amount));
  });
  const none = new Map<string, bigint>();
  return wallets.filter(({ walletId, amounts }, index) => {
    const onChain = tokens.get(walletId) ?? none;
    if ((amounts.get(SOL) ?? 0n) !== (chain[index]?.lamports ?? 0n)) return true;
    for (const [asset, amount] of amounts) if (asset !== SOL && amount !== (onChain.get(asset) ?? 0n)) return true;
    for (const [mint, amount] of onChain) if (amount !== (amounts.get(mint) ?? 0n)) return true;
    return false;
  });
}
