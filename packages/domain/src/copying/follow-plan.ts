import type { Address } from '../address.ts';
import type { CopySkipReason } from './copy-skip.ts';
import type { Limit } from './follow-protection.ts';
import { lamports, type Lamports } from '../numbers/lamports.ts';
import { divFloor, larger } from '../numbers/rounding.ts';

export type FollowPlanInput = {
  readonly amountLamports: Lamports;
  /** The strategy's book as it stands, positions marked at what selling them would return. */
  readonly strategyFreeLamports: Lamports;
  readonly strategyPositions: readonly {
    readonly mint: Address;
    readonly liquidationLamports: Lamports;
    /** Why followers do not buy this coin at all; null where they may. */
    readonly refusal: CopySkipReason | null;
    readonly limits: readonly Limit[];
  }[];
  /** Per purchase, at most: those who join together share it. */
  readonly feeLamports: Lamports;
  readonly minimumLamports: Lamports;
};

export type PlannedPurchase = {
  readonly mint: Address;
  readonly spendLamports: Lamports;
  /** The limit that made it smaller than the coin's weight. */
  readonly limitedBy: CopySkipReason | null;
};

export type FollowPlan = {
  /** Each coin at the strategy's weight, before any limit: what joining is to buy as far as limits allow it in time. */
  readonly wanted: readonly { readonly mint: Address; readonly lamports: Lamports }[];
  readonly purchases: readonly PlannedPurchase[];
  readonly skipped: readonly { readonly mint: Address; readonly reason: CopySkipReason }[];
  /** What stays SOL: the strategy's own SOL share, skipped coins, costs still to be paid and rounding. */
  readonly leftoverLamports: Lamports;
};

/** The first purchases of a follow by SOL count: the strategy's weights of today, scaled to the amount. */
export function planFollow(input: FollowPlanInput): FollowPlan {
  const { amountLamports, strategyPositions, minimumLamports } = input;
  const equity = strategyPositions.reduce<bigint>(
    (sum, { liquidationLamports }) => sum + liquidationLamports,
    input.strategyFreeLamports,
  );
  const weights = strategyPositions.map(({ mint, liquidationLamports }) => ({
    mint,
    lamports: lamports(equity === 0n ? 0n : divFloor(amountLamports * liquidationLamports, equity)),
  }));
  const wanted: { mint: Address; spendLamports: bigint; limitedBy: CopySkipReason | null }[] = [];
  const skipped: { mint: Address; reason: CopySkipReason }[] = [];
  for (const [index, { mint, refusal, limits }] of strategyPositions.entries()) {
    let spendLamports: bigint = weights[index]!.lamports;
    let limitedBy: CopySkipReason | null = null;
    for (const limit of limits) {
      if (limit.lamports >= spendLamports) continue;
      spendLamports = limit.lamports;
      limitedBy = limit.reason;
    }
    const isTooSmall = spendLamports === 0n || spendLamports < minimumLamports;
    if (refusal !== null) skipped.push({ mint, reason: refusal });
    else if (isTooSmall) skipped.push({ mint, reason: limitedBy ?? 'below-minimum' });
    else wanted.push({ mint, spendLamports, limitedBy });
  }

  const spendable = amountLamports - BigInt(wanted.length) * input.feeLamports;
  const wantedSum = wanted.reduce((sum, { spendLamports }) => sum + spendLamports, 0n);
  const purchases: PlannedPurchase[] = [];
  for (const { mint, spendLamports, limitedBy } of wanted) {
    // Where the costs do not fit beside the purchases, all of them shrink alike, so that the weights stay.
    const fitting = wantedSum <= spendable ? spendLamports : divFloor(spendLamports * larger(0n, spendable), wantedSum);
    if (fitting > 0n && fitting >= minimumLamports)
      purchases.push({ mint, spendLamports: lamports(fitting), limitedBy });
    else skipped.push({ mint, reason: 'insufficient-balance' });
  }
  const spent = purchases.reduce((sum, { spendLamports }) => sum + spendLamports, 0n);
  return {
    wanted: weights.filter((row) => row.lamports >= minimumLamports),
    purchases,
    skipped,
    leftoverLamports: lamports(amountLamports - spent),
  };
}
