import { rate, rateOf, type Rate } from '../numbers/rate.ts';

/** The deepest fall from a peak so far. Kept as the two values, so that comparing needs no rounding. */
export type Drawdown = { readonly peak: Rate; readonly worstPeak: Rate; readonly worstLow: Rate };

export function drawdownStart(nav: Rate): Drawdown {
  return { peak: nav, worstPeak: nav, worstLow: nav };
}

export function drawdownAfter(state: Drawdown, nav: Rate): Drawdown {
  if (nav >= state.peak) return { ...state, peak: nav };
  const deeper = nav * state.worstPeak < state.worstLow * state.peak;
  return deeper ? { peak: state.peak, worstPeak: state.peak, worstLow: nav } : state;
}

/** As a share of the peak: 0.3 after a fall from 2 to 1.4. */
export function maximumDrawdown(state: Drawdown): Rate {
  return state.worstPeak === 0n ? rate(0n) : rateOf(state.worstPeak - state.worstLow, state.worstPeak);
}
