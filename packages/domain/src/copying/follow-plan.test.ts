import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { planFollow, type FollowPlanInput } from './follow-plan.ts';
import type { Plain } from '../plain-for-test.ts';
import { smallestSensibleAmount, type SmallestAmountInput } from './smallest-sensible-amount.ts';

const SOL = 1_000_000_000n;

function aPlan(overrides: Partial<Plain<FollowPlanInput>> = {}): FollowPlanInput {
  return {
    amountLamports: 2n * SOL,
    strategyFreeLamports: 5n * SOL,
    strategyPositions: [
      { mint: 'a', liquidationLamports: 3n * SOL, refusal: null, limits: [] },
      { mint: 'b', liquidationLamports: 2n * SOL, refusal: null, limits: [] },
    ],
    feeLamports: 5_000n,
    minimumLamports: 1_000_000n,
    ...overrides,
  } as FollowPlanInput;
}

describe('the first purchases of a follow', () => {
  it("take today's weights and leave the strategy's SOL share in SOL", () => {
    expect(planFollow(aPlan())).toEqual({
      wanted: [
        { mint: 'a', lamports: (SOL * 6n) / 10n },
        { mint: 'b', lamports: (SOL * 4n) / 10n },
      ],
      purchases: [
        { mint: 'a', spendLamports: (SOL * 6n) / 10n, limitedBy: null },
        { mint: 'b', spendLamports: (SOL * 4n) / 10n, limitedBy: null },
      ],
      skipped: [],
      leftoverLamports: SOL,
    });
  });

  it('shrink alike where the costs would not fit beside them', () => {
    const { purchases, leftoverLamports } = planFollow(aPlan({ strategyFreeLamports: 0n }));
    expect(leftoverLamports).toBeGreaterThanOrEqual(2n * 5_000n);
    const [first, second] = purchases;
    expect((first!.spendLamports * 2n) / 3n - second!.spendLamports).toBeLessThanOrEqual(1n);
  });

  it('skip coins at risk and coins too light to matter, with the reason', () => {
    const plan = planFollow(
      aPlan({
        strategyPositions: [
          { mint: 'bad', liquidationLamports: SOL, refusal: 'token-risk', limits: [] },
          { mint: 'light', liquidationLamports: 1_000n, refusal: null, limits: [] },
        ],
      }),
    );
    expect(plan.purchases).toEqual([]);
    expect(plan.skipped).toEqual([
      { mint: 'bad', reason: 'token-risk' },
      { mint: 'light', reason: 'below-minimum' },
    ]);
    expect(plan.leftoverLamports).toBe(2n * SOL);
  });

  it('keep to the limits of each coin, and name the one that bound', () => {
    const limits = [
      { reason: 'coin-cap' as const, lamports: SOL / 2n },
      { reason: 'run-up' as const, lamports: SOL / 4n },
    ];
    const position = { mint: 'a', liquidationLamports: 5n * SOL, refusal: null, limits };
    expect(planFollow(aPlan({ strategyPositions: [position] }))).toMatchObject({
      purchases: [{ mint: 'a', spendLamports: SOL / 4n, limitedBy: 'run-up' }],
      leftoverLamports: (SOL * 7n) / 4n,
    });
    const none = { ...position, limits: [{ reason: 'depth' as const, lamports: 999_999n }] };
    expect(planFollow(aPlan({ strategyPositions: [none] })).skipped).toEqual([{ mint: 'a', reason: 'depth' }]);
  });

  it('take a coin of exactly the minimum, and pay all costs before any purchase', () => {
    const position = { mint: 'a', liquidationLamports: SOL, refusal: null, limits: [] };
    const one = (amountLamports: bigint) =>
      planFollow(aPlan({ amountLamports, strategyFreeLamports: 0n, strategyPositions: [position] }));
    // The fee is 5,000; the rest must reach the minimum of 1,000,000.
    expect(one(1_005_000n).purchases).toEqual([{ mint: 'a', spendLamports: 1_000_000n, limitedBy: null }]);
    expect(one(1_004_999n)).toEqual({
      wanted: [{ mint: 'a', lamports: 1_004_999n }],
      purchases: [],
      skipped: [{ mint: 'a', reason: 'insufficient-balance' }],
      leftoverLamports: 1_004_999n,
    });
    expect(one(1_000_000n).skipped).toEqual([{ mint: 'a', reason: 'insufficient-balance' }]);
    expect(one(999_999n).skipped).toEqual([{ mint: 'a', reason: 'below-minimum' }]);
  });

  it('buy nothing for nothing where there is no minimum', () => {
    const plan = planFollow(aPlan({ amountLamports: 0n, minimumLamports: 0n }));
    expect(plan.skipped.map(({ reason }) => reason)).toEqual(['below-minimum', 'below-minimum']);
  });

  it('are none for a strategy in SOL or without anything', () => {
    expect(planFollow(aPlan({ strategyPositions: [] })).purchases).toEqual([]);
    const empty = aPlan({
      strategyFreeLamports: 0n,
      strategyPositions: [{ mint: 'a', liquidationLamports: 0n, refusal: null, limits: [] }],
    });
    expect(planFollow(empty).skipped).toEqual([{ mint: 'a', reason: 'below-minimum' }]);
  });

  it('never spend more than the amount less its costs, and account for every lamport', () => {
    const value = fc.bigInt({ min: 0n, max: 100n * SOL });
    fc.assert(
      fc.property(value, value, fc.array(value, { maxLength: 8 }), (amountLamports, strategyFreeLamports, values) => {
        const plan = planFollow(
          aPlan({
            amountLamports,
            strategyFreeLamports,
            strategyPositions: values.map((liquidationLamports, index) => ({
              mint: `m${index}`,
              liquidationLamports,
              refusal: null,
              limits: [],
            })),
          }),
        );
        const spent = plan.purchases.reduce<bigint>((sum, { spendLamports }) => sum + spendLamports, 0n);
        expect(spent + plan.leftoverLamports).toBe(amountLamports);
        expect(plan.purchases.length + plan.skipped.length).toBe(values.length);
        if (plan.purchases.length > 0) {
          expect(plan.leftoverLamports >= BigInt(plan.purchases.length) * 5_000n).toBe(true);
        }
      }),
    );
  });
});

