import type { CopySkipReason } from './copy-skip.ts';
import type { Address } from './address.ts';
import { lamports, type Lamports } from './lamports.ts';
import { divFloor, larger } from './rounding.ts';

export type FollowPlanInput = {
  readonly amountLamports: Lamports;
  /** The strategy's book as it stands, positions marked at what selling them would return. */
  readonly strategyFreeLamports: Lamports;
  readonly strategyPositions: readonly {
    readonly mint: Address;
    readonly liquidationLamports: Lamports;
    readonly atRisk: boolean;
  }[];
  /** Per purchase: the network's fee and the deposit of the token account. */
  readonly feeLamports: Lamports;
  readonly rentLamports: Lamports;
  /** Kept for the fees of later sells. */
  readonly reserveLamports: Lamports;
  readonly minimumLamports: Lamports;
};

export type FollowPlan = {
  readonly purchases: readonly { readonly mint: Address; readonly spendLamports: Lamports }[];
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
  const wanted: { mint: Address; spendLamports: bigint }[] = [];
  const skipped: { mint: Address; reason: CopySkipReason }[] = [];
  for (const { mint, liquidationLamports, atRisk } of strategyPositions) {
    const spendLamports = equity === 0n ? 0n : divFloor(amountLamports * liquidationLamports, equity);
    if (atRisk) skipped.push({ mint, reason: 'token-risk' });
    else if (spendLamports === 0n || spendLamports < minimumLamports) skipped.push({ mint, reason: 'below-minimum' });
    else wanted.push({ mint, spendLamports });
  }

  const costs = BigInt(wanted.length) * (input.feeLamports + input.rentLamports) + input.reserveLamports;
  const spendable = amountLamports - costs;
  const wantedSum = wanted.reduce((sum, { spendLamports }) => sum + spendLamports, 0n);
  const purchases: { mint: Address; spendLamports: Lamports }[] = [];
  for (const { mint, spendLamports } of wanted) {
    // Where the costs do not fit beside the purchases, all of them shrink alike, so that the weights stay.
    const fitting = wantedSum <= spendable ? spendLamports : divFloor(spendLamports * larger(0n, spendable), wantedSum);
    if (fitting > 0n && fitting >= minimumLamports) purchases.push({ mint, spendLamports: lamports(fitting) });
    else skipped.push({ mint, reason: 'insufficient-balance' });
  }
  const spent = purchases.reduce((sum, { spendLamports }) => sum + spendLamports, 0n);
  return { purchases, skipped, leftoverLamports: lamports(amountLamports - spent) };
}
