import { lamports, type Lamports } from '@hunter/domain/numbers/lamports';
import type { Side } from '@hunter/domain/market/swap-maths';
import { divCeil } from '@hunter/domain/numbers/rounding';

/**
 * In SOL, of what a trade paid or brought. The venue takes its share of what comes in; of a sale, that is seen in SOL only through
 * what is left. Rounds up.
 */
export function venueFee(side: Side, moved: Lamports, feeBps: number): Lamports {
  const bps = BigInt(feeBps);
  const whole = side === 'buy' ? 10_000n : 10_000n - bps;
  return lamports(divCeil(moved * bps, whole));
}
