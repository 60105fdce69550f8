import { divFloor } from '@hunter/domain/rounding';
import type { Pool } from './pool.ts';
import type { Side } from './pool-curve.ts';
import { curveInput, type SwapAmounts, swapAmounts } from './swap-amounts.ts';

const BPS = 10_000n;

export type RoundPrice = {
  /** Output per input for everyone in the round, as one fraction. */
  numerator: bigint;
  denominator: bigint;
  lead: SwapAmounts;
  participants: SwapAmounts[];
  scaledBps: bigint;
};

/**
 * Prices the lead's order and all copies as one order against the pool. Where the sum would give the lead less than
 * its own slippage allows, the copies shrink by one factor until it does not; the lead's order never does.
 * Null where the pool cannot even serve the lead.
 */
export function priceRound(
  pool: Pool,
  side: Side,
  slippageBps: bigint,
  leadAmount: bigint,
  copyAmounts: readonly bigint[],
): RoundPrice | null {
  const { extensions } = pool.listing;
  const leadInput = curveInput(extensions, side, leadAmount);
  const alone = pool.quote(side, leadInput);
  if (alone === null || alone <= 0n) return null;
  const leadMinimum = divFloor(alone * (BPS - slippageBps), BPS);
  const wanted = copyAmounts.reduce((sum, amount) => sum + amount, 0n);

  const inputOf = (amounts: readonly bigint[]): bigint =>
    amounts.reduce((sum, amount) => sum + curveInput(extensions, side, amount), leadInput);
  const servesLead = (total: bigint): boolean => {
    const input = leadInput + curveInput(extensions, side, total);
    const output = pool.quote(side, input);
    return output !== null && divFloor(leadInput * output, input) >= leadMinimum;
  };
  const allowed = largestThat(servesLead, wanted);
  const scaled = allowed === wanted ? copyAmounts : copyAmounts.map((amount) => divFloor(amount * allowed, wanted));

  const denominator = inputOf(scaled);
  const numerator = pool.quote(side, denominator);
  if (numerator === null) return null;
  const share = (amount: bigint): SwapAmounts => {
    const output = divFloor(curveInput(extensions, side, amount) * numerator, denominator);
    return swapAmounts(extensions, side, amount, output);
  };
  return {
    numerator,
    denominator,
    lead: share(leadAmount),
    participants: scaled.map(share),
    scaledBps: allowed === wanted ? BPS : divFloor(allowed * BPS, wanted),
  };
}

/** The largest total up to `wanted` that passes; passing is monotone, since more input only worsens the average. */
function largestThat(passes: (total: bigint) => boolean, wanted: bigint): bigint {
  if (passes(wanted)) return wanted;
  let low = 0n;
  let high = wanted;
  while (high - low > 1n) {
    const middle = (low + high) / 2n;
    if (passes(middle)) low = middle;
    else high = middle;
  }
  return low;
}
