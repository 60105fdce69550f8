import { compareDecimals, parseDecimal, printDecimal } from '@hunter/domain/numbers/decimal';

const SOL_DECIMALS = 9;

/**
 * What "Max" leaves in a book, in lamports: room for fees, for the deposit of a new token account and, in the personal
 * book, for the rent that keeps the wallet alive. A little more than is needed, so that Max is never refused.
 */
const KEPT_LAMPORTS = {
  personal: 5_000_000n,
  strategy: 4_000_000n,
  follow: 4_000_000n,
  'wallet-follow': 4_000_000n,
} as const;

export const sellPercents = [25, 50, 75, 100] as const;

export function largestBuy(availableSol: string, kind: keyof typeof KEPT_LAMPORTS): string {
  const free = parseDecimal(availableSol, SOL_DECIMALS) - KEPT_LAMPORTS[kind];
  return trimmed(printDecimal(free > 0n ? free : 0n, SOL_DECIMALS));
}

/** A share of a holding, rounded down; all of it is all of it, to the last unit. */
export function shareOf(amount: string, percent: number, decimals: number): string {
  const raw = parseDecimal(amount, decimals);
  return trimmed(printDecimal((raw * BigInt(percent)) / 100n, decimals));
}

/** Something that can be sent: decimal text above zero. */
export function isAmount(text: string): boolean {
  return /^\d+(\.\d+)?$/.test(text) && /[1-9]/.test(text);
}

/** "0.5" may still be typed as "0.50" or end in a point. */
export function cleanAmount(text: string): string {
  return trimmed(text.replace(/\.$/, ''));
}

type Obstacle = 'no-amount' | 'nothing-to-sell' | 'insufficient' | null;

/** Why an order cannot even be sent; null when the server may decide. */
export function obstacle(
  side: 'buy' | 'sell',
  amount: string,
  book: { availableSol: string; amount: string },
): Obstacle {
  if (side === 'sell' && !isAmount(cleanAmount(book.amount))) return 'nothing-to-sell';
  if (!isAmount(amount)) return 'no-amount';
  return compareDecimals(amount, side === 'buy' ? book.availableSol : book.amount) > 0 ? 'insufficient' : null;
}

function trimmed(text: string): string {
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}
