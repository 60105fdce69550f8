import type { Allocation } from '@hunter/domain/copying/allocation';
import { baseUnits, type BaseUnits } from '@hunter/domain/numbers/base-units';
import { lamports, type Lamports } from '@hunter/domain/numbers/lamports';
import { larger } from '@hunter/domain/numbers/rounding';
import type { Fill } from '@hunter/domain/record/position';
import { solAndTokens, type Side } from '@hunter/domain/market/swap-maths';
import type { Address } from '@hunter/solana/address';
import { lamportDelta, tokenDelta, type BalanceChanges } from '@hunter/solana/balance-changes';

/** What one transaction of an order did to the wallet, by the chain's own balances. */
export type ChainFill = {
  signature: string;
  slot: bigint;
  failed: boolean;
  /** Tokens that came in (buy) or left (sell). */
  tokens: BaseUnits;
  /** Lamports of the swap itself: paid (buy) or received (sell). */
  lamports: Lamports;
  /**
   * The network's, and what a sale took from the wallet where that is more than it brought. A purchase that gave SOL pays so much less of it;
   * what it gave beyond is a difference to the chain, for operators.
   */
  feeLamports: Lamports;
  /** Deposit that went into a new token account; negative where the venue closed one. */
  rentLamports: bigint;
  /** The wallet's token account, where this transaction made it. */
  createdAccount: Address | null;
};

const NOTHING_MOVED = { tokens: baseUnits(0n), lamports: lamports(0n) };

export function chainFill(changes: BalanceChanges, owner: Address, mint: Address, side: Side): ChainFill {
  const { signature, slot, failed, fee } = changes;
  const base = { signature, slot, failed };
  if (failed) return { ...base, ...NOTHING_MOVED, feeLamports: fee, rentLamports: 0n, createdAccount: null };
  const created = changes.tokenAccountsCreated.filter((account) => account.owner === owner && account.mint === mint);
  const closed = changes.tokenAccountsClosed.filter((account) => account.owner === owner && account.mint === mint);
  const rentLamports = sum(created) - sum(closed);
  // The wallet's own lamports moved by the swap, the fee and the rent together.
  const swap = lamportDelta(changes, owner) + fee + rentLamports;
  const moved = side === 'buy' ? -swap : swap;
  const tokens = tokenDelta(changes, owner, mint);
  return {
    ...base,
    tokens: baseUnits(side === 'buy' ? tokens : -tokens),
    lamports: lamports(larger(0n, moved)),
    feeLamports: moved < 0n ? lamports(larger(0n, fee - swap)) : fee,
    rentLamports,
    createdAccount: created[0]?.account ?? null,
  };
}

/** What a book's share of it means for its position. */
export function domainFill(side: Side, failed: boolean, { amountIn, amountOut, feeLamports }: Allocation): Fill {
  if (failed) return { kind: 'failed', feeLamports };
  const [sol, tokens] = solAndTokens(side, amountIn, amountOut);
  // A part so small that no whole token falls on it has paid and traded nothing: all of it is a cost.
  if (tokens === 0n) return { kind: 'failed', feeLamports: side === 'buy' ? lamports(sol + feeLamports) : feeLamports };
  return { kind: side, tokens, lamports: sol, feeLamports };
}

function sum(accounts: readonly { rentLamports: bigint }[]): bigint {
  return accounts.reduce((total, account) => total + account.rentLamports, 0n);
}
