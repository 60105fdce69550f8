import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Address } from '../address.ts';
import type { Plain } from '../plain-for-test.ts';
import { planRebalance, type RebalanceInput } from './rebalance-plan.ts';
import { readWeights, WEIGHT_WHOLE } from './weights.ts';

const SOL = 1_000_000_000n;

function weights(...coins: [string, string][]): RebalanceInput['targets'] {
  const reading = readWeights(coins.map(([mint, weight]) => ({ mint: mint as Address, weight })));
  if (!reading.ok) throw new Error(reading.problem);
  return reading.targets;
}

function aRebalance(overrides: Partial<Plain<RebalanceInput>> = {}): RebalanceInput {
  return {
    freeLamports: 10n * SOL,
    positions: [],
    targets: [],
    dustLamports: 1_000_000n,
    feeLamports: 5_000n,
    ...overrides,
  } as RebalanceInput;
}

describe('a rebalance', () => {
  it('buys the first coins of a strategy out of SOL', () => {
    const plan = planRebalance(aRebalance({ targets: weights(['a', '50'], ['b', '25']) }));
    expect(plan.sells).toEqual([]);
    expect(plan.buys).toEqual([
      { mint: 'a', spendLamports: 5n * SOL },
      { mint: 'b', spendLamports: (5n * SOL) / 2n },
    ]);
  });

  it('keeps room for the costs when everything is to be invested', () => {
    const plan = planRebalance(aRebalance({ targets: weights(['a', '50'], ['b', '50']) }));
    const spent = plan.buys.reduce<bigint>((sum, { spendLamports }) => sum + spendLamports, 0n);
    expect(10n * SOL - spent).toBeGreaterThanOrEqual(2n * 5_000n);
    expect(plan.buys[0]?.spendLamports).toBe(plan.buys[1]?.spendLamports);
  });

  it('sells first what is too heavy, and everything of a coin that was dropped', () => {
    const plan = planRebalance(
      aRebalance({
        freeLamports: 0n,
        positions: [
          { mint: 'a', tokens: 1_000n, liquidationLamports: 6n * SOL },
          { mint: 'gone', tokens: 77n, liquidationLamports: 4n * SOL },
        ],
        targets: weights(['a', '30'], ['new', '60']),
      }),
    );
    expect(plan.sells).toEqual([
      { mint: 'a', tokens: 500n, expectedLamports: 3n * SOL },
      { mint: 'gone', tokens: 77n, expectedLamports: 4n * SOL },
    ]);
    expect(plan.buys).toEqual([{ mint: 'new', spendLamports: 6n * SOL }]);
  });

  it('leaves dust alone and what is worth nothing', () => {
    const plan = planRebalance(
      aRebalance({
        freeLamports: 5n * SOL,
        positions: [
          { mint: 'a', tokens: 1_000n, liquidationLamports: 5n * SOL + 10n },
          { mint: 'dead', tokens: 5n, liquidationLamports: 0n },
        ],
        targets: weights(['a', '50']),
      }),
    );
    expect(plan).toEqual({ sells: [], buys: [], equityLamports: 10n * SOL + 10n });
  });

  it('corrects a difference of exactly the dust limit, and none below it', () => {
    const drift = (surplus: bigint) =>
      planRebalance(
        aRebalance({
          freeLamports: 5n * SOL - surplus,
          positions: [{ mint: 'a', tokens: 1_000n, liquidationLamports: 5n * SOL + surplus }],
          targets: weights(['a', '50']),
        }),
      );
    expect(drift(1_000_000n).sells).toEqual([{ mint: 'a', tokens: 1n, expectedLamports: 1_000_000n }]);
    expect(drift(999_999n).sells).toEqual([]);
    expect(drift(-1_000_000n).buys).toEqual([{ mint: 'a', spendLamports: 1_000_000n }]);
    expect(drift(-999_999n).buys).toEqual([]);
  });

  it('pays a fee for every trade', () => {
    const plan = planRebalance(
      aRebalance({
        freeLamports: 0n,
        positions: [
          { mint: 'gone', tokens: 7n, liquidationLamports: 6n * SOL },
          { mint: 'kept', tokens: 7n, liquidationLamports: 4n * SOL },
        ],
        targets: weights(['kept', '50'], ['new', '50']),
      }),
    );
    // One sell and two buys: what is left of 6 SOL is shared 1 : 5.
    const spendable = 6n * SOL - 3n * 5_000n;
    expect(plan.buys).toEqual([
      { mint: 'kept', spendLamports: spendable / 6n },
      { mint: 'new', spendLamports: (spendable * 5n) / 6n },
    ]);
    expect(plan.equityLamports).toBe(10n * SOL);
  });

  it('buys nothing where the costs eat what there is, and sells nothing that it does not hold', () => {
    const poor = aRebalance({ freeLamports: 5_000n, dustLamports: 1n, targets: weights(['a', '100']) });
    expect(planRebalance(poor).buys).toEqual([]);
    const none = aRebalance({ positions: [{ mint: 'a', tokens: 0n, liquidationLamports: 5n }], targets: [] });
    expect(planRebalance(none).sells).toEqual([]);
  });

  it('refuses more than the whole', () => {
    const targets = [{ mint: 'a', weight: WEIGHT_WHOLE + 1n }];
    expect(() => planRebalance(aRebalance({ targets }))).toThrow('WEIGHTS_INVALID');
  });

  it('never sells more than is held nor spends more than there will be', () => {
    const value = fc.bigInt({ min: 0n, max: 50n * SOL });
    fc.assert(
      fc.property(
        value,
        fc.array(fc.record({ tokens: value, liquidationLamports: value }), { maxLength: 5 }),
        fc.array(fc.integer({ min: 1, max: 12 }), { maxLength: 8 }),
        (freeLamports, held, shares) => {
          const positions = held.map((position, index) => ({ ...position, mint: `m${index}` }));
          const targets = weights(
            ...shares.map((share, index): [string, string] => [`m${index * 2}`, share.toString()]),
          );
          const plan = planRebalance(aRebalance({ freeLamports, positions, targets }));
          for (const sell of plan.sells) {
            expect(sell.tokens <= positions.find(({ mint }) => mint === sell.mint)!.tokens).toBe(true);
          }
          const proceeds = plan.sells.reduce<bigint>((sum, { expectedLamports }) => sum + expectedLamports, 0n);
          const spent = plan.buys.reduce<bigint>((sum, { spendLamports }) => sum + spendLamports, 0n);
          expect(spent <= freeLamports + proceeds).toBe(true);
          const both = plan.sells.filter(({ mint }) => plan.buys.some((buy) => buy.mint === mint));
          expect(both).toEqual([]);
        },
      ),
    );
  });

  it('sells all of a dropped coin, however little it is worth', () => {
    const positions = [{ mint: 'gone', tokens: 5n, liquidationLamports: 7n }];
    expect(planRebalance(aRebalance({ positions })).sells).toEqual([
      { mint: 'gone', tokens: 5n, expectedLamports: 7n },
    ]);
  });

  it('leaves differences below the dust alone, and corrects one that is as large', () => {
    const missing = (lamportsMissing: bigint) =>
      planRebalance(
        aRebalance({
          freeLamports: 5n * SOL + lamportsMissing,
          positions: [{ mint: 'a', tokens: 10n, liquidationLamports: 5n * SOL - lamportsMissing }],
          targets: weights(['a', '50']),
        }),
      ).buys;
    expect(missing(999_999n)).toEqual([]);
    expect(missing(1_000_000n)).toEqual([{ mint: 'a', spendLamports: 1_000_000n }]);
  });

  it('buys nothing with what is left below the dust after the costs', () => {
    const left = (freeLamports: bigint) =>
      planRebalance(aRebalance({ freeLamports, targets: weights(['a', '100']) })).buys;
    expect(left(1_004_999n)).toEqual([]);
    expect(left(1_005_000n)).toEqual([{ mint: 'a', spendLamports: 1_000_000n }]);
  });

  it('trades nothing that is nothing where no difference is dust', () => {
    const exact = aRebalance({
      freeLamports: 5n * SOL,
      positions: [{ mint: 'a', tokens: 10n, liquidationLamports: 5n * SOL }],
      targets: weights(['a', '50']),
      dustLamports: 0n,
    });
    expect(planRebalance(exact)).toMatchObject({ sells: [], buys: [] });
    const spentOnFees = aRebalance({ freeLamports: 5_000n, targets: weights(['a', '100']), dustLamports: 0n });
    expect(planRebalance(spentOnFees).buys).toEqual([]);
  });

  it('refuses weights of more than the whole', () => {
    const targets = [
      { mint: 'a', weight: WEIGHT_WHOLE },
      { mint: 'b', weight: 1n },
    ];
    expect(() => planRebalance(aRebalance({ targets }))).toThrow('WEIGHTS_INVALID: problem=sum over 100');
  });
});
