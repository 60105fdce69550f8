import { SOL, type JournalEntry, type Posting } from '../ledger/journal.ts';
import type { ChainFill } from './chain-fill.ts';
import type { Order } from './order.ts';

// The journal entries of an order's life, as pure functions: hold, then exactly one of fill, failure or release.

type Held = Pick<Order, 'id' | 'bookId' | 'mint' | 'side' | 'holdLamports' | 'holdTokens'>;

export function holdEntry(order: Held, at: Date): JournalEntry {
  return { kind: 'order-hold', reference: order.id, at, postings: moves(order, 'cash', 'held') };
}

export function releaseEntry(order: Held, at: Date): JournalEntry {
  return { kind: 'order-release', reference: order.id, at, postings: moves(order, 'held', 'cash') };
}

/** Posts what the chain says moved and returns what is left of the hold. `cover` is what other books pay of it. */
export function fillEntry(
  order: Held,
  fill: ChainFill,
  at: Date,
  cover: ReadonlyMap<string, bigint> = new Map(),
): JournalEntry {
  const { bookId, mint, holdLamports, holdTokens } = order;
  const buy = order.side === 'buy';
  const covered = [...cover.values()].reduce((sum, amount) => sum + amount, 0n);
  const lamportsOut = lamportsTaken(order, fill) - covered;
  const tokensIn = buy ? fill.tokens : -fill.tokens;
  return {
    kind: fill.failed ? 'order-failed' : 'order-fill',
    reference: order.id,
    signature: fill.signature,
    slot: fill.slot,
    at,
    postings: [
      { bookId, account: 'held', asset: SOL, amount: -holdLamports },
      { bookId, account: 'cash', asset: SOL, amount: holdLamports - lamportsOut },
      ...[...cover].map(([coveringBookId, amount]): Posting => ({
        bookId: coveringBookId,
        account: 'cash',
        asset: SOL,
        amount: -amount,
      })),
      { bookId, account: 'rent', asset: SOL, amount: fill.rentLamports },
      { bookId: null, account: 'network-fee', asset: SOL, amount: fill.feeLamports },
      { bookId: null, account: 'venue', asset: SOL, amount: buy ? fill.lamports : -fill.lamports },
      { bookId, account: 'held', asset: mint, amount: -holdTokens },
      { bookId, account: 'cash', asset: mint, amount: holdTokens + tokensIn },
      { bookId: null, account: 'venue', asset: mint, amount: -tokensIn },
    ],
  };
}

type Taker = Pick<Order, 'bookId' | 'side' | 'holdLamports'>;

function lamportsTaken({ side }: Taker, fill: ChainFill): bigint {
  return (side === 'buy' ? fill.lamports : -fill.lamports) + fill.feeLamports + fill.rentLamports;
}

/**
 * What a transaction took from the wallet beyond what its order had set aside: the fee of a failed sale whose book had no SOL,
 * or the deposit of a token account that was there when the order was placed and was closed from outside since.
 */
export function missingLamports(order: Taker, fill: ChainFill): bigint {
  const missing = lamportsTaken(order, fill) - order.holdLamports;
  return missing > 0n ? missing : 0n;
}

/** Free SOL of one of the wallet's books. */
export type CashBalance = { bookId: string; cashLamports: bigint };

/**
 * The wallet has paid, so what the order's own book lacks is paid by the others, in the given order. What is paid leaves the
 * balances, so that the next order of the same wallet does not count on it again.
 */
export function coverShortfall(order: Taker, fill: ChainFill, balances: readonly CashBalance[]): Map<string, bigint> {
  let missing = missingLamports(order, fill);
  const cover = new Map<string, bigint>();
  const isOwn = ({ bookId }: CashBalance) => bookId === order.bookId;
  for (const balance of [...balances.filter(isOwn), ...balances.filter((each) => !isOwn(each))]) {
    const amount = balance.cashLamports < missing ? balance.cashLamports : missing;
    if (amount <= 0n) continue;
    balance.cashLamports -= amount;
    missing -= amount;
    if (!isOwn(balance)) cover.set(balance.bookId, amount);
  }
  return cover;
}

function moves(order: Held, from: 'cash' | 'held', to: 'cash' | 'held'): Posting[] {
  const { bookId, mint, holdLamports, holdTokens } = order;
  return [
    { bookId, account: from, asset: SOL, amount: -holdLamports },
    { bookId, account: to, asset: SOL, amount: holdLamports },
    { bookId, account: from, asset: mint, amount: -holdTokens },
    { bookId, account: to, asset: mint, amount: holdTokens },
  ];
}
