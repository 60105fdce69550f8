import type { Allocation } from '@hunter/domain/copying/allocation';
import { lamports, type Lamports } from '@hunter/domain/numbers/lamports';
import { larger, smaller } from '@hunter/domain/numbers/rounding';
import { SOL, type JournalEntry, type Posting } from '../ledger/journal.ts';
import type { ChainFill } from './chain-fill.ts';
import type { HeldPart, Order } from './order.ts';

// The journal entries of an order's life, as pure functions: hold, then exactly one of fill, failure or release. Each has the lines
// of all books that take part.

type Identity = Pick<Order, 'id' | 'bookId' | 'mint' | 'side'>;

export function holdEntry(order: Identity, parts: readonly HeldPart[], at: Date): JournalEntry {
  const postings = parts.flatMap((part) => moves(order, part, 'cash', 'held'));
  return { kind: 'order-hold', reference: order.id, at, postings };
}

export function releaseEntry(order: Identity, parts: readonly HeldPart[], at: Date): JournalEntry {
  const postings = parts.flatMap((part) => moves(order, part, 'held', 'cash'));
  return { kind: 'order-release', reference: order.id, at, postings };
}

/**
 * Posts what the chain says moved, shared out, and returns what is left of the holds. The order's own book has the deposit of a new
 * token account and the part of the fee that nobody else bears. `cover` is what other books of the wallet pay of it.
 */
export function fillEntry(
  order: Identity,
  parts: readonly { part: HeldPart; share: Allocation }[],
  fill: ChainFill,
  at: Date,
  cover: ReadonlyMap<string, Lamports> = new Map(),
): JournalEntry {
  const { mint, bookId: ownBookId } = order;
  const buy = order.side === 'buy';
  const covered = sum([...cover.values()]);
  const unborne = fill.feeLamports - sum(parts.map(({ share }) => share.feeLamports));
  return {
    kind: fill.failed ? 'order-failed' : 'order-fill',
    reference: order.id,
    signature: fill.signature,
    slot: fill.slot,
    at,
    postings: [
      ...parts.flatMap(({ part: { bookId, holdLamports, holdTokens }, share }): Posting[] => {
        const tokensIn = buy ? share.amountOut : -share.amountIn;
        const lamportsOut = (buy ? share.amountIn : -share.amountOut) + share.feeLamports;
        return [
          { bookId, account: 'held', asset: SOL, amount: -holdLamports },
          { bookId, account: 'cash', asset: SOL, amount: holdLamports - lamportsOut },
          { bookId, account: 'held', asset: mint, amount: -holdTokens },
          { bookId, account: 'cash', asset: mint, amount: holdTokens + tokensIn },
        ];
      }),
      { bookId: ownBookId, account: 'cash', asset: SOL, amount: covered - unborne - fill.rentLamports },
      { bookId: ownBookId, account: 'rent', asset: SOL, amount: fill.rentLamports },
      ...[...cover].map(([bookId, amount]): Posting => ({ bookId, account: 'cash', asset: SOL, amount: -amount })),
      { bookId: null, account: 'network-fee', asset: SOL, amount: fill.feeLamports },
      { bookId: null, account: 'venue', asset: SOL, amount: buy ? fill.lamports : -fill.lamports },
      { bookId: null, account: 'venue', asset: mint, amount: buy ? -fill.tokens : fill.tokens },
    ],
  };
}

/**
 * The lines of a round's fill beside its allocations, with what those are together; the deposit of a new token account is the order's
 * own book's.
 */
export function controlLines({ mint, side, bookId }: Identity, fill: ChainFill): Posting[] {
  const buy = side === 'buy';
  const [sol, tokens] = buy ? [fill.lamports, -fill.tokens] : [-fill.lamports, fill.tokens];
  return [
    { bookId, account: 'cash', asset: SOL, amount: -fill.rentLamports },
    { bookId, account: 'rent', asset: SOL, amount: fill.rentLamports },
    { bookId: null, account: 'network-fee', asset: SOL, amount: fill.feeLamports },
    { bookId: null, account: 'venue', asset: SOL, amount: sol },
    { bookId: null, account: 'venue', asset: mint, amount: tokens },
    { bookId: null, account: 'allocations', asset: SOL, amount: -sol - fill.feeLamports },
    { bookId: null, account: 'allocations', asset: mint, amount: -tokens },
  ];
}

type Taker = Pick<Order, 'bookId' | 'side' | 'holdLamports'>;

function lamportsTaken({ side }: Taker, fill: ChainFill): bigint {
  return (side === 'buy' ? fill.lamports : -fill.lamports) + fill.feeLamports + fill.rentLamports;
}

/**
 * What a transaction took from the wallet beyond what its order had set aside: the fee of a failed sale whose book had no SOL,
 * or the deposit of a token account that was there when the order was placed and was closed from outside since.
 */
export function missingLamports(order: Taker, fill: ChainFill): Lamports {
  return lamports(larger(0n, lamportsTaken(order, fill) - order.holdLamports));
}

/** Free SOL of one of the wallet's books. */
export type CashBalance = { bookId: string; cashLamports: Lamports };

/**
 * The wallet has paid, so what the order's own book lacks is paid by the others, in the given order. What is paid leaves the
 * balances, so that the next order of the same wallet does not count on it again.
 */
export function coverShortfall(order: Taker, fill: ChainFill, balances: readonly CashBalance[]): Map<string, Lamports> {
  let missing = missingLamports(order, fill);
  const cover = new Map<string, Lamports>();
  const isOwn = ({ bookId }: CashBalance) => bookId === order.bookId;
  for (const balance of [...balances.filter(isOwn), ...balances.filter((each) => !isOwn(each))]) {
    const amount = smaller(balance.cashLamports, missing);
    if (amount === 0n) continue;
    balance.cashLamports = lamports(balance.cashLamports - amount);
    missing = lamports(missing - amount);
    if (!isOwn(balance)) cover.set(balance.bookId, amount);
  }
  return cover;
}

function moves(order: Identity, part: HeldPart, from: 'cash' | 'held', to: 'cash' | 'held'): Posting[] {
  const { bookId, holdLamports, holdTokens } = part;
  return [
    { bookId, account: from, asset: SOL, amount: -holdLamports },
    { bookId, account: to, asset: SOL, amount: holdLamports },
    { bookId, account: from, asset: order.mint, amount: -holdTokens },
    { bookId, account: to, asset: order.mint, amount: holdTokens },
  ];
}

function sum(values: readonly bigint[]): bigint {
  return values.reduce((total, value) => total + value, 0n);
}
