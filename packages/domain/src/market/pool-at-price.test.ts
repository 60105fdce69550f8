import { describe, expect, it } from 'vitest';
import { baseUnits } from '../numbers/base-units.ts';
import { lamports } from '../numbers/lamports.ts';
import { poolAtPrice } from './pool-at-price.ts';
import { spotPrice } from './swap-maths.ts';

describe('a pool at another price', () => {
  const pool = {
    solReserve: lamports(60n * 10n ** 9n),
    tokenReserve: baseUnits(7n * 10n ** 14n),
    virtualSol: lamports(30n * 10n ** 9n),
    virtualTokens: baseUnits(10n ** 14n),
    feeBps: 50n,
  };

  it('is as deep as before and has that price', () => {
    const priceSol = 225_000_000_000n;
    const moved = poolAtPrice(pool, 6, priceSol);
    const { numerator, denominator } = spotPrice(moved);
    expect(Number(numerator) / Number(denominator)).toBeCloseTo(Number(priceSol) / 10 ** 15, 8);
    const depth = Number(moved.solReserve) * Number(moved.tokenReserve);
    expect(depth / (90e9 * 8e14)).toBeCloseTo(1, 6);
    expect(moved).toMatchObject({ virtualSol: 0n, virtualTokens: 0n, feeBps: 50n });
  });

  it('is there for a coin that fell to nothing, and for one that rose beyond measure', () => {
    expect(poolAtPrice(pool, 6, 0n)).toMatchObject({ solReserve: 1n, tokenReserve: 2n ** 64n - 1n });
    expect(poolAtPrice(pool, 6, 10n ** 40n)).toMatchObject({ solReserve: 2n ** 64n - 1n });
  });
});
