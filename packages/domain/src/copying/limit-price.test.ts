import { describe, expect, it } from 'vitest';
import { baseUnits } from '../numbers/base-units.ts';
import { basisPoints } from '../numbers/basis-points.ts';
import { lamports } from '../numbers/lamports.ts';
import { limitPrice, tighterPrice } from './limit-price.ts';
import { quotePool, unitsIn, type Pool } from '../market/swap-maths.ts';

const pool: Pool = {
  solReserve: lamports(1_000_000_000_000n),
  tokenReserve: baseUnits(5_000_000_000_000n),
  virtualSol: lamports(0n),
  virtualTokens: baseUnits(0n),
  feeBps: 30n,
};

describe('limit price', () => {
  it.each(['buy', 'sell'] as const)('of a %s is the pool’s own quote less the slippage', (side) => {
    const amountIn = unitsIn(side, 7_000_000_000n);
    const quote = quotePool(pool, side, amountIn);
    if (quote.kind === 'refused') throw new Error(quote.reason);
    const limit = limitPrice(pool, side, amountIn, basisPoints(200))!;
    expect(limit.denominator).toBe(amountIn);
    expect(limit.numerator).toBeLessThan(quote.amountOut);
    expect(limit.numerator * 10_000n).toBeGreaterThanOrEqual(quote.amountOut * 9_800n - 10_000n);
  });

  it('is unknown where the pool cannot fill the swap', () => {
    expect(limitPrice(pool, 'buy', lamports(0n), basisPoints(200))).toBeNull();
  });

  it('of two is the one that asks for more', () => {
    const [low, high] = [
      { numerator: 10n, denominator: 7n },
      { numerator: 3n, denominator: 2n },
    ];
    expect(tighterPrice(low, high)).toBe(high);
    expect(tighterPrice(high, low)).toBe(high);
  });
});
