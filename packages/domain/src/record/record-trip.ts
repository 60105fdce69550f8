import { baseUnits, type BaseUnits } from '../numbers/base-units.ts';
import type { BasisPoints } from '../numbers/basis-points.ts';
import { lamports, type Lamports } from '../numbers/lamports.ts';
import type { OffMarketReason } from './off-market.ts';
import { divFloor, larger, smaller } from '../numbers/rounding.ts';

// A creator's round trip as his ranking sees it. Every fill enters at the worse of its own price and what others paid around it, and
// what cannot be trusted works against him: see the paragraph "A record that costs more to forge than it brings".

/** From the first buy out of flat until the bought tokens are gone. */
export type RecordTrip = {
  readonly openedAtMs: number;
  readonly closedAtMs: number | null;
  readonly openingLamports: Lamports;
  /** The creator's equity before the first buy. */
  readonly openingEquityLamports: Lamports;
  /** The highest equity before any of its buys: a small start with a large sequel is measured by the large one. */
  readonly equityLamports: Lamports;
  readonly heldTokens: BaseUnits;
  /** Of everything bought and sold, fees included. */
  readonly costLamports: Lamports;
  readonly proceedsLamports: bigint;
  /** The shallowest pool and the lowest swap fee that its fills met. */
  readonly poolLamports: Lamports;
  readonly poolFee: BasisPoints;
  /** The first reason of its fills. */
  readonly offMarket: OffMarketReason | null;
};

export type RecordFill = {
  readonly kind: 'buy' | 'sell' | 'failed' | 'left-in-kind';
  readonly atMs: number;
  readonly tokens: BaseUnits;
  /** At the worse price; for tokens that left in kind what they were worth. */
  readonly lamports: Lamports;
  readonly feeLamports: Lamports;
  readonly equityBeforeLamports: Lamports;
  readonly poolLamports: Lamports;
  readonly poolFee: BasisPoints;
  readonly offMarket: OffMarketReason | null;
};

/** The trip after a fill, or null where there is none. Tokens that were never bought have no part in it. */
export function recordTripAfter(trip: RecordTrip | null, fill: RecordFill): RecordTrip | null {
  const open = trip !== null && trip.closedAtMs === null ? trip : null;
  if (fill.kind === 'buy') return bought(open, fill);
  if (open === null) return null;
  if (fill.kind === 'failed') return { ...open, costLamports: lamports(open.costLamports + fill.feeLamports) };
  const tokens = smaller(fill.tokens, open.heldTokens);
  const heldTokens = baseUnits(open.heldTokens - tokens);
  const net = fill.lamports - fill.feeLamports;
  return {
    ...withPool(open, fill),
    heldTokens,
    proceedsLamports: open.proceedsLamports + (fill.tokens === 0n ? net : divFloor(net * tokens, fill.tokens)),
    closedAtMs: heldTokens === 0n ? fill.atMs : null,
  };
}

function bought(open: RecordTrip | null, fill: RecordFill): RecordTrip {
  const cost = lamports(fill.lamports + fill.feeLamports);
  if (open === null) {
    return {
      openedAtMs: fill.atMs,
      closedAtMs: null,
      openingLamports: cost,
      openingEquityLamports: fill.equityBeforeLamports,
      equityLamports: fill.equityBeforeLamports,
      heldTokens: fill.tokens,
      costLamports: cost,
      proceedsLamports: 0n,
      poolLamports: fill.poolLamports,
      poolFee: fill.poolFee,
      offMarket: fill.offMarket,
    };
  }
  return {
    ...withPool(open, fill),
    equityLamports: larger(open.equityLamports, fill.equityBeforeLamports),
    heldTokens: baseUnits(open.heldTokens + fill.tokens),
    costLamports: lamports(open.costLamports + cost),
  };
}

function withPool(open: RecordTrip, fill: RecordFill): RecordTrip {
  return {
    ...open,
    poolLamports: smaller(open.poolLamports, fill.poolLamports),
    poolFee: smaller(open.poolFee, fill.poolFee),
    offMarket: open.offMarket ?? fill.offMarket,
  };
}

/** An open trip counts from this age on, so that nobody hides a loss by not selling. */
export const OPEN_COUNTS_MS = 24 * 3_600_000;
/** Of the equity; a smaller trip risks too little to say anything. */
const COUNTED_SHARE = 50n;
const CLIP = 0.25;
/**
 * A quarter percent of equity counts for every 0.1 SOL that faking the win would have cost. Without it a deep record could be bought
 * in shallow pools for the price of a few swap fees.
 */
const FORGING_LAMPORTS_PER_UNIT = 40_000_000_000;

/** A loss below a thousandth of the equity. */
const FLAT_X = 0.001;

export type TripOutcome = 'won' | 'lost' | 'flat';

/** `x` is ln(1 + PnL ÷ equity before), clipped to ±0.25. */
export type CountedTrip = { readonly x: number; readonly outcome: TripOutcome };

/**
 * A flat trip is no evidence: its loss is added up, but it counts neither as a trip nor as one that was lost. Buying and selling at
 * once costs little more than a fee, and would otherwise make any record look long and steady.
 */
export function outcomeOf(x: number): TripOutcome {
  if (x > 0) return 'won';
  return x > -FLAT_X ? 'flat' : 'lost';
}

/**
 * How the trip counts in its creator's record, or null where it does not. `markLamports` is what the held tokens are worth, the
 * lower of liquidation and reference value; null where nobody knows. A win must have been at least 2 % of the equity from its
 * opening, or one could make a trip count after seeing it win; for a loss everything that it bought counts.
 */
export function countTrip(trip: RecordTrip, markLamports: Lamports | null, nowMs: number): CountedTrip | null {
  if (trip.closedAtMs === null && (markLamports === null || nowMs - trip.openedAtMs < OPEN_COUNTS_MS)) return null;
  const value = trip.proceedsLamports + (trip.closedAtMs === null ? markLamports! : 0n);
  const pnl = value - trip.costLamports;
  if (pnl <= 0n) {
    if (trip.costLamports * COUNTED_SHARE < trip.equityLamports) return null;
    const x = logReturn(pnl, trip.equityLamports);
    return { x, outcome: outcomeOf(x) };
  }
  if (trip.offMarket !== null || trip.openingLamports * COUNTED_SHARE < trip.openingEquityLamports) return null;
  const forging = forgingCost(trip, value) / FORGING_LAMPORTS_PER_UNIT;
  return { x: Math.min(logReturn(pnl, trip.equityLamports), forging), outcome: 'won' };
}

/**
 * In swap fees, what it costs to lift the price of a pool with reserve S from what was paid to what was received, r times as much,
 * and to let it down again: 2 · fee · S · (1 − 1 ÷ √r), because part of the first fee comes back with the second swap.
 */
function forgingCost({ poolLamports, poolFee, costLamports }: RecordTrip, valueLamports: bigint): number {
  const rise = 1 - Math.sqrt(Number(costLamports) / Number(valueLamports));
  return (2 * Number(poolFee) * Number(poolLamports) * rise) / 10_000;
}

function logReturn(pnl: bigint, equity: Lamports): number {
  // Whoever loses all, or had nothing, is at the clip; the logarithm has no value there.
  if (equity + pnl <= 0n) return -CLIP;
  return Math.max(-CLIP, Math.min(CLIP, Math.log1p(Number(pnl) / Number(equity))));
}
