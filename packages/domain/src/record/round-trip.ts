import type { BaseUnits } from '../numbers/base-units.ts';
import { lamports, type Lamports } from '../numbers/lamports.ts';
import { FLAT, positionAfter, positionAfterSale, splitSale, type Fill, type Position } from './position.ts';
import type { Ratio } from '../market/swap-maths.ts';

/**
 * One row of the trade record: from the first buy out of flat until the bought tokens are gone again. Tokens from outside
 * neither open a round trip nor keep one open.
 */
export type RoundTrip = {
  readonly openedAtMs: number;
  readonly closedAtMs: number | null;
  /** A trip that ended in kind was never sold, so it says nothing about winning. */
  readonly closedBy: 'sold' | 'moved' | null;
  /** Lamports per base unit of the first buy, fee included. */
  readonly openPrice: Ratio;
  /** Lamports per base unit of the last sell, net of its fee; null before the first sell. */
  readonly closePrice: Ratio | null;
  /** All that was ever bought and sold: the same tokens again and again come to more than anybody can hold at once. */
  readonly boughtTokens: bigint;
  readonly boughtLamports: Lamports;
  readonly soldTokens: bigint;
  /** Net of fees, so it may be negative. */
  readonly soldLamports: bigint;
  /** The open part: quantity, its cost, and what this trip has realized. */
  readonly position: Position;
};

/**
 * The trip after a fill, or null where there is none. A closed trip stays as it is until the next buy opens a new one; callers
 * store the closed one before. `uncostedTokens` counts the outside tokens of the book before the fill, so that a sale larger than
 * the trip is shared with them.
 */
export function roundTripAfter(
  trip: RoundTrip | null,
  fill: Fill,
  atMs: number,
  uncostedTokens: BaseUnits,
): RoundTrip | null {
  const open = trip !== null && trip.closedAtMs === null ? trip : null;
  switch (fill.kind) {
    case 'buy':
      return bought(open, fill, lamports(fill.lamports + fill.feeLamports), atMs);
    case 'moved-in':
      return fill.tokens === 0n ? trip : bought(open, fill, fill.costLamports, atMs);
    case 'sell':
      return open === null ? trip : sold(open, fill, atMs, uncostedTokens);
    case 'failed':
      return open === null ? trip : { ...open, position: positionAfter(open.position, fill) };
    case 'sent':
    case 'moved-out':
      return open === null ? trip : movedOut(open, fill, atMs, uncostedTokens);
    case 'received':
      return trip;
    default:
      return fill satisfies never;
  }
}

function bought(
  open: RoundTrip | null,
  { tokens }: { readonly tokens: BaseUnits },
  cost: Lamports,
  atMs: number,
): RoundTrip {
  const own: Fill = { kind: 'buy', tokens, lamports: cost, feeLamports: lamports(0n) };
  if (open === null) {
    return {
      openedAtMs: atMs,
      closedAtMs: null,
      closedBy: null,
      openPrice: { numerator: cost, denominator: tokens },
      closePrice: null,
      boughtTokens: tokens,
      boughtLamports: cost,
      soldTokens: 0n,
      soldLamports: 0n,
      position: positionAfter(FLAT, own),
    };
  }
  return {
    ...open,
    boughtTokens: open.boughtTokens + tokens,
    boughtLamports: lamports(open.boughtLamports + cost),
    position: positionAfter(open.position, own),
  };
}

function sold(
  open: RoundTrip,
  fill: Extract<Fill, { kind: 'sell' }>,
  atMs: number,
  uncostedTokens: BaseUnits,
): RoundTrip {
  const before = { ...open.position, uncostedTokens };
  const sale = splitSale(before, fill);
  const position = withoutOutside(positionAfterSale(before, sale));
  const closed = position.quantity === 0n;
  return {
    ...open,
    closedAtMs: closed ? atMs : null,
    closedBy: closed ? 'sold' : null,
    closePrice: { numerator: sale.proceedsLamports, denominator: sale.tokens },
    soldTokens: open.soldTokens + sale.tokens,
    soldLamports: open.soldLamports + sale.proceedsLamports,
    position,
  };
}

function movedOut(
  open: RoundTrip,
  fill: Extract<Fill, { kind: 'sent' | 'moved-out' }>,
  atMs: number,
  uncostedTokens: BaseUnits,
): RoundTrip {
  const position = withoutOutside(positionAfter({ ...open.position, uncostedTokens }, fill));
  const closed = position.quantity === 0n;
  return { ...open, closedAtMs: closed ? atMs : null, closedBy: closed ? 'moved' : null, position };
}

/** A trip counts the tokens bought in it only; those from outside are the book's. */
function withoutOutside(position: Position): Position {
  return { ...position, uncostedTokens: FLAT.uncostedTokens, outsideProceedsLamports: 0n };
}

/** The row of the trade record (X5), amounts in base units and lamports. */
export type TradeRecordRow = {
  readonly openPrice: Ratio;
  readonly closePrice: Ratio | null;
  readonly pnlLamports: bigint;
  readonly totalBuyTokens: bigint;
  readonly totalBuyLamports: Lamports;
  readonly totalSellTokens: bigint;
  readonly totalSellLamports: bigint;
  readonly balanceTokens: BaseUnits;
  readonly realizedLamports: bigint;
  readonly unrealizedLamports: bigint;
};

/** `liquidationLamports` is what selling the trip's balance now would return; zero for a closed trip. */
export function tradeRecordRow(trip: RoundTrip, liquidationLamports: Lamports): TradeRecordRow {
  const { position } = trip;
  const unrealized = position.quantity === 0n ? 0n : liquidationLamports - position.costLamports;
  return {
    openPrice: trip.openPrice,
    // An open trip has sold at prices, but has not closed at one.
    closePrice: trip.closedAtMs === null ? null : trip.closePrice,
    pnlLamports: position.realizedLamports + unrealized,
    totalBuyTokens: trip.boughtTokens,
    totalBuyLamports: trip.boughtLamports,
    totalSellTokens: trip.soldTokens,
    totalSellLamports: trip.soldLamports,
    balanceTokens: position.quantity,
    realizedLamports: position.realizedLamports,
    unrealizedLamports: unrealized,
  };
}
