import { baseUnits } from '@hunter/domain/numbers/base-units';
import { lamports, type Lamports } from '@hunter/domain/numbers/lamports';
import type { Fill } from '@hunter/domain/record/position';
import type { Side } from '@hunter/domain/market/swap-maths';
import type { Address } from '@hunter/solana/address';
import { lamportDelta, tokenDelta, type BalanceChanges } from '@hunter/solana/balance-changes';

/** What one transaction of an order did to the wallet, by the chain's own balances. */
export type ChainFill = {
  signature: string;
  slot: bigint;
  failed: boolean;
  /** Tokens that came in (buy) or left (sell). */
  tokens: bigint;
  /** Lamports of the swap itself: paid (buy) or received (sell). Negative only where a venue did something odd. */
  lamports: bigint;
  feeLamports: Lamports;
  /** Deposit that went into a new token account; negative where the venue closed one. */
  rentLamports: bigint;
  /** The wallet's token account, where this transaction made it. */
  createdAccount: string | null;
};

export function chainFill(changes: BalanceChanges, wallet: string, mint: string, side: Side): ChainFill {
  const owner = wallet as Address;
  const base = { signature: changes.signature, slot: changes.slot, feeLamports: changes.fee };
  if (changes.failed)
    return { ...base, failed: true, tokens: 0n, lamports: 0n, rentLamports: 0n, createdAccount: null };
  const created = changes.tokenAccountsCreated.filter((account) => account.owner === owner && account.mint === mint);
  const closed = changes.tokenAccountsClosed.filter((account) => account.owner === owner && account.mint === mint);
  const rentLamports = sum(created) - sum(closed);
  // The wallet's own lamports moved by the swap, the fee and the rent together.
  const swap = lamportDelta(changes, owner) + changes.fee + rentLamports;
  const tokens = tokenDelta(changes, owner, mint as Address);
  return {
    ...base,
    failed: false,
    tokens: side === 'buy' ? tokens : -tokens,
    lamports: side === 'buy' ? -swap : swap,
    rentLamports,
    createdAccount: created[0]?.account ?? null,
  };
}

/** What a book's share of it means for its position. */
export function domainFill(
  side: Side,
  failed: boolean,
  share: { amountIn: bigint; amountOut: bigint; feeLamports: bigint },
): Fill {
  const feeLamports = lamports(share.feeLamports);
  if (failed) return { kind: 'failed', feeLamports };
  const [sol, tokens] = side === 'buy' ? [share.amountIn, share.amountOut] : [share.amountOut, share.amountIn];
  // A part so small that no whole token falls on it has paid and traded nothing: all of it is a cost.
  if (tokens === 0n) return { kind: 'failed', feeLamports: side === 'buy' ? lamports(sol + feeLamports) : feeLamports };
  return { kind: side, tokens: baseUnits(tokens), lamports: lamports(sol), feeLamports };
}

function sum(accounts: readonly { rentLamports: bigint }[]): bigint {
  return accounts.reduce((total, account) => total + account.rentLamports, 0n);
}
