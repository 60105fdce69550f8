import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { baseUnits } from './base-units.ts';
import { budgetsUsed, roundPrice, saleCost } from './follow-protection.ts';
import { lamports } from './lamports.ts';
import type { Pool } from './swap-maths.ts';

const SOL = 1_000_000_000n;
const pool: Pool = {
  solReserve: lamports(1_000n * SOL),
  tokenReserve: baseUnits(10n ** 15n),
  virtualSol: lamports(0n),
  virtualTokens: baseUnits(0n),
  feeBps: 100n,
};
const fee = lamports(5_000n);

describe('the budgets of a follow', () => {
  it('count what is paid above the reference and above the pool’s price, the network’s fee included', () => {
    const price = roundPrice(pool, lamports(SOL), { numerator: 500n * SOL, denominator: 10n ** 15n }, fee)!;
    const used = budgetsUsed(lamports(SOL), price);
    // One percent goes to the pool and a thousandth is impact; half of the rest lies above the reference.
    expect(used.costLamports).toBeGreaterThan(SOL / 100n + fee);
    expect(used.costLamports).toBeLessThan((SOL * 12n) / 1_000n);
    expect(used.runUpLamports).toBeGreaterThan(SOL / 2n);
    expect(used.runUpLamports).toBeLessThan((SOL * 51n) / 100n);
  });

  it('count nothing above a reference that is higher than what is paid', () => {
    const price = roundPrice(pool, lamports(SOL), { numerator: 2_000n * SOL, denominator: 10n ** 15n }, fee)!;
    expect(budgetsUsed(lamports(SOL), price).runUpLamports).toBe(0n);
  });

  it('have no price where the pool cannot fill the round', () => {
    expect(roundPrice(pool, lamports(0n), { numerator: 1n, denominator: 1n }, fee)).toBeNull();
  });

  it('count of a sale what it brings less than the pool’s price', () => {
    expect(saleCost(baseUnits(10n ** 12n), pool, fee)).toBeGreaterThan(SOL / 100n + fee);
    expect(saleCost(baseUnits(10n ** 12n), pool, fee)).toBeLessThan((SOL * 12n) / 1_000n);
    expect(saleCost(baseUnits(0n), pool, fee)).toBe(fee);
  });

  it('grow with what is spent and never exceed it by more than the network’s fee', () => {
    const spend = fc.bigInt({ min: 1_000n, max: 100n * SOL }).map(lamports);
    fc.assert(
      fc.property(spend, spend, (left, right) => {
        const price = roundPrice(pool, lamports(200n * SOL), { numerator: 1n, denominator: 10n ** 6n }, fee)!;
        const [less, more] = left < right ? [left, right] : [right, left];
        const used = [budgetsUsed(less, price), budgetsUsed(more, price)];
        expect(used[0]!.runUpLamports).toBeLessThanOrEqual(used[1]!.runUpLamports);
        expect(used[0]!.costLamports).toBeLessThanOrEqual(used[1]!.costLamports);
        expect(used[1]!.costLamports).toBeLessThanOrEqual(more + fee);
      }),
    );
  });
});
