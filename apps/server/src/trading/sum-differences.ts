import type { Address } from '@hunter/solana/address';
import { isOwnedBy, tokensIn } from '@hunter/solana/token-account';
import type { AccountInfo } from '@hunter/solana/rpc-replies';
import { SOL, type Asset } from '../ledger/journal.ts';
import type { WalletAmount } from '../ledger/wallet-pages.ts';

/**
 * Wallets whose books are not the sum of their accounts, in any asset; `chain` has what the chain says of the wallets and then of the
 * accounts. Lamports count in the wallet's own account; those inside token accounts are rent, and what somebody sends to where a
 * token account was must not hide that as much is missing. An account that was given to another owner counts as nothing.
 */
export function sumDifferences<W extends { walletId: string; address: Address }>(
  wallets: readonly W[],
  books: readonly WalletAmount[],
  accounts: readonly { walletId: string }[],
  chain: readonly (AccountInfo | null)[],
): W[] {
  const more = new Map(
    wallets.map(({ walletId, address }, index) => [walletId, new MoreOnChain(address, chain[index]?.lamports ?? 0n)]),
  );
  // A wallet that came after the page was read is looked at in the next pass.
  for (const { walletId, asset, amount } of books) more.get(walletId)?.add(asset, -amount);
  accounts.forEach(({ walletId }, index) => {
    const wallet = more.get(walletId);
    const account = chain[wallets.length + index];
    const held = account ? tokensIn(account) : null;
    if (held !== null && wallet !== undefined && isOwnedBy(account!, wallet.address)) {
      wallet.add(held.mint, held.amount);
    }
  });
  return wallets.filter(({ walletId }) => more.get(walletId)!.isAny());
}

/** What the chain has more of each asset than the books of a wallet. */
class MoreOnChain {
  readonly address: Address;
  // Not in the map, because every wallet has it.
  private lamports: bigint;
  private readonly tokens = new Map<string, bigint>();

  constructor(address: Address, lamports: bigint) {
    this.address = address;
    this.lamports = lamports;
  }

  add(asset: Asset, amount: bigint): void {
    if (asset === SOL) this.lamports += amount;
    else this.tokens.set(asset, (this.tokens.get(asset) ?? 0n) + amount);
  }

  isAny(): boolean {
    return this.lamports !== 0n || hasAny(this.tokens);
  }
}

function hasAny(tokens: ReadonlyMap<string, bigint>): boolean {
  for (const amount of tokens.values()) if (amount !== 0n) return true;
  return false;
}
