import type { Scale } from '../../ui/sparkline-path.ts';

/** One strategy far above all others must not flatten their lines: beyond ±100 % a line runs along the edge. */
const EDGE_PERCENT = 100;
/** Cards that all stand still must not magnify noise. */
const SPAN_MIN_PERCENT = 2;

/** The scale that the lines of all these cards share, zero always on it. */
export function commonScale(strategies: readonly { trend: readonly number[] }[]): Scale {
  const values = strategies.flatMap(({ trend }) => trend);
  return {
    low: Math.max(-EDGE_PERCENT, Math.min(-SPAN_MIN_PERCENT, ...values)),
    high: Math.min(EDGE_PERCENT, Math.max(SPAN_MIN_PERCENT, ...values)),
  };
}
