import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addFollowSums,
  coinGainLimit,
  creatorScore,
  followerScore,
  followSumsOf,
  isEarlyReturn,
  NO_FOLLOWS,
  rankedGains,
  rankedYield,
  tripScore,
  type ScoredTrip,
} from './creator-score.ts';
import type { FollowOutcome } from './follower-return.ts';
import { lamports } from '../numbers/lamports.ts';

const DAY_MS = 86_400_000;
const SOL = 1_000_000_000n;

/** One after the other, each in its own coin unless said otherwise. */
function tripsOf(xs: readonly number[], mintOf = (index: number) => `coin-${index}`): ScoredTrip[] {
  return xs.map((x, index) => ({ mint: mintOf(index), openedAtMs: 2 * index, closedAtMs: 2 * index + 1, x }));
}

function aFollow(value: bigint, days = 2, deposited = SOL): FollowOutcome {
  return {
    depositedLamports: lamports(deposited),
    valueLamports: lamports(value),
    startedAtMs: 0,
    untilMs: days * DAY_MS,
    lamportMs: deposited * BigInt(days * DAY_MS),
  };
}

describe('the score of trips', () => {
  it('is Σx ÷ (n + 20) − 1.28 · sd ÷ √(n + 20)', () => {
    const xs = [0.08, 0.08, 0.08, 0.08, -0.04, -0.01];
    const mean = 0.27 / 6;
    const sd = Math.sqrt(xs.reduce((sum, x) => sum + (x - mean) ** 2, 0) / 5);
    expect(tripScore(tripsOf(xs))).toBeCloseTo(0.27 / 26 - (1.28 * sd) / Math.sqrt(26), 12);
  });

  it('is zero without any trip, and takes the widest spread for one', () => {
    expect(tripScore([])).toBe(0);
    expect(tripScore(tripsOf([-0.1]))).toBeCloseTo(-0.1 / 21 - (1.28 * 0.25) / Math.sqrt(21), 12);
  });

  it('grows with the number of equal trips and never reaches their mean', () => {
    fc.assert(
      fc.property(fc.integer({ min: 4, max: 200 }), fc.double({ min: 0.001, max: 0.25, noNaN: true }), (count, x) => {
        const [few, more] = [count, count + 1].map((n) => tripScore(tripsOf(Array<number>(n).fill(x))));
        expect(few).toBeLessThan(more!);
        expect(more).toBeLessThan(x);
      }),
    );
  });

  it('is never raised by trips that were neither won nor lost', () => {
    const x = fc.double({ min: -0.25, max: 0.25, noNaN: true });
    const flat = fc.double({ min: -0.000_999, max: 0, noNaN: true });
    fc.assert(
      fc.property(fc.array(x, { maxLength: 30 }), fc.array(flat, { maxLength: 60 }), (xs, flats) => {
        const [plain, padded] = [xs, [...xs, ...flats]].map((all) => tripScore(tripsOf(all, (i) => `coin-${i % 7}`)));
        expect(padded).toBeLessThanOrEqual(plain! + 1e-12);
      }),
    );
  });

  it('falls with every trip that loses more than the mean so far', () => {
    const wins = Array<number>(20).fill(0.05);
    expect(tripScore(tripsOf([...wins, -0.1]))).toBeLessThan(tripScore(tripsOf(wins)));
  });

  it('does not depend on the order in which trips are told', () => {
    const x = fc.double({ min: -0.25, max: 0.25, noNaN: true });
    fc.assert(
      fc.property(fc.array(x, { minLength: 1, maxLength: 30 }), (xs) => {
        const trips = tripsOf(xs, (index) => `coin-${index % 5}`);
        expect(tripScore([...trips].reverse())).toBeCloseTo(tripScore(trips), 9);
      }),
    );
  });
});

