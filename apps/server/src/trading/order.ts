import type { CopySkipReason } from '@hunter/domain/copying/copy-skip';
import type { ErrorName } from '@hunter/contract/error-catalogue';
import type { AmountIn, AmountOut, Side } from '@hunter/domain/market/swap-maths';
import { baseUnits, type BaseUnits } from '@hunter/domain/numbers/base-units';
import type { Lamports } from '@hunter/domain/numbers/lamports';
import type { Address } from '@hunter/solana/address';
import type { BookKind } from '../ledger/books.ts';
import type { Sql } from '../platform/postgres.ts';

/** `copy` and `open-follow` are of versions before rounds were one order. */
export type OrderKind = 'trade' | 'close' | 'open-strategy' | 'rebalance' | 'join' | 'exit' | 'copy' | 'open-follow';

/** What a caller wants. Choosing the id makes it idempotent: the same id again gives the first order. */
export type NewOrder = {
  id?: string;
  userId: string;
  bookId: string;
  side: Side;
  mint: Address;
  /** Lamports to spend for a buy, token base units for a sell. */
  amountIn: AmountIn;
  slippageBps: number;
  kind: OrderKind;
  /** Shrinks the amount to what the book can bear instead of refusing it. With SELL_ALL it sells everything free. */
  fit?: boolean;
  /** The least it may bring, where that is not left to the first quote and the slippage alone. */
  minOut?: AmountOut;
  /** Asked first in the transaction that places the order; what it throws refuses the order. */
  first?: (sql: Sql) => Promise<void>;
  /** Written in that transaction, so that neither is there without the other. */
  alongside?: (sql: Sql, order: Order) => Promise<void>;
};

export const SELL_ALL = baseUnits(2n ** 64n - 1n);

/** How they follow each other is drawn in `migrations/0005-trading.sql`; what changes a state names the one it expects. */
export type OrderState = 'held' | 'sent' | 'confirmed' | 'finalized' | 'failed' | 'dead';

/** The states of an order that may still trade, for the SQL of other areas: `state in ${OPEN_ORDER_STATES}`. */
export const OPEN_ORDER_STATES = `('held', 'sent')`;

/** The end as far as a caller is concerned: money has moved or it never will. */
export function isSettled(state: OrderState): boolean {
  return state !== 'held' && state !== 'sent';
}

/** The chain says that it traded. */
export function hasTraded({ state }: Pick<Order, 'state'>): boolean {
  return state === 'confirmed' || state === 'finalized';
}

/** Three attempts missed the followers' limit price: the creator's own part may go on as another order, see `aloneOrderId`. */
export function mayGoOnAlone({ state, error, side, swapIn, amountIn }: Order): boolean {
  return state === 'dead' && error === 'PRICE_MOVED' && side === 'buy' && swapIn > amountIn;
}

/** It stands under the strategy, whose creator has no part in it. */
export function isSaleOfFollows({ kind, isRound }: Pick<Order, 'kind' | 'isRound'>): boolean {
  return kind === 'exit' && isRound;
}

export type Order = {
  id: string;
  userId: string;
  bookId: string;
  walletId: string;
  bookKind: BookKind;
  kind: OrderKind;
  side: Side;
  mint: Address;
  /** Of the one who asked; of all where several join or leave. */
  amountIn: AmountIn;
  /** What goes into the swap: the parts of all books together. */
  swapIn: AmountIn;
  /** Its fill is shared out among the books of its allocations. */
  isRound: boolean;
  slippageBps: number;
  state: OrderState;
  holdLamports: Lamports;
  holdTokens: BaseUnits;
  minOut: AmountOut | null;
  attempts: number;
  error: ErrorName | null;
  signature: string | null;
  slot: bigint | null;
  filledIn: AmountIn | null;
  filledOut: AmountOut | null;
  feeLamports: Lamports | null;
  venueFeeLamports: Lamports | null;
  /** Negative where the venue closed the token account. */
  rentLamports: bigint | null;
  createdAt: Date;
  settledAt: Date | null;
  /** Users whose books took part, once it is settled. */
  participants?: string[];
};

/** What an order that has just been placed says of its execution. */
export const NOT_EXECUTED = {
  attempts: 0,
  error: null,
  signature: null,
  slot: null,
  filledIn: null,
  filledOut: null,
  feeLamports: null,
  venueFeeLamports: null,
  rentLamports: null,
  settledAt: null,
} as const satisfies Partial<Order>;

/** Who signs: the wallet of the order's book with its sealed key. */
export type OrderWallet = { walletId: string; address: Address; sealedKey: string };

/** What a round's memo says of one of its parts: the follow's id, for the creator's own the id of his book. */
export type RoundLeaf = { leafId: string; amountIn: bigint; reason: CopySkipReason | null };

/**
 * A book's part of an order, with what was set aside for it. An order of one book has one; a round has thousands, so that its amounts are
 * plain: their sums, which are the order's, go through the doors.
 */
export type HeldPart = { bookId: string; userId: string; amountIn: bigint; holdLamports: bigint; holdTokens: bigint };

/** What is fixed once a round is placed. `parts` are those that put something in, in the order of their books. */
export type PlacedRound = { readonly leaves: readonly RoundLeaf[]; readonly parts: readonly HeldPart[] };

/** `round` where this very process has placed it; otherwise the database has it. */
export type HeldOrder = { order: Order; wallet: OrderWallet; round?: PlacedRound };
