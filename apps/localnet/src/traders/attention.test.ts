import { describe, expect, it } from 'vitest';
import { attentionShares, interestAt } from './attention.ts';
import { genesisTokens, planOf } from './market-tokens.ts';
import { rugSteps } from './price-plan.ts';

const GENESIS = 1_800_000_000;
const plans = genesisTokens('3', GENESIS).map(({ listing }) => planOf('3', listing, GENESIS));
const sharesAt = (seconds: number): number[] => attentionShares(plans.map((plan) => interestAt(plan, seconds)));
const minutes = (count: number): number[] => Array.from({ length: count }, (_, minute) => minute * 60);

describe('attention', () => {
  it('gives the five tokens that are talked about most of the trades, and every token some', () => {
    for (const seconds of minutes(600)) {
      const shares = sharesAt(seconds).toSorted((one, other) => other - one);
      const five = shares.slice(0, 5).reduce((sum, share) => sum + share, 0);
      expect(five).toBeGreaterThan(0.55);
      expect(five).toBeLessThan(0.75);
      // At four trades a second the first one trades every second.
      expect(shares[0]! * 4).toBeGreaterThan(1);
      expect(shares.at(-1)!).toBeGreaterThan(0);
      expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 9);
    }
  });

  it('moves on within hours, and stays for minutes', () => {
    const first = minutes(24 * 60).map((seconds) => {
      const shares = sharesAt(seconds);
      return shares.indexOf(Math.max(...shares));
    });
    expect(new Set(first).size).toBeGreaterThan(5);
    const changes = first.filter((token, minute) => minute > 0 && token !== first[minute - 1]).length;
    expect(first.length / Math.max(1, changes)).toBeGreaterThan(3);
  });

  it('goes to the same tokens whenever it is asked about the same moment', () => {
    expect(sharesAt(4_321)).toEqual(sharesAt(4_321));
  });
});

describe('a rug', () => {
  const launches = Array.from({ length: 400 }, (_, index) =>
    planOf('3', { index: 1_000 + index, createdAtMs: GENESIS * 1000 }, GENESIS),
  );
  const rugs = launches.flatMap((plan) => rugSteps(plan) ?? []);

  it('is the end of about a quarter of launches, and of nothing else', () => {
    const count = launches.filter((plan) => rugSteps(plan) !== null).length;
    expect(count / launches.length).toBeGreaterThan(0.17);
    expect(count / launches.length).toBeLessThan(0.33);
    expect(plans.filter((plan) => rugSteps(plan) !== null)).toEqual([]);
    expect(rugs.length).toBe(count * 4);
  });

  it('is announced by sales of the developer, the first of them eight minutes before and more', () => {
    for (const plan of launches) {
      const steps = rugSteps(plan);
      if (steps === null) continue;
      const last = steps.at(-1)!;
      expect(last.isLast).toBe(true);
      for (const { atSeconds, isLast } of steps.slice(0, -1)) {
        expect(isLast).toBe(false);
        expect(last.atSeconds - atSeconds).toBeGreaterThan(100);
      }
      expect(last.atSeconds - steps[0]!.atSeconds).toBeGreaterThanOrEqual(480);
      expect(steps[0]!.atSeconds).toBeGreaterThan(plan.bornAt + 600);
    }
  });
});
