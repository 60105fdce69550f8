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

/**
 * Posts what the chain says moved and returns what is left of the hold. The fee of a failed sale may pass what its book could
 * set aside; the rest of it is paid by `payerId`, the personal book of the same wallet.
 */
export function fillEntry(order: Held, fill: ChainFill, at: Date, payerId: string = order.bookId): JournalEntry {
  const { bookId, mint, holdLamports, holdTokens } = order;
  const buy = order.side === 'buy';
  const helped = payerId === bookId ? 0n : missingFee(order, fill);
  const lamportsOut = (buy ? fill.lamports : -fill.lamports) + fill.feeLamports + fill.rentLamports - helped;
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
      { bookId: payerId, account: 'cash', asset: SOL, amount: -helped },
      { bookId, account: 'rent', asset: SOL, amount: fill.rentLamports },
      { bookId: null, account: 'network-fee', asset: SOL, amount: fill.feeLamports },
      { bookId: null, account: 'venue', asset: SOL, amount: buy ? fill.lamports : -fill.lamports },
      { bookId, account: 'held', asset: mint, amount: -holdTokens },
      { bookId, account: 'cash', asset: mint, amount: holdTokens + tokensIn },
      { bookId: null, account: 'venue', asset: mint, amount: -tokensIn },
    ],
  };
}

/** What a failed transaction cost beyond what its order had set aside. */
export function missingFee(order: Pick<Order, 'holdLamports'>, fill: ChainFill): bigint {
  const missing = fill.failed ? fill.feeLamports - order.holdLamports : 0n;
  return missing > 0n ? missing : 0n;
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
