import { BASIS_POINTS_WHOLE } from './basis-points.ts';
import { printPercentOf } from './decimal.ts';
import { divCeil } from './rounding.ts';

export type FeeDragInput = {
  readonly amountLamports: bigint;
  /** What would be swapped now, and the pool's fee on it. */
  readonly purchases: readonly { readonly spendLamports: bigint; readonly poolFeeBps: bigint }[];
  readonly feeLamports: bigint;
};

/** What going in and out again costs in fees, in lamports: the pool's twice and the network's twice. Deposits come back and do not count. */
export function feeDragLamports({ purchases, feeLamports }: FeeDragInput): bigint {
  return purchases.reduce(
    (sum, { spendLamports, poolFeeBps }) =>
      sum + 2n * (divCeil(spendLamports * poolFeeBps, BASIS_POINTS_WHOLE) + feeLamports),
    0n,
  );
}

/** The same in percent points of the amount, rounded up; null without an amount. */
export function printFeeDrag(input: FeeDragInput): string | null {
  if (input.amountLamports <= 0n) return null;
  return printPercentOf(feeDragLamports(input), input.amountLamports, 2, 'ceil');
}