describe('the gains of the ranked line', () => {
  it('come to at most a quarter from one coin', () => {
    const gain = fc.double({ min: 0.000_001, max: 1, noNaN: true });
    fc.assert(
      fc.property(fc.array(gain, { minLength: 1, maxLength: 12 }), (gains) => {
        const limit = coinGainLimit(gains);
        const cut = gains.map((value) => (limit === null ? value : Math.min(value, limit)));
        const total = cut.reduce((sum, value) => sum + value, 0);
        for (const value of cut) expect(value).toBeLessThanOrEqual(total / 4 + 1e-9);
        if (limit !== null && limit > 0) expect(Math.max(...cut)).toBeCloseTo(total / 4, 9);
      }),
    );
  });

  it('are nothing with fewer than four coins that won, and stay as they are with four equal ones', () => {
    expect(coinGainLimit([])).toBe(0);
    expect(coinGainLimit([1, 1, 1])).toBe(0);
    expect(coinGainLimit([1, 1, 1, 1])).toBeNull();
    expect(coinGainLimit([10, 1, 1, 1])).toBe(1);
    expect(coinGainLimit([10, 8, 1, 1, 1])).toBe(1.5);
  });

  it('are never nothing with four coins that won', () => {
    expect(coinGainLimit([0.21152869905772395, 0.11552894704918198, 0.07440013236327006, 0.057407942000784834])).toBe(
      0.057407942000784834,
    );
    const gain = fc.double({ min: 1e-9, max: 1, noNaN: true });
    fc.assert(
      fc.property(fc.array(gain, { minLength: 4, maxLength: 8 }), (gains) => {
        const fourth = gains.toSorted((left, right) => right - left)[3]!;
        expect(coinGainLimit(gains) ?? Infinity).toBeGreaterThan(fourth * (1 - 1e-12));
      }),
    );
  });

  it('leave losses whole and scale all wins of a coin alike', () => {
    const trips = tripsOf([0.2, 0.1, 0.1, 0.1, 0.1, -0.2], (index) => (index < 2 ? 'lucky' : `coin-${index}`));
    expect(rankedGains(trips).map((x) => Number(x.toFixed(6)))).toEqual([-0.2, 0.066667, 0.033333, 0.1, 0.1, 0.1]);
    expect(rankedYield(trips)).toBeCloseTo(Math.expm1(0.2), 9);
  });

  it('count overlapping wins in one coin once, with the largest', () => {
    const win = (openedAtMs: number, closedAtMs: number | null, x: number, mint = 'a') => ({
      mint,
      openedAtMs,
      closedAtMs,
      x,
    });
    const others = ['b', 'c', 'd'].map((mint) => win(0, 1, 1, mint));
    const gains = (...wins: ScoredTrip[]) => rankedGains([...wins, ...others]).length - 3;
    expect(gains(win(0, 10, 0.1), win(5, 15, 0.2), win(14, 20, 0.1))).toBe(1);
    expect(gains(win(10, 20, 0.1), win(0, 10, 0.2))).toBe(2);
    expect(gains(win(0, null, 0.1), win(50, 60, 0.2))).toBe(1);
    expect(gains(win(0, 100, 0.1), win(10, 20, 0.2), win(30, 40, 0.3))).toBe(1);
    // Four coins won, so each may give as much as the least of them: the larger of the two.
    expect(Math.max(...rankedGains([win(0, 9, 0.1), win(1, 2, 0.2), ...others]))).toBeCloseTo(0.2, 9);
  });
});

