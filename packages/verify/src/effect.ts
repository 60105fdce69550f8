import type { Transaction } from './chain.ts';
import { BASE58_LENGTH_MAX, base58Bytes } from './bytes.ts';

/** What one transaction did to a wallet, read from balances before and after and nothing else. */
export type Effect = {
  failed: boolean;
  feeLamports: bigint;
  /** SOL that went to the other side of a swap (below zero) or came from it, fee and deposits taken out. */
  swapLamports: bigint;
  /** Deposits locked in token accounts of the wallet (above zero) or returned from them. */
  depositLamports: bigint;
  tokens: Map<string, { change: bigint; decimals: number }>;
};

const MEMO_PROGRAM = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr';

function keysOf({ transaction, meta }: Transaction): string[] {
  return [
    ...transaction.message.accountKeys,
    ...(meta.loadedAddresses?.writable ?? []),
    ...(meta.loadedAddresses?.readonly ?? []),
  ];
}

/** Null where the wallet has no part in it. */
export function effectOn(wallet: string, transaction: Transaction): Effect | null {
  const { meta } = transaction;
  const keys = keysOf(transaction);
  const own = keys.indexOf(wallet);
  if (own < 0) return null;
  const change = (index: number): bigint => BigInt(meta.postBalances[index]!) - BigInt(meta.preBalances[index]!);
  const feeLamports = own === 0 ? BigInt(meta.fee) : 0n;
  const tokens: Effect['tokens'] = new Map();
  const accounts = new Set<number>();
  const add = (balances: Transaction['meta']['preTokenBalances'], sign: bigint): void => {
    for (const { accountIndex, mint, owner, uiTokenAmount } of balances) {
      if (owner !== wallet) continue;
      accounts.add(accountIndex);
      const before = tokens.get(mint)?.change ?? 0n;
      tokens.set(mint, {
        change: before + sign * BigInt(uiTokenAmount.amount),
        decimals: uiTokenAmount.decimals,
      });
    }
  };
  add(meta.postTokenBalances, 1n);
  add(meta.preTokenBalances, -1n);
  const depositLamports = [...accounts].reduce((sum, index) => sum + change(index), 0n);
  return {
    failed: meta.err !== null,
    feeLamports,
    swapLamports: change(own) + feeLamports + depositLamports,
    depositLamports,
    tokens,
  };
}

/** What the wallet has after the transaction: its SOL, and of each token that the transaction names. */
export function balancesAfter(
  wallet: string,
  transaction: Transaction,
): { lamports: bigint; tokens: ReadonlyMap<string, bigint> } {
  const { postBalances, postTokenBalances } = transaction.meta;
  const tokens = new Map<string, bigint>();
  for (const { mint, owner, uiTokenAmount } of postTokenBalances) {
    if (owner === wallet) tokens.set(mint, (tokens.get(mint) ?? 0n) + BigInt(uiTokenAmount.amount));
  }
  return { lamports: BigInt(postBalances[keysOf(transaction).indexOf(wallet)]!), tokens };
}

/** Whether SOL was exchanged for a token or a token for SOL: in a transfer both leave, or one of them alone. */
export function isSwap({ tokens, swapLamports }: Effect): boolean {
  return [...tokens.values()].some(({ change }) => change * swapLamports < 0n);
}

export function isSignedBy(wallet: string, { transaction: { message } }: Transaction): boolean {
  return message.accountKeys.slice(0, message.header.numRequiredSignatures).includes(wallet);
}

/** The texts that the transaction's memo instructions carry, in their order; longer ones than any of ours are left out. */
export function memosOf(transaction: Transaction): string[] {
  const keys = keysOf(transaction);
  return transaction.transaction.message.instructions
    .filter(({ programIdIndex, data }) => keys[programIdIndex] === MEMO_PROGRAM && data.length <= BASE58_LENGTH_MAX)
    .map(({ data }) => new TextDecoder().decode(base58Bytes(data)));
}
