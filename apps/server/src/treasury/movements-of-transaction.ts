import { balanceChanges, lamportDelta } from '@hunter/solana/balance-changes';
import type { Address } from '@hunter/solana/address';
import { SOL_DECIMALS } from '@hunter/domain/numbers/lamports';
import type { ChainTransaction, TransactionTokenBalance } from '@hunter/solana/rpc-replies';
import { isAssociatedAccount } from '@hunter/solana/token-account';
import { SOL, type Asset } from '../ledger/journal.ts';
import { LINK_IN_MIN_LAMPORTS, LINK_OUT_MIN_LAMPORTS } from './wallet-links.ts';

/** A change of one asset of a wallet by one transaction: above zero it came, below it left. */
export type Movement = { asset: Asset; decimals: number; amount: bigint };

/**
 * By the transaction's own balances, so whatever program moved the money is understood. Lamports inside token accounts
 * are not the wallet's: rent that an outsider pays for the user's token account is no deposit. Of tokens only the wallet's associated
 * accounts count: what lies in another one, made by a stranger and handed over, cannot be sold from here.
 */
export function movementsOf(transaction: ChainTransaction, wallet: Address): Movement[] {
  const changes = balanceChanges(transaction);
  const lamports = lamportDelta(changes, wallet);
  const movements: Movement[] = lamports === 0n ? [] : [{ asset: SOL, decimals: SOL_DECIMALS, amount: lamports }];
  const tokens = new Map<string, Movement>();
  const add = (row: TransactionTokenBalance, amount: bigint): void => {
    if (!isOwnBalance(transaction, row, wallet)) return;
    const known = tokens.get(row.mint);
    if (known) known.amount += amount;
    else tokens.set(row.mint, { asset: row.mint, decimals: row.decimals, amount });
  };
  for (const row of transaction.preTokenBalances) add(row, -row.amount);
  for (const row of transaction.postTokenBalances) add(row, row.amount);
  return [...movements, ...[...tokens.values()].filter(({ amount }) => amount !== 0n)];
}

function isOwnBalance(transaction: ChainTransaction, row: TransactionTokenBalance, wallet: Address): boolean {
  const account = transaction.accountKeys[row.accountIndex]!;
  return row.owner === wallet && isAssociatedAccount(account, wallet, row.mint, row.tokenProgram);
}

export type ForeignAccount = { address: Address; mint: Address; amount: bigint; decimals: number };

/** Token accounts that name the wallet as their owner and are not those it uses. */
export function foreignAccountsOf(transaction: ChainTransaction, wallet: Address): ForeignAccount[] {
  return transaction.postTokenBalances
    .filter((row) => row.owner === wallet && !isOwnBalance(transaction, row, wallet))
    .map(({ accountIndex, mint, amount, decimals }) => {
      return { address: transaction.accountKeys[accountIndex]!, mint, amount, decimals };
    });
}

export type Counterparty = { address: Address; isOutgoing: boolean };

/**
 * The other side of what the wallet sent, SOL or tokens, and who gave it an amount of SOL that matters. Tokens that arrive link
 * nobody: a stranger makes as many as he likes, and only their market would say what they are worth.
 */
export function counterpartiesOf(transaction: ChainTransaction, wallet: Address): Counterparty[] {
  const { lamportDeltas, tokenDeltas } = balanceChanges(transaction);
  const own = lamportDeltas.get(wallet) ?? 0n;
  const sentMints = new Set(
    tokenDeltas.filter(({ owner, delta }) => owner === wallet && delta < 0n).map(({ mint }) => mint),
  );
  const receivers = new Set<Address>();
  const givers = new Set<Address>();
  for (const [address, delta] of lamportDeltas) {
    if (own <= -LINK_OUT_MIN_LAMPORTS && delta > 0n) receivers.add(address);
    if (own >= LINK_IN_MIN_LAMPORTS && delta <= -LINK_IN_MIN_LAMPORTS) givers.add(address);
  }
  for (const { owner, mint, delta } of tokenDeltas) if (delta > 0n && sentMints.has(mint)) receivers.add(owner);
  return [
    ...[...receivers].map((address) => ({ address, isOutgoing: true })),
    ...[...givers].map((address) => ({ address, isOutgoing: false })),
  ].filter(({ address }) => address !== wallet);
}

/** Token accounts that the wallet uses, that the transaction touched and that still exist after it. */
export function tokenAccountsOf(transaction: ChainTransaction, wallet: Address): Address[] {
  return transaction.postTokenBalances
    .filter((row) => isOwnBalance(transaction, row, wallet))
    .map((row) => transaction.accountKeys[row.accountIndex]!);
}
