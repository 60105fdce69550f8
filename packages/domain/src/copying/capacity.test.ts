import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { capacityCoin, capacityLamports, CAPACITY_GAP_MAX, expectedGap } from './capacity.ts';
import { baseUnits } from '../numbers/base-units.ts';
import { lamports } from '../numbers/lamports.ts';
import type { Plain } from '../plain-for-test.ts';
import { rate, RATE_ONE } from '../numbers/rate.ts';
import type { Pool } from '../market/swap-maths.ts';

const SOL = lamports(1_000_000_000n);
const NONE = lamports(0n);
const aPool = (overrides: Partial<Plain<Pool>> = {}): Pool =>
  ({
    solReserve: 100n * SOL,
    tokenReserve: 10n ** 15n,
    virtualSol: 0n,
    virtualTokens: 0n,
    feeBps: 0n,
    ...overrides,
  }) as Pool;

describe('the capacity of a strategy', () => {
  it('is what moves the price of its one coin by the maximum gap', () => {
    // On this curve the impact is x ÷ (reserve + x): 5 % of 100 SOL is reached at 100 × 0.05 ÷ 0.95.
    const coins = [{ pool: aPool(), liquidationLamports: SOL }];
    const capacity = capacityLamports(coins, NONE);
    const exact = (100n * SOL * 5n) / 95n;
    expect(capacity! - exact <= 1n && exact - capacity! <= 30n).toBe(true);
  });

  it('grows with the SOL share of the strategy', () => {
    const coins = [{ pool: aPool(), liquidationLamports: SOL }];
    expect(capacityLamports(coins, SOL)!).toBeGreaterThan(capacityLamports(coins, NONE)! * 2n);
  });

  it('is not limited without coins', () => {
    expect(capacityLamports([], SOL)).toBeNull();
    expect(capacityLamports([capacityCoin(aPool(), baseUnits(0n))], SOL)).toBeNull();
  });

  it('is bounded even where no amount reaches the gap', () => {
    const coins = [{ pool: aPool(), liquidationLamports: lamports(1n) }];
    expect(capacityLamports(coins, lamports(10n ** 19n))).toBe(2n ** 63n);
  });

  it('keeps the gap within its maximum at the capacity and passes it beyond', () => {
    const coin = fc.record({
      pool: fc.bigInt({ min: SOL, max: 10_000n * SOL }).map((solReserve) => aPool({ solReserve })),
      liquidationLamports: fc.bigInt({ min: SOL / 10n, max: 100n * SOL }).map(lamports),
    });
    fc.assert(
      fc.property(
        fc.array(coin, { minLength: 1, maxLength: 4 }),
        fc.bigInt({ min: 0n, max: 50n * SOL }).map(lamports),
        (coins, free) => {
          const capacity = capacityLamports(coins, free);
          if (capacity === null || capacity === 2n ** 63n) return;
          expect(expectedGap(coins, free, capacity) <= CAPACITY_GAP_MAX).toBe(true);
          expect(expectedGap(coins, free, lamports(capacity + capacity / 1_000n + 1_000n)) > CAPACITY_GAP_MAX).toBe(
            true,
          );
        },
      ),
    );
  });

  it('adds up what each coin loses at its weight, rounded up', () => {
    const coins = [
      { pool: aPool(), liquidationLamports: lamports(3n * SOL) },
      { pool: aPool({ solReserve: 10n * SOL }), liquidationLamports: SOL },
    ];
    // 3 of 5 SOL into a pool of 100 and 1 into a pool of 10: 3 × 3/103 + 1 × 1/11 of 5.
    const lost = 87_378_641n + 90_909_091n;
    expect(expectedGap(coins, SOL, lamports(5n * SOL))).toBe((lost * 10n ** 18n) / (5n * SOL));
    expect(capacityCoin(aPool(), baseUnits(10n ** 15n))).toEqual({ pool: aPool(), liquidationLamports: 50n * SOL });
  });

  it('counts money as lost that a pool cannot turn into tokens', () => {
    const dry = aPool({ tokenReserve: 1n, virtualTokens: 10n ** 15n });
    expect(expectedGap([{ pool: dry, liquidationLamports: SOL }], NONE, SOL)).toBe(RATE_ONE);
    const dust = aPool({ tokenReserve: 1n });
    expect(expectedGap([{ pool: dust, liquidationLamports: SOL }], NONE, SOL)).toBe(rate(0n));
  });

  it('expects no gap from no money', () => {
    expect(expectedGap([], NONE, SOL)).toBe(rate(0n));
    expect(expectedGap([{ pool: aPool(), liquidationLamports: SOL }], NONE, NONE)).toBe(rate(0n));
  });

  it('loses nothing of new money while the strategy is worth nothing', () => {
    expect(expectedGap([{ pool: aPool(), liquidationLamports: NONE }], NONE, SOL)).toBe(0n);
  });
});
