import { InvariantError } from '../invariant-error.ts';
import type { Lamports } from '../numbers/lamports.ts';
import { RATE_ONE, rate, type Rate } from '../numbers/rate.ts';
import { divFloor, divide } from '../numbers/rounding.ts';

/**
 * Time-weighted performance by units, as a fund keeps it. One unit is worth 1 when the strategy is published; money that comes in
 * buys units at today's value and money that leaves sells them, so that only trading moves the value of a unit.
 */
export type UnitNav = {
  /** Units outstanding, in 10^-18 of a lamport's worth at the start. Fine enough that a flow's rounding cannot be seen in `nav`. */
  readonly units: bigint;
  /** Value of one unit at the last mark, 18 decimals. */
  readonly nav: Rate;
};

export type NavEvent =
  /** The equity as seen now: SOL plus positions at liquidation value, all fees paid. */
  | { readonly kind: 'mark'; readonly equityLamports: Lamports }
  /** Money in (positive) or out (negative), with the equity just before it. */
  | { readonly kind: 'flow'; readonly equityBeforeLamports: Lamports; readonly flowLamports: bigint };

/** Before the first money came in. */
export const NAV_START: UnitNav = { units: 0n, nav: RATE_ONE };

export function navAfter(state: UnitNav, event: NavEvent): UnitNav {
  return event.kind === 'mark'
    ? { units: state.units, nav: navAt(state, event.equityLamports) }
    : afterFlow(state, event.equityBeforeLamports, event.flowLamports);
}

/** The value of a unit at an equity. Without units nothing moves it: a strategy that was emptied keeps its record. */
export function navAt(state: UnitNav, equityLamports: Lamports): Rate {
  if (state.units === 0n) return state.nav;
  return rate(divide(equityLamports * RATE_ONE * RATE_ONE, state.units, 'nearest'));
}

export function yieldRate(nav: Rate): Rate {
  return rate(nav - RATE_ONE);
}

function afterFlow(state: UnitNav, equityBeforeLamports: Lamports, flowLamports: bigint): UnitNav {
  if (flowLamports === 0n) return { units: state.units, nav: navAt(state, equityBeforeLamports) };
  if (state.units === 0n) {
    if (flowLamports < 0n || state.nav === 0n)
      throw new InvariantError('NAV_UNITS_EXHAUSTED', { units: 0n, flowLamports });
    return { units: divFloor(flowLamports * RATE_ONE * RATE_ONE, state.nav), nav: state.nav };
  }
  // A unit that is worth nothing cannot be bought, and nobody can take out more than there is.
  if (equityBeforeLamports === 0n || equityBeforeLamports + flowLamports < 0n) {
    throw new InvariantError('NAV_UNITS_EXHAUSTED', { units: state.units, flowLamports });
  }
  const nav = navAt(state, equityBeforeLamports);
  // By the exact equity and not by the rounded value of a unit, so that no rounding feeds back.
  const bought = divide(state.units * flowLamports, equityBeforeLamports, 'nearest');
  return { units: state.units + bought, nav };
}
