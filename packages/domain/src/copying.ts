import { BASIS_POINTS_WHOLE } from './basis-points.ts';
import type { CopySkipReason } from './copy-skip.ts';
import { divFloor, mulDiv, smaller } from './rounding.ts';

export type FollowMode = 'sol' | 'position';

/** A copy worth less than this costs more in fees and rent than it can mean: 0.001 SOL. */
export const COPY_MINIMUM_LAMPORTS = 1_000_000n;

/** What must stay in the book to act at all. */
export type CopyCosts = {
  /** Network and priority fee of one transaction. */
  readonly feeLamports: bigint;
  /** The deposit of a token account that this copy would have to open; zero where it is open already. */
  readonly rentLamports: bigint;
  /** Fees of later sells: a book that cannot pay them could never be closed. */
  readonly reserveLamports: bigint;
};

export type CopyFollow = {
  readonly mode: FollowMode;
  readonly status: 'active' | 'closing' | 'closed';
  readonly paused: boolean;
  /** False for a follow that began after the creator's order was placed. */
  readonly joinedBefore: boolean;
  /** `position` only: size against the creator's own, 10 000 is the same. */
  readonly multiplierBps: bigint;
  /** `position` only: what is left of the committed amount. */
  readonly committedLeftLamports: bigint;
};

type CopySituation = {
  readonly follow: CopyFollow;
  readonly strategyEnding: boolean;
  /** Whether the token can be frozen, taxed or taken. Sells are copied all the same: getting out is never the risk. */
  readonly tokenAtRisk: boolean;
  readonly ownFreeLamports: bigint;
  readonly costs: CopyCosts;
  readonly minimumLamports: bigint;
};

export type CopyInput =
  | (CopySituation & {
      readonly side: 'buy';
      /** What the creator spends, and the strategy's free SOL before that. */
      readonly creatorSpendLamports: bigint;
      readonly creatorFreeLamportsBefore: bigint;
    })
  | (CopySituation & {
      readonly side: 'sell';
      readonly creatorSoldTokens: bigint;
      readonly creatorHeldTokensBefore: bigint;
      readonly ownHeldTokens: bigint;
      /** What selling the follower's whole holding would return now. */
      readonly ownLiquidationLamports: bigint;
    });

export type CopyDecision =
  | { readonly kind: 'copy'; readonly amountIn: bigint }
  | { readonly kind: 'skip'; readonly reason: CopySkipReason };

export function decideCopy(input: CopyInput): CopyDecision {
  const { follow } = input;
  if (follow.status !== 'active') return skip('follow-closing');
  if (input.strategyEnding) return skip('strategy-ending');
  if (!follow.joinedBefore) return skip('joined-later');
  if (follow.paused) return skip('paused');
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
    wanted = smaller(sameSize, follow.committedLeftLamports);
  }
  if (wanted < minimumLamports || wanted === 0n) return skip('below-minimum');
  // A creator who spends everything is copied with what remains after the costs of copying.
  const amountIn = smaller(wanted, spendable);
  if (amountIn < minimumLamports || amountIn <= 0n) return skip('insufficient-balance');
  return { kind: 'copy', amountIn };
}

function decideSell(input: Extract<CopyInput, { side: 'sell' }>): CopyDecision {
  const { ownHeldTokens, costs } = input;
  if (ownHeldTokens <= 0n) return skip('nothing-to-sell');
  if (input.ownFreeLamports < costs.feeLamports) return skip('insufficient-balance');
  const amountIn = fractionOf(ownHeldTokens, input.creatorSoldTokens, input.creatorHeldTokensBefore);
  if (amountIn === 0n) return skip('below-minimum');
  // Leaving altogether is always copied: dust that stays behind would have no reason to be sold later.
  if (amountIn === ownHeldTokens) return { kind: 'copy', amountIn };
  const worth = divFloor(input.ownLiquidationLamports * amountIn, ownHeldTokens);
  if (worth < input.minimumLamports) return skip('below-minimum');
  return { kind: 'copy', amountIn };
}

/** `own × part ÷ whole`, rounded down, and all of it where the creator uses all of his. */
export function fractionOf(own: bigint, part: bigint, whole: bigint): bigint {
  if (own <= 0n || part <= 0n) return 0n;
  if (part >= whole) return own;
  return divFloor(own * part, whole);
}

function skip(reason: CopySkipReason): CopyDecision {
  return { kind: 'skip', reason };
}
