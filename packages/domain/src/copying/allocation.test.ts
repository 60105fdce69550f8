import { unitsIn, unitsOut } from '../market/swap-maths.ts';
import { lamports } from '../numbers/lamports.ts';
import { baseUnits } from '../numbers/base-units.ts';
import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import {
  type Allocation,
  allocateRound,
  followerFeeMax,
  shareOut,
  type RoundFill,
  type RoundParts,
} from './allocation.ts';

const part = fc.record({
  tieKey: fc.nat(),
  amountIn: fc.bigInt({ min: 1n, max: 10n ** 13n }),
});
const followers = fc.uniqueArray(part, { minLength: 1, maxLength: 40, selector: ({ tieKey }) => tieKey });
const fillOf = fc.record({
  side: fc.constantFrom('buy' as const, 'sell' as const),
  amountOut: fc.bigInt({ min: 0n, max: 10n ** 16n }),
  feeLamports: fc.bigInt({ min: 0n, max: 10_000_000n }).map(lamports),
});

type Part = { tieKey: number; amountIn: bigint; isCreator: boolean };

function roundOf(parts: { tieKey: number; amountIn: bigint }[], withCreator: boolean): Part[] {
  return parts.map((each, index) => ({ ...each, isCreator: withCreator && index === 0 }));
}

function allocate(parts: readonly Part[], fill: RoundFill): Allocation[] {
  const creator = parts.findIndex(({ isCreator }) => isCreator);
  const round: RoundParts = {
    amountsIn: parts.map(({ amountIn }) => amountIn),
    creator: creator < 0 ? null : creator,
    tieKeys: () => parts.map(({ tieKey }) => tieKey),
  };
  return allocateRound(round, fill);
}

/** `fill` without what goes in. */
function swapOf(
  { side, amountOut, feeLamports }: Omit<RoundFill, 'amountIn' | 'amountOut'> & { amountOut: bigint },
  amountIn: bigint,
): RoundFill {
  return { side, amountIn: unitsIn(side, amountIn), amountOut: unitsOut(side, amountOut), feeLamports };
}

function sum(values: readonly bigint[]): bigint {
  return values.reduce((total, value) => total + value, 0n);
}

describe('allocation of a round', () => {
  it('adds up to what the chain says, in inputs, outputs and fees', () => {
    fc.assert(
      fc.property(followers, fillOf, fc.boolean(), fc.bigInt({ min: 0n, max: 100n }), (parts, fill, led, missing) => {
        const round = roundOf(parts, led);
        const planned = sum(round.map(({ amountIn }) => amountIn));
        const amountIn = planned > missing ? planned - missing : planned;
        const shares = allocate(round, swapOf(fill, amountIn));
        expect(sum(shares.map((share) => share.amountIn))).toBe(amountIn);
        expect(sum(shares.map((share) => share.amountOut))).toBe(fill.amountOut);
        expect(sum(shares.map((share) => share.feeLamports))).toBe(fill.feeLamports);
      }),
      { numRuns: 1_000 },
    );
  });

  it('gives everybody the same price to less than one base unit, and takes nobody more than was put in', () => {
    fc.assert(
      fc.property(followers, fillOf, (parts, fill) => {
        const round = roundOf(parts, true);
        const amountIn = sum(round.map((each) => each.amountIn));
        for (const [index, share] of allocate(round, swapOf(fill, amountIn)).entries()) {
          expect(share.amountIn).toBe(round[index]!.amountIn);
          const exact = fill.amountOut * round[index]!.amountIn;
          expect(share.amountOut * amountIn - exact).toBeLessThan(amountIn);
          expect(exact - share.amountOut * amountIn).toBeLessThan(amountIn);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('does not depend on the order of the parts', () => {
    fc.assert(
      fc.property(followers, fillOf, fc.boolean(), (parts, fill, led) => {
        const round = roundOf(parts, led);
        const whole = swapOf(fill, sum(round.map(({ amountIn }) => amountIn)));
        const byKey = (shuffled: readonly Part[]) =>
          new Map(allocate(shuffled, whole).map((share, index) => [shuffled[index]!.tieKey, share]));
        expect(byKey(round.toReversed())).toEqual(new Map([...byKey(round)].toReversed()));
      }),
      { numRuns: 300 },
    );
  });

  it('lets a follower bear at most 0.05 % of the part and the creator the rest', () => {
    const round = roundOf(
      [
        { tieKey: 1, amountIn: 1_000_000n },
        { tieKey: 2, amountIn: 9_000_000n },
      ],
      true,
    );
    const shares = allocate(round, {
      side: 'buy',
      amountIn: lamports(10_000_000n),
      amountOut: baseUnits(77n),
      feeLamports: lamports(10_000n),
    });
    expect(shares.map(({ feeLamports }) => feeLamports)).toEqual([5_500n, 4_500n]);
    expect(followerFeeMax(9_000_000n)).toBe(4_500n);
  });

  it('shares the costs of joins and exits among those who take part', () => {
    const round = roundOf(
      [
        { tieKey: 1, amountIn: 1_000_000n },
        { tieKey: 2, amountIn: 3_000_000n },
      ],
      false,
    );
    const shares = allocate(round, {
      side: 'sell',
      amountIn: baseUnits(4_000_000n),
      amountOut: lamports(8n),
      feeLamports: lamports(10_000n),
    });
    expect(shares.map(({ feeLamports }) => feeLamports)).toEqual([2_500n, 7_500n]);
    expect(shares.map(({ amountOut }) => amountOut)).toEqual([2n, 6n]);
  });

  it('gives a unit that cannot be divided to the largest remainder, and a tie to the smaller key', () => {
    const ties = () => [2, 1, 3];
    expect(shareOut(10n, [1n, 1n, 1n], ties)).toEqual([3n, 4n, 3n]);
    expect(shareOut(10n, [5n, 3n, 7n], ties)).toEqual([3n, 2n, 5n]);
    expect(shareOut(10n, [0n, 0n], ties)).toEqual([0n, 0n]);
  });

  it('lets the bound of a follower in a sale be of the SOL that comes out', () => {
    const parts = roundOf(
      [
        { tieKey: 1, amountIn: 10n },
        { tieKey: 2, amountIn: 90n },
      ],
      true,
    );
    const shares = allocate(parts, {
      side: 'sell',
      amountIn: baseUnits(100n),
      amountOut: lamports(10_000_000n),
      feeLamports: lamports(10_000n),
    });
    expect(shares.map(({ feeLamports }) => feeLamports)).toEqual([5_500n, 4_500n]);
  });

  it('looks at remainders and not at shares, and at amounts larger than any chain has', () => {
    const ties = () => [1, 2, 3, 4];
    expect(shareOut(7n, [9n, 1n], ties)).toEqual([6n, 1n]);
    const large = 2n ** 70n;
    expect(shareOut(7n, [9n * large, large], ties)).toEqual([6n, 1n]);
    // Of ten units 1.5, 2.5, 2.5 and 3.5: all remainders are alike, and the first keys win.
    expect(shareOut(10n, [3n * large, 5n * large, 5n * large, 7n * large], ties)).toEqual([2n, 3n, 2n, 3n]);
    expect(shareOut(10n, [large + 1n, large, large, large], ties)).toEqual([3n, 3n, 2n, 2n]);
    expect(shareOut(3n, [1n, 2n ** 66n + 5n, 2n ** 66n + 3n, 2n ** 66n + 9n], ties)).toEqual([0n, 1n, 1n, 1n]);
  });
});
