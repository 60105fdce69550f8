import { positionAfter, splitSale, FLAT, type Fill, type Position } from './position.ts';
import type { Ratio } from './swap-maths.ts';

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
  readonly boughtTokens: bigint;
  readonly boughtLamports: bigint;
  readonly soldTokens: bigint;
  readonly soldLamports: bigint;
  /** The open part: quantity, its cost, and what this trip has realised. */
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
  uncostedTokens = 0n,
): RoundTrip | null {
  const open = trip !== null && trip.closedAtMs === null ? trip : null;
  switch (fill.kind) {
    case 'buy':
      return bought(open, fill, fill.lamports + fill.feeLamports, atMs);
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

function bought(open: RoundTrip | null, fill: Fill & { tokens: bigint }, lamports: bigint, atMs: number): RoundTrip {
  const own: Fill = { kind: 'buy', tokens: fill.tokens, lamports, feeLamports: 0n };
  if (open === null) {
    return {
      openedAtMs: atMs,
      closedAtMs: null,
      closedBy: null,
      openPrice: { numerator: lamports, denominator: fill.tokens },
      closePrice: null,
      boughtTokens: fill.tokens,
      boughtLamports: lamports,
      soldTokens: 0n,
      soldLamports: 0n,
      position: positionAfter(FLAT, own),
    };
  }
  return {
    ...open,
    boughtTokens: open.boughtTokens + fill.tokens,
    boughtLamports: open.boughtLamports + lamports,
    position: positionAfter(open.position, own),
  };
}

function sold(open: RoundTrip, fill: Extract<Fill, { kind: 'sell' }>, atMs: number, uncostedTokens: bigint): RoundTrip {
  const sale = splitSale({ ...open.position, uncostedTokens }, fill);
  const position = {
    ...open.position,
    quantity: open.position.quantity - sale.tokens,
    costLamports: open.position.costLamports - sale.costLamports,
    realisedLamports: open.position.realisedLamports + sale.proceedsLamports - sale.costLamports,
  };
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
  uncostedTokens: bigint,
): RoundTrip {
  const after = positionAfter({ ...open.position, uncostedTokens }, fill);
  const position = { ...after, uncostedTokens: 0n };
  const closed = position.quantity === 0n;
  return { ...open, closedAtMs: closed ? atMs : null, closedBy: closed ? 'moved' : null, position };
}

/** The row of the trade record (X5), amounts in base units and lamports. */
export type TradeRecordRow = {
  readonly openPrice: Ratio;
  readonly closePrice: Ratio | null;
  readonly pnlLamports: bigint;
  readonly totalBuyTokens: bigint;
  readonly totalBuyLamports: bigint;
  readonly totalSellTokens: bigint;
  readonly totalSellLamports: bigint;
  readonly balanceTokens: bigint;
  readonly realisedLamports: bigint;
  readonly unrealisedLamports: bigint;
};

/** `liquidationLamports` is what selling the trip's balance now would return; zero for a closed trip. */
export function tradeRecordRow(trip: RoundTrip, liquidationLamports: bigint): TradeRecordRow {
  const { position } = trip;
  const unrealised = position.quantity === 0n ? 0n : liquidationLamports - position.costLamports;
  return {
    openPrice: trip.openPrice,
    // An open trip has sold at prices, but has not closed at one.
    closePrice: trip.closedAtMs === null ? null : trip.closePrice,
    pnlLamports: position.realisedLamports + unrealised,
    totalBuyTokens: trip.boughtTokens,
    totalBuyLamports: trip.boughtLamports,
    totalSellTokens: trip.soldTokens,
    totalSellLamports: trip.soldLamports,
    balanceTokens: position.quantity,
    realisedLamports: position.realisedLamports,
    unrealisedLamports: unrealised,
  };
}
