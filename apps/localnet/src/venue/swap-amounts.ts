import { type Movement, movementOf, type Side } from './pool-curve.ts';
import { type MintExtensions, transferFeeOf } from './token-account-data.ts';

/**
 * What one swap moves. A mint with a transfer fee keeps part of every transfer back at the receiving end, so what one
 * side sends and what the other gets differ by it.
 */
export type SwapAmounts = {
  side: Side;
  /** What the taker gives, and gets after any transfer fee. */
  inAmount: bigint;
  outAmount: bigint;
  /** What the two transfers of the transaction carry. */
  lamports: bigint;
  tokens: bigint;
  movement: Movement;
};

function buyAmounts(extensions: MintExtensions, lamports: bigint, tokens: bigint): SwapAmounts {
  return {
    side: 'buy',
    inAmount: lamports,
    outAmount: tokens - transferFeeOf(extensions, tokens),
    lamports,
    tokens,
    movement: movementOf('buy', lamports, tokens),
  };
}

function sellAmounts(extensions: MintExtensions, tokens: bigint, lamports: bigint): SwapAmounts {
  return {
    side: 'sell',
    inAmount: tokens,
    outAmount: lamports,
    lamports,
    tokens,
    movement: movementOf('sell', lamports, poolReceives(extensions, tokens)),
  };
}

export function swapAmounts(extensions: MintExtensions, side: Side, amountIn: bigint, output: bigint): SwapAmounts {
  return side === 'buy' ? buyAmounts(extensions, amountIn, output) : sellAmounts(extensions, amountIn, output);
}

/** The part of a sell that reaches the pool, which is what the curve prices. */
export function curveInput(extensions: MintExtensions, side: Side, amountIn: bigint): bigint {
  return side === 'buy' ? amountIn : poolReceives(extensions, amountIn);
}

function poolReceives(extensions: MintExtensions, tokens: bigint): bigint {
  return tokens - transferFeeOf(extensions, tokens);
}
