import type { Address } from '@hunter/solana/address';
import { AppError } from '@hunter/contract/app-error';
import { baseUnits } from '@hunter/domain/numbers/base-units';
import { lamports, type Lamports } from '@hunter/domain/numbers/lamports';
import { mulDiv } from '@hunter/domain/numbers/rounding';
import { leastUnitsOut, unitsIn, type Ratio, type Side } from '@hunter/domain/market/swap-maths';
import { postRoundHold } from '../../ledger/round-entries.ts';
import { loadWallet } from '../../ledger/wallets.ts';
import { violates, type Sql } from '../../platform/postgres.ts';
import { NOT_EXECUTED, type HeldOrder, type HeldPart, type Order, type OrderKind } from '../order.ts';
import { rentCeiling } from '../order-limits.ts';
import { insertOrders } from '../place-orders.ts';
import { hasShortfall } from '../reconciliation-alarms.ts';
import { hasTokenAccount } from '../token-accounts.ts';
import { insertAllocations } from './allocation-store.ts';
import { holdOf, type NewPart } from './round.ts';

export type NewRound = {
  id: string;
  walletId: string;
  /** The creator and his book: the strategy's own. */
  userId: string;
  bookId: string;
  kind: OrderKind;
  side: Side;
  mint: Address;
  slippageBps: number;
  /** Those who take part and those who do not, with their reasons. Without a part of the own book, its parts share the costs. */
  parts: readonly NewPart[];
  /** Whether the wallet can hold the coin already, where the caller has asked that in the same transaction. */
  hasAccount?: boolean;
  /** The least that one unit of what goes in may bring, where that is not left to the quote and the slippage. */
  leastPrice?: Ratio;
};

/**
 * Writes a round with its allocations and sets aside what each part puts in, in the caller's transaction: they exist together or not
 * at all. Throws INSUFFICIENT_BALANCE where a part cannot pay, and UNAVAILABLE while something is missing in the wallet: until it is
 * settled whose loss that is, nobody trades in it.
 */
export async function insertRound(
  sql: Sql,
  round: NewRound,
  { feeReserveLamports, tokenProgram, now }: { feeReserveLamports: Lamports; tokenProgram: Address; now: Date },
): Promise<HeldOrder> {
  const { id, walletId, userId, bookId, kind, side, mint, slippageBps, leastPrice } = round;
  const [isShort, hasAccount] = await Promise.all([
    hasShortfall(sql, walletId),
    side === 'sell' || (round.hasAccount ?? hasTokenAccount(sql, walletId, mint)),
  ]);
  if (isShort) throw new AppError('UNAVAILABLE');
  const own = round.parts.find((part) => part.bookId === bookId);
  const totalIn = unitsIn(side, sumOf(round.parts, 'amountIn'));
  const costs = { feeReserveLamports, rentLamports: hasAccount ? lamports(0n) : rentCeiling(tokenProgram) };
  const parts = round.parts.map((part) => {
    const takesPart = part.amountIn > 0n;
    const hold = takesPart
      ? holdOf(part, { side, isCreators: own !== undefined, totalIn, ...costs })
      : { holdLamports: 0n, holdTokens: 0n };
    return { ...part, ...hold };
  });
  const order: Order = {
    id,
    userId,
    bookId,
    walletId,
    bookKind: 'strategy',
    kind,
    side,
    mint,
    amountIn: own?.amountIn ?? totalIn,
    swapIn: totalIn,
    isRound: true,
    slippageBps,
    state: 'held',
    holdLamports: lamports(sumOf(parts, 'holdLamports')),
    holdTokens: baseUnits(sumOf(parts, 'holdTokens')),
    minOut: leastPrice
      ? leastUnitsOut(side, mulDiv(totalIn, leastPrice.numerator, leastPrice.denominator, 'ceil'))
      : null,
    createdAt: now,
    ...NOT_EXECUTED,
  };
  // One after the other for the database, without waiting for its answers in between.
  const [wallet] = await Promise.all([
    loadWallet(sql, walletId),
    insertOrders(sql, [order]),
    insertAllocations(sql, id, parts, now),
    setAside(sql, id, now),
  ]);
  const leaves = parts.map(({ followId, bookId: own, amountIn, reason }) => {
    return { leafId: followId ?? own, amountIn, reason: amountIn === 0n ? reason : null };
  });
  const taking = parts.filter(({ amountIn }) => amountIn > 0n).map(heldPart);
  return {
    order,
    wallet: { walletId, address: wallet.address, sealedKey: wallet.sealedKey },
    round: { leaves, parts: taking.toSorted(byBook) },
  };
}

function sumOf<Amount extends string>(parts: readonly Record<Amount, bigint>[], amount: Amount): bigint {
  return parts.reduce((sum, part) => sum + part[amount], 0n);
}

/** As they are read from the database. */
function heldPart({ bookId, userId, amountIn, holdLamports, holdTokens }: HeldPart): HeldPart {
  return { bookId, userId, amountIn, holdLamports, holdTokens };
}

function byBook(left: HeldPart, right: HeldPart): number {
  return left.bookId < right.bookId ? -1 : 1;
}

async function setAside(sql: Sql, orderId: string, at: Date): Promise<void> {
  try {
    await postRoundHold(sql, { orderId, at });
  } catch (error) {
    if (violates(error, 'balance_not_negative'))
      throw new AppError('INSUFFICIENT_BALANCE', undefined, { cause: error });
    throw error;
  }
}