describe('the score of followers', () => {
  it('weighs log returns per day by SOL and days', () => {
    const sums = followSumsOf([aFollow((110n * SOL) / 100n, 2), aFollow((30n * SOL * 9n) / 10n, 4, 30n * SOL)]);
    const [small, large] = [Math.log(1.1) / 2, Math.log(0.9) / 4];
    expect(sums.weight).toBeCloseTo(122, 9);
    expect(sums.weighted).toBeCloseTo(2 * small + 120 * large, 9);
    expect(followerScore(sums)).toBeLessThan(0);
  });

  it('is zero without follows that count', () => {
    expect(followerScore(NO_FOLLOWS)).toBe(0);
    expect(followerScore(followSumsOf([aFollow(SOL / 5n, 2, SOL / 20n), aFollow(2n * SOL, 0.01)]))).toBe(0);
  });

  it('takes a follow shorter than a day as a day, and clips at a quarter', () => {
    expect(followSumsOf([aFollow((101n * SOL) / 100n, 0.5)]).weighted).toBeCloseTo(0.5 * Math.log(1.01), 12);
    expect(followSumsOf([aFollow(100n * SOL, 1)]).weighted).toBeCloseTo(0.25, 12);
    expect(followSumsOf([aFollow(0n, 1)]).weighted).toBeCloseTo(-0.25, 12);
  });

  it('takes one large follow as one, and ten SOL days as no more than one trip', () => {
    const alone = followerScore(followSumsOf([aFollow(12_000n * SOL, 1, 10_000n * SOL)]));
    expect(alone).toBeCloseTo(Math.log(1.2) / 21, 9);
    const crowd = followerScore(followSumsOf(Array(20).fill(aFollow((12n * SOL) / 100n, 1, SOL / 10n))));
    expect(crowd).toBeCloseTo((0.2 * Math.log(1.2)) / 20.2, 6);
  });

  it('adds up over strategies', () => {
    const follows = [aFollow(2n * SOL, 3), aFollow(SOL / 2n, 5), aFollow(SOL, 7)];
    const parts = follows.map((follow) => followSumsOf([follow])).reduce(addFollowSums);
    expect(parts).toEqual(followSumsOf(follows));
  });

  it('is half of the score, the trips are the other half', () => {
    const trips = tripsOf(Array<number>(30).fill(0.05));
    const follows = followSumsOf(Array(10).fill(aFollow((11n * SOL) / 10n, 10)));
    expect(creatorScore(trips, NO_FOLLOWS)).toBe(tripScore(trips) / 2);
    // Followers add at most as much as the trips do: alone they make no record.
    expect(creatorScore([], follows)).toBe(0);
    expect(creatorScore(trips, follows)).toBeCloseTo((tripScore(trips) + followerScore(follows)) / 2, 12);
  });
});

describe('single trips and follows', () => {
  it('count a trip that gained nothing once, as no win', () => {
    expect(rankedGains(tripsOf([0]))).toEqual([0]);
    expect(coinGainLimit([0, 0, 0, 0])).toBeNull();
  });

  it('keep the wins of a coin that stays below the limit of a larger one', () => {
    expect(rankedGains(tripsOf([0.2, 0.03, 0.02, 0.02, 0.02])).slice(1)).toEqual([0.03, 0.02, 0.02, 0.02]);
  });

  it('know the spread of two trips', () => {
    const sd = Math.sqrt(0.005);
    expect(tripScore(tripsOf([-0.1, -0.2]))).toBeCloseTo(-0.3 / 22 - (1.28 * sd) / Math.sqrt(22), 12);
  });

  it('weigh a follow by how long it lasted, whenever it began, and take one that lost all at the clip', () => {
    const late = { ...aFollow(2n * SOL), startedAtMs: 5 * DAY_MS, untilMs: 7 * DAY_MS };
    expect(followSumsOf([late])).toEqual(followSumsOf([aFollow(2n * SOL)]));
    expect(followSumsOf([aFollow(0n)])).toMatchObject({ weight: 2, weighted: -0.5 });
  });
});

describe('an early follower return', () => {
  const AGE_MS = 72 * 3_600_000;
  const isEarly = (follows: FollowOutcome[], ageMs = AGE_MS) => isEarlyReturn(followSumsOf(follows), ageMs);

  it('is one of fewer than five follows, or of a strategy younger than three days', () => {
    expect(isEarly([])).toBe(true);
    expect(isEarly(Array(4).fill(aFollow(SOL)))).toBe(true);
    for (const days of [2, 3, 7]) expect(isEarly(Array(5).fill(aFollow(SOL, days)))).toBe(false);
    expect(isEarly(Array(5).fill(aFollow(SOL)), AGE_MS - 1)).toBe(true);
  });

  it('stays early however many small follows stand beside a large one, because their median is that one', () => {
    const large = aFollow(120n * SOL, 2, 100n * SOL);
    expect(isEarly([large, ...Array(200).fill(aFollow(SOL / 10n, 0.05, SOL / 10n))])).toBe(true);
  });
});
