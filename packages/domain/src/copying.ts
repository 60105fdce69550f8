import { baseUnits, type BaseUnits, type SwapAmount } from './base-units.ts';
import { BASIS_POINTS_WHOLE } from './basis-points.ts';
import type { CopySkipReason } from './copy-skip.ts';
import { lamports, type Lamports } from './lamports.ts';
import { divFloor, mulDiv, smaller } from './rounding.ts';

export type FollowMode = 'sol' | 'position';

/** A copy worth less than this costs more in fees and rent than it can mean: 0.001 SOL. */
export const COPY_MINIMUM_LAMPORTS = lamports(1_000_000n);

/** What must stay in the book to act at all. */
export type CopyCosts = {
  /** Network and priority fee of one transaction. */
  readonly feeLamports: Lamports;
  /** The deposit of a token account that this copy would have to open; zero where it is open already. */
  readonly rentLamports: Lamports;
  /** Fees of later sells: a book that cannot pay them could never be closed. */
  readonly reserveLamports: Lamports;
};

export type CopyFollow = {
  readonly mode: FollowMode;
  /** False for a follow that began after the creator's order was placed. */
  readonly joinedBefore: boolean;
  /** `position` only: size against the creator's own, 10 000 is the same. */
  readonly multiplierBps: bigint;
  /** `position` only: what is left of the committed amount. */
  readonly committedLeftLamports: Lamports;
};

type CopySituation = {
  readonly follow: CopyFollow;
  /** Whether the token can be frozen, taxed or taken. Sells are copied all the same: getting out is never the risk. */
  readonly tokenAtRisk: boolean;
  readonly ownFreeLamports: Lamports;
  readonly costs: CopyCosts;
  readonly minimumLamports: Lamports;
};

export type CopyInput =
  | (CopySituation & {
      readonly side: 'buy';
      /** What the creator spends, and the strategy's free SOL before that. */
      readonly creatorSpendLamports: Lamports;
      readonly creatorFreeLamportsBefore: Lamports;
    })
  | (CopySituation & {
      readonly side: 'sell';
      readonly creatorSoldTokens: BaseUnits;
      readonly creatorHeldTokensBefore: BaseUnits;
      readonly ownHeldTokens: BaseUnits;
      /** What selling the follower's whole holding would return now. */
      readonly ownLiquidationLamports: Lamports;
    });

export type CopyDecision =
  | { readonly kind: 'copy'; readonly amountIn: SwapAmount }
  | { readonly kind: 'skip'; readonly reason: CopySkipReason };

export function decideCopy(input: CopyInput): CopyDecision {
  if (!input.follow.joinedBefore) return skip('joined-later');
  return input.side === 'buy' ? decideBuy(input) : decideSell(input);
}

function decideBuy(input: Extract<CopyInput, { side: 'buy' }>): CopyDecision {
  if (input.tokenAtRisk) return skip('token-risk');
  const { follow, costs, minimumLamports } = input;
  const { feeLamports, rentLamports, reserveLamports } = costs;
  const spendable = input.ownFreeLamports - feeLamports - rentLamports - reserveLamports;
  let wanted: bigint;
  if (follow.mode === 'sol') {
    wanted = fractionOf(input.ownFreeLamports, input.creatorSpendLamports, input.creatorFreeLamportsBefore);
  } else {
    if (follow.committedLeftLamports < minimumLamports) return skip('committed-amount-used');
    const sameSize = mulDiv(input.creatorSpendLamports, follow.multiplierBps, BASIS_POINTS_WHOLE, 'floor');
    wanted = smaller<bigint>(sameSize, follow.committedLeftLamports);
  }
  if (wanted < minimumLamports || wanted === 0n) return skip('below-minimum');
  // A creator who spends everything is copied with what remains after the costs of copying.
  const amountIn = smaller(wanted, spendable);
  if (amountIn < minimumLamports || amountIn <= 0n) return skip('insufficient-balance');
  return { kind: 'copy', amountIn: lamports(amountIn) };
}

function decideSell(input: Extract<CopyInput, { side: 'sell' }>): CopyDecision {
  const { ownHeldTokens, costs } = input;
  if (ownHeldTokens === 0n) return skip('nothing-to-sell');
  if (input.ownFreeLamports < costs.feeLamports) return skip('insufficient-balance');
  const amountIn = baseUnits(fractionOf(ownHeldTokens, input.creatorSoldTokens, input.creatorHeldTokensBefore));
  if (amountIn === 0n) return skip('below-minimum');
  // Leaving altogether is always copied: dust that stays behind would have no reason to be sold later.
  if (amountIn === ownHeldTokens) return { kind: 'copy', amountIn };
  const worth = divFloor(input.ownLiquidationLamports * amountIn, ownHeldTokens);
  if (worth < input.minimumLamports) return skip('below-minimum');
  return { kind: 'copy', amountIn };
}

/** `own × part ÷ whole`, rounded down, and all of it where the creator uses all of his. */
function fractionOf(own: bigint, part: bigint, whole: bigint): bigint {
  if (part === 0n) return 0n;
  if (part >= whole) return own;
  return divFloor(own * part, whole);
}

function skip(reason: CopySkipReason): CopyDecision {
  return { kind: 'skip', reason };
}