describe('the smallest sensible amount', () => {
  const input = {
    strategyFreeLamports: 0n,
    strategyPositionsLamports: [6n * SOL, 4n * SOL],
    feeLamports: 5_000n,
    minimumLamports: 1_000_000n,
  };
  const smallest = (strategyPositionsLamports: readonly bigint[], feeLamports = input.feeLamports): bigint =>
    smallestSensibleAmount({ ...input, feeLamports, strategyPositionsLamports } as SmallestAmountInput);

  it('is enough to buy every coin that matters', () => {
    fc.assert(
      fc.property(fc.array(fc.bigInt({ min: 1n, max: 100n * SOL }), { minLength: 1, maxLength: 6 }), (values) => {
        const amountLamports = smallest(values);
        const equity = values.reduce((sum, value) => sum + value, 0n);
        const plan = planFollow(
          aPlan({
            amountLamports,
            strategyFreeLamports: 0n,
            strategyPositions: values.map((liquidationLamports, index) => ({
              mint: `m${index}`,
              liquidationLamports,
              refusal: null,
              limits: [],
            })),
          }),
        );
        values.forEach((value, index) => {
          if (value * 20n < equity) return;
          expect(plan.purchases.some(({ mint }) => mint === `m${index}`)).toBe(true);
        });
      }),
    );
  });

  it('is the larger of what fees and what the lightest coin that matters demand', () => {
    // 6:4, so the lighter coin needs (minimum + 1) × 10 ÷ 4, beside two fees.
    expect(smallest([6n * SOL, 4n * SOL])).toBe(2_500_003n + 10_000n);
    // A coin below 5 % may stay out, but its fee counts; one worth nothing does not count at all.
    expect(smallest([96n * SOL, 4n * SOL])).toBe(1_041_668n + 10_000n);
    expect(smallest([95n * SOL, 5n * SOL])).toBe(20_000_020n + 10_000n);
    expect(smallest([6n * SOL, 0n])).toBe(1_000_001n + 5_000n);
    expect(smallest([SOL], 1_000_000n)).toBe(100_000_000n);
  });

  it('has a floor for a strategy that holds nothing yet', () => {
    expect(smallest([])).toBe(1_005_000n);
  });
});

describe('the limits of first purchases', () => {
  const limited = (most: bigint) =>
    planFollow(
      aPlan({
        strategyPositions: [
          {
            mint: 'a',
            liquidationLamports: 5n * SOL,
            refusal: null,
            limits: [
              { reason: 'depth', lamports: 50n * SOL },
              { reason: 'coin-cap', lamports: most },
            ],
          },
        ],
      }),
    ).purchases;

  it('bind only where they are lower than the weight of the coin', () => {
    expect(limited(SOL)).toEqual([{ mint: 'a', spendLamports: SOL, limitedBy: null }]);
    expect(limited(SOL - 1n)).toEqual([{ mint: 'a', spendLamports: SOL - 1n, limitedBy: 'coin-cap' }]);
  });

  it('count a coin as wanted from the least amount on', () => {
    const wanted = (liquidationLamports: bigint) =>
      planFollow(
        aPlan({
          amountLamports: 10n * SOL,
          strategyFreeLamports: 10n * SOL - liquidationLamports,
          strategyPositions: [{ mint: 'a', liquidationLamports, refusal: null, limits: [] }],
        }),
      ).wanted;
    expect(wanted(1_000_000n)).toEqual([{ mint: 'a', lamports: 1_000_000n }]);
    expect(wanted(999_999n)).toEqual([]);
  });

  it('leave no purchase of nothing where the amount does not pay the costs', () => {
    const plan = planFollow(aPlan({ amountLamports: 9_000n, minimumLamports: 0n, strategyFreeLamports: 0n }));
    expect(plan.purchases).toEqual([]);
    expect(plan.skipped.map(({ reason }) => reason)).toEqual(['insufficient-balance', 'insufficient-balance']);
  });

  it('give a strategy that is worth nothing a smallest amount all the same', () => {
    const nothing = {
      strategyFreeLamports: 0n,
      strategyPositionsLamports: [0n],
      feeLamports: 5n,
      minimumLamports: 100n,
    };
    expect(smallestSensibleAmount(nothing as unknown as SmallestAmountInput)).toBe(500n);
  });
});
