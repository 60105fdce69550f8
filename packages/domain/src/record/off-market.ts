import { CREATOR_APART_MS } from '../copying/conflict-of-interest.ts';
import type { BaseUnits } from '../numbers/base-units.ts';
import type { Lamports } from '../numbers/lamports.ts';
import { larger, smaller } from '../numbers/rounding.ts';
import { worthAt, type Ratio, type Side } from '../market/swap-maths.ts';

/** Why a trip cannot count as won: its price may have been made for it. Each is shown, so each says one thing. */
export const OFF_MARKET_REASONS = ['not-copyable', 'no-reference-price', 'off-price', 'own-trade'] as const;

export type OffMarketReason = (typeof OFF_MARKET_REASONS)[number];

/** How far from the reference price a fill may lie. */
const BAND_PERCENT = 3n;

export type JudgedFill = {
  readonly side: Side;
  readonly tokens: BaseUnits;
  readonly lamports: Lamports;
  readonly atMs: number;
  /** When another book that the creator steers traded the coin, nearest to the fill; null where none did. */
  readonly ownTradeAtMs: number | null;
  readonly reference: Ratio | null;
  /** Whether followers might buy the coin along with him. A record in coins that nobody can copy is worth nothing to them. */
  readonly isCopyable: boolean;
};

/** Null where the fill was made at the market's price, in a coin that others could buy too. */
export function offMarketReason(fill: JudgedFill): OffMarketReason | null {
  if (fill.reference === null) return 'no-reference-price';
  if (fill.side === 'buy' && !fill.isCopyable) return 'not-copyable';
  if (!isNear(fill, fill.reference)) return 'off-price';
  if (fill.ownTradeAtMs !== null && Math.abs(fill.ownTradeAtMs - fill.atMs) <= CREATOR_APART_MS) return 'own-trade';
  return null;
}

function isNear({ tokens, lamports }: JudgedFill, reference: Ratio): boolean {
  const paid = 100n * lamports * reference.denominator;
  const worth = tokens * reference.numerator;
  return paid >= worth * (100n - BAND_PERCENT) && paid <= worth * (100n + BAND_PERCENT);
}

/** What the same tokens cost or brought at the worse of the fill's own price and what others paid around it. */
export function worseLamports(side: Side, tokens: BaseUnits, own: Lamports, priceAround: Ratio | null): Lamports {
  if (priceAround === null) return own;
  return side === 'buy'
    ? larger(own, worthAt(tokens, priceAround, 'ceil'))
    : smaller(own, worthAt(tokens, priceAround));
}
