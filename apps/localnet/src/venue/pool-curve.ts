import { quoteSwap, type Side } from '@hunter/domain/market/swap-maths';

export type { Side };

/** Both reserves of a pool, virtual ones included. */
export type Reserves = { lamports: bigint; tokens: bigint };

/** What enters (positive) or leaves (negative) a pool. */
export type Movement = { lamports: bigint; tokens: bigint };

/** The fee stays inside the pool, so every trade leaves the product a little larger. */
export const POOL_FEE_BPS = 50n;

/** Tokens for lamports or lamports for tokens along x·y = k. A corner with an empty side gives nothing. */
export function curveOutput(side: Side, reserves: Reserves, amountIn: bigint): bigint {
  if (reserves.lamports <= 0n || reserves.tokens <= 0n || amountIn <= 0n) return 0n;
  const [reserveIn, reserveOut] =
    side === 'buy' ? [reserves.lamports, reserves.tokens] : [reserves.tokens, reserves.lamports];
  return quoteSwap({ reserveIn, reserveOut, amountIn, feeBps: POOL_FEE_BPS }).amountOut;
}

export function productOf(reserves: Reserves): bigint {
  return reserves.lamports * reserves.tokens;
}

export function moved(reserves: Reserves, movement: Movement): Reserves {
  return { lamports: reserves.lamports + movement.lamports, tokens: reserves.tokens + movement.tokens };
}

export function movementOf(side: Side, poolLamports: bigint, poolTokens: bigint): Movement {
  return side === 'buy'
    ? { lamports: poolLamports, tokens: -poolTokens }
    : { lamports: -poolLamports, tokens: poolTokens };
}
