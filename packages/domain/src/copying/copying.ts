import { baseUnits, type BaseUnits } from '../numbers/base-units.ts';
import type { CopySkipReason } from './copy-skip.ts';
import { lamports } from '../numbers/lamports.ts';
import { divFloor } from '../numbers/rounding.ts';

export type FollowMode = 'sol' | 'position';

/** A copy worth less than this costs more in fees and rent than it can mean: 0.001 SOL. */
export const COPY_MINIMUM_LAMPORTS = lamports(1_000_000n);

export type CopySale = {
  readonly creatorSoldTokens: BaseUnits;
  readonly creatorHeldTokensBefore: BaseUnits;
  readonly ownHeldTokens: BaseUnits;
};

export type CopySaleDecision =
  | { readonly kind: 'copy'; readonly amountIn: BaseUnits }
  | { readonly kind: 'skip'; readonly reason: CopySkipReason };

/**
 * Every follower sells the fraction that the creator sells, all when he sells all. It is one swap for everybody, so nothing
 * about its size or the coin keeps anybody from getting out.
 */
export function decideCopySale({
  ownHeldTokens,
  creatorSoldTokens,
  creatorHeldTokensBefore,
}: CopySale): CopySaleDecision {
  const amountIn =
    creatorSoldTokens >= creatorHeldTokensBefore
      ? ownHeldTokens
      : baseUnits(divFloor(ownHeldTokens * creatorSoldTokens, creatorHeldTokensBefore));
  return amountIn === 0n ? { kind: 'skip', reason: 'nothing-to-sell' } : { kind: 'copy', amountIn };
}
