import { baseUnits, type BaseUnits } from './base-units.ts';
import type { CopySkipReason } from './copy-skip.ts';
import { lamports, type Lamports } from './lamports.ts';
import { divFloor } from './rounding.ts';

export type FollowMode = 'sol' | 'position';

/** A copy worth less than this costs more in fees and rent than it can mean: 0.001 SOL. */
export const COPY_MINIMUM_LAMPORTS = lamports(1_000_000n);

export type CopySale = {
  /** False for a follow that began after the creator's order was placed. */
  readonly joinedBefore: boolean;
  readonly creatorSoldTokens: BaseUnits;
  readonly creatorHeldTokensBefore: BaseUnits;
  readonly ownHeldTokens: BaseUnits;
  /** What selling the follower's whole holding would return now. */
  readonly ownLiquidationLamports: Lamports;
  readonly ownFreeLamports: Lamports;
  /** Network and priority fee of one transaction. */
  readonly feeLamports: Lamports;
};

export type CopySaleDecision =
  | { readonly kind: 'copy'; readonly amountIn: BaseUnits }
  | { readonly kind: 'skip'; readonly reason: CopySkipReason };

/** Every follower sells the fraction that the creator sells. Nothing about the coin keeps anybody from getting out. */
export function decideCopySale(sale: CopySale): CopySaleDecision {
  const { ownHeldTokens, creatorSoldTokens, creatorHeldTokensBefore } = sale;
  if (!sale.joinedBefore) return skip('joined-later');
  if (ownHeldTokens === 0n) return skip('nothing-to-sell');
  if (sale.ownFreeLamports < sale.feeLamports) return skip('insufficient-balance');
  // Leaving altogether is always copied: dust that stays behind would have no reason to be sold later.
  if (creatorSoldTokens >= creatorHeldTokensBefore) return { kind: 'copy', amountIn: ownHeldTokens };
  const amountIn = baseUnits(divFloor(ownHeldTokens * creatorSoldTokens, creatorHeldTokensBefore));
  const worth = divFloor(sale.ownLiquidationLamports * amountIn, ownHeldTokens);
  return worth < COPY_MINIMUM_LAMPORTS ? skip('below-minimum') : { kind: 'copy', amountIn };
}

function skip(reason: CopySkipReason): CopySaleDecision {
  return { kind: 'skip', reason };
}
