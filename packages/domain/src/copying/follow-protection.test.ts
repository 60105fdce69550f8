import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { baseUnits } from '../numbers/base-units.ts';
import { basisPoints } from '../numbers/basis-points.ts';
import {
  budgetsUsed,
  coinCapLimit,
  costLimit,
  NO_LIMIT,
  roundPrice,
  runUpLimit,
  runUpOfClosedPurchase,
  saleCost,
  type FollowSettings,
  type FollowState,
} from './follow-protection.ts';
import { lamports } from '../numbers/lamports.ts';
import type { Pool } from '../market/swap-maths.ts';

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

  it('count of a purchase whose round trip has closed what it lost, at most', () => {
    const counted = (soldLamports: bigint, soldTokens = 10n) =>
      runUpOfClosedPurchase({
        runUpLamports: 100n,
        paidLamports: 1_000n,
        boughtTokens: 10n,
        soldTokens,
        soldLamports,
      });
    expect([1_040n, 1_000n, 999n, 901n, 900n, 500n].map((sold) => counted(sold))).toEqual([
      0n,
      0n,
      1n,
      99n,
      100n,
      100n,
    ]);
    // At the average price of all that was sold after it, and whole where nothing or not all of it was.
    expect([counted(2_000n, 20n), counted(1_900n, 20n), counted(500n, 5n), counted(0n, 0n)]).toEqual([
      0n,
      50n,
      100n,
      100n,
    ]);
  });

  it('count what a purchase paid above the reference and lost, whatever the trip had gained before', () => {
    // Bought at 1 and at 3 where the coin is worth 2, all of it sold at 2: the trip gained, the second purchase lost its run-up.
    const sold = { soldTokens: 110n, soldLamports: 220n };
    const cheap = runUpOfClosedPurchase({ runUpLamports: 0n, paidLamports: 100n, boughtTokens: 100n, ...sold });
    const lifted = runUpOfClosedPurchase({ runUpLamports: 10n, paidLamports: 30n, boughtTokens: 10n, ...sold });
    expect([cheap, lifted]).toEqual([0n, 10n]);
  });

  it('count of a closed purchase no less than it lost within its run-up, and never more than the run-up', () => {
    const amount = fc.bigInt({ min: 0n, max: 10n ** 15n });
    fc.assert(
      fc.property(amount, amount, amount, amount, amount, (runUp, paid, bought, tokens, received) => {
        const counted = runUpOfClosedPurchase({
          runUpLamports: runUp,
          paidLamports: paid,
          boughtTokens: bought,
          soldTokens: tokens,
          soldLamports: received,
        });
        expect(counted >= 0n && counted <= runUp).toBe(true);
        const covered = bought < tokens ? bought : tokens;
        if (counted < runUp) expect((paid - counted) * tokens <= covered * received).toBe(true);
      }),
    );
  });

  it('have no price where the pool cannot fill the round', () => {
    expect(roundPrice(pool, lamports(0n), { numerator: 1n, denominator: 1n }, fee)).toBeNull();
  });

  it('count of a sale what it brings less than the pool’s price', () => {
    expect(saleCost(baseUnits(10n ** 12n), pool, fee)).toBeGreaterThan(SOL / 100n + fee);
    expect(saleCost(baseUnits(10n ** 12n), pool, fee)).toBeLessThan((SOL * 12n) / 1_000n);
    expect(saleCost(baseUnits(0n), pool, fee)).toBe(fee);
  });

  it('count a sale in a pool that was left with almost no tokens, whatever price that makes', () => {
    const emptied = { ...pool, solReserve: lamports(SOL / 10n), tokenReserve: baseUnits(1n) };
    const cost = saleCost(baseUnits(10n ** 15n), emptied, fee);
    expect(cost).toBeGreaterThan(10n ** 6n * SOL);
    // A day of them adds up and still is an amount of lamports.
    expect(() => lamports(cost * 1_000n)).not.toThrow();
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

describe('the limits of a follow', () => {
  const settings: FollowSettings = {
    runUpLimit: basisPoints(300),
    coinCap: basisPoints(5_000),
    capPerTradeLamports: null,
    stopLoss: null,
    takeProfit: null,
  };
  const none = lamports(0n);
  const state: FollowState = {
    equityLamports: lamports(10n * SOL),
    coinLamports: none,
    runUpUsedLamports: none,
    runUpUsedTotalLamports: none,
    costHourLamports: none,
    costDayLamports: none,
  };
  /** Twice what the coin is worth, so that half of what is spent lies above it. */
  const twice = { numerator: 2n, denominator: 1n };
  const once = { numerator: 1n, denominator: 1n };
  const price = { expected: twice, spot: once, reference: once, networkFeeLamports: fee };

  it('let half of what is spent above twice the worth use up a budget, to the lamport', () => {
    expect(runUpLimit(settings, state, price).lamports).toBe((6n * SOL) / 10n);
    expect(costLimit(state, price).lamports).toBe((4n * SOL) / 10n - 2n * fee);
  });

  it('let nothing more be paid above the reference once a budget is used up, and anything at or below it', () => {
    const used = { ...state, runUpUsedLamports: lamports((4n * SOL) / 10n) };
    const usedTotal = { ...state, runUpUsedTotalLamports: lamports(SOL) };
    const cheap = { ...price, expected: once, reference: twice };
    const equal = { ...price, expected: once };
    for (const each of [used, usedTotal]) {
      expect(runUpLimit(settings, each, price).lamports).toBe(0n);
      expect(runUpLimit(settings, each, cheap).lamports).toBe(NO_LIMIT);
      expect(runUpLimit(settings, each, equal).lamports).toBe(NO_LIMIT);
    }
    expect(runUpLimit(settings, state, equal).lamports).toBe(NO_LIMIT);
  });

  it('let nothing be spent where the network’s fee is more than what is left for costs, whatever the price', () => {
    const used = { ...state, costHourLamports: lamports((2n * SOL) / 10n - fee) };
    expect(costLimit(used, { ...price, expected: once, spot: twice }).lamports).toBe(0n);
  });

  it('cap a coin by its pool from 100 SOL and seven days on', () => {
    const cap = (days: number, poolSol: bigint) =>
      coinCapLimit(settings, state, { ageMs: days * 86_400_000, poolLamports: lamports(poolSol * SOL) }).lamports;
    expect([cap(7, 500n), cap(7, 100n), cap(7, 99n)]).toEqual([5n * SOL, (25n * SOL) / 10n, SOL]);
    expect([cap(6.999, 500n), cap(30, 499n)]).toEqual([(25n * SOL) / 10n, (25n * SOL) / 10n]);
  });
});
