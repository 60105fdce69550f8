import { drawdownAfter, drawdownStart, type Drawdown } from '@hunter/domain/record/drawdown';
import { rate, RATE_ONE, type Rate } from '@hunter/domain/numbers/rate';
import { NAV_START, navAfter, type NavEvent, type UnitNav, yieldRate } from '@hunter/domain/record/unit-nav';

/** What is carried from mark to mark. It can be computed again from the events alone. */
export type Performance = { nav: UnitNav; drawdown: Drawdown };

export const PERFORMANCE_START: Performance = { nav: NAV_START, drawdown: drawdownStart(RATE_ONE) };

export function performanceAfter(state: Performance, event: NavEvent): Performance {
  const nav = navAfter(state.nav, event);
  return { nav, drawdown: drawdownAfter(state.drawdown, nav.nav) };
}

/** The columns of `strategy_stats`. */
export type PerformanceRow = { units: bigint; nav: bigint; peak: bigint; worstPeak: bigint; worstLow: bigint };

export function performanceOf(row: PerformanceRow): Performance {
  return {
    nav: { units: row.units, nav: rate(row.nav) },
    drawdown: { peak: rate(row.peak), worstPeak: rate(row.worstPeak), worstLow: rate(row.worstLow) },
  };
}

export function yieldOf(nav: bigint): Rate {
  return yieldRate(rate(nav));
}
