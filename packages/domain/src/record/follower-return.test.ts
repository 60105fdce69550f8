import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countedReturns, followReturn, medianFollowerReturn, splitGap, type FollowOutcome } from './follower-return.ts';
import { lamports } from '../numbers/lamports.ts';
import type { Plain } from '../plain-for-test.ts';
import { printRatePercent, rate } from '../numbers/rate.ts';

const PERCENT = 1_000_000n;

/** Of 0.1 SOL, worth so many percent of it. */
function aFollow(percent: bigint, overrides: Partial<Plain<FollowOutcome>> = {}): FollowOutcome {
  const follow = {
    depositedLamports: 100n * PERCENT,
    valueLamports: percent * PERCENT,
    startedAtMs: 0,
    untilMs: 3_600_000,
    ...overrides,
  };
  const lamportMs = follow.depositedLamports * BigInt(follow.untilMs - follow.startedAtMs);
  return { lamportMs, ...follow } as FollowOutcome;
}

describe('the follower return', () => {
  it('is the median of the follows that lasted', () => {
    const follows = [aFollow(90n), aFollow(300n), aFollow(110n), aFollow(1n, { untilMs: 60_000 })];
    const { median, count } = medianFollowerReturn(follows);
    expect(printRatePercent(median)).toBe('10');
    expect(count).toBe(3);
  });

  it('sorts by size, whatever the order, and counts a follow from its first hour on', () => {
    const follows = [30n, 10n, 50n, 20n, 40n].map((value) => aFollow(value));
    expect(printRatePercent(medianFollowerReturn(follows).median)).toBe('-70');
    expect(medianFollowerReturn([aFollow(1n, { startedAtMs: 1 })])).toEqual({ median: null, count: 0 });
  });

  it('leaves follows below 0.1 SOL out', () => {
    const small = aFollow(900n, { depositedLamports: 100n * PERCENT - 1n });
    expect(medianFollowerReturn([small])).toEqual({ median: null, count: 0 });
    expect(medianFollowerReturn([small, aFollow(110n)]).count).toBe(1);
  });

  it('lies between the two in the middle of an even number', () => {
    expect(printRatePercent(medianFollowerReturn([aFollow(90n), aFollow(120n)]).median)).toBe('5');
  });

  it('is not moved by many small follows that are canceled where they lose', () => {
    const people = [aFollow(8_000n, { depositedLamports: 10_000n * PERCENT, untilMs: 10 * 86_400_000 })];
    const puppets = Array.from({ length: 200 }, () => aFollow(150n));
    const { median, count } = medianFollowerReturn([...puppets, ...people]);
    expect(printRatePercent(median)).toBe('-20');
    expect(count).toBe(201);
  });

  it('weighs what was added late with the time that it was in', () => {
    const day = 86_400_000;
    const people = [aFollow(800n, { depositedLamports: 1_000n * PERCENT, untilMs: 10 * day })];
    const lamportMs = 100n * PERCENT * BigInt(10 * day) + 1_000_000n * PERCENT * 60_000n;
    const late = aFollow(1_000_150n, { depositedLamports: 1_000_100n * PERCENT, untilMs: 10 * day, lamportMs });
    expect(printRatePercent(medianFollowerReturn([late, ...people]).median)).toBe('-20');
    expect(medianFollowerReturn([{ ...late, lamportMs: 0n }])).toEqual({ median: null, count: 0 });
  });

  it('is the same whichever of the returns are known already', () => {
    const made = fc.tuple(fc.bigInt({ min: 0n, max: 12n }), fc.integer({ min: 1, max: 3 }));
    const some = fc.array(made, { maxLength: 12 });
    fc.assert(
      fc.property(some, some, (now, before) => {
        const [follows, earlier] = [now, before].map((all) =>
          all.map(([percent, hours]) => aFollow(percent, { untilMs: hours * 3_600_000 })),
        );
        const whole = medianFollowerReturn([...follows!, ...earlier!]);
        expect(medianFollowerReturn(follows!, countedReturns(earlier!))).toEqual(whole);
      }),
    );
  });

  it('is unknown without any follow that lasted, or without money in it', () => {
    expect(medianFollowerReturn([])).toEqual({ median: null, count: 0 });
    expect(followReturn(aFollow(1n, { depositedLamports: 0n }))).toBeNull();
  });
});

describe('the gap between the yield and what a follower got', () => {
  it('splits into price, fees, skipped copies and timing that add up exactly', () => {
    const change = fc.bigInt({ min: -(10n ** 12n), max: 10n ** 12n });
    fc.assert(
      fc.property(
        change,
        change,
        change,
        change,
        change,
        fc.bigInt({ min: 1n, max: 10n ** 12n }).map(lamports),
        (...numbers) => {
          const [yieldRate, followerReturn, priceLamports, feeLamports, skippedLamports, depositedLamports] = numbers;
          const parts = splitGap({
            yieldRate: rate(yieldRate),
            followerReturn: rate(followerReturn),
            priceLamports,
            feeLamports,
            skippedLamports,
            depositedLamports,
          });
          expect(parts!.price + parts!.fees + parts!.skipped + parts!.timing).toBe(yieldRate - followerReturn);
        },
      ),
    );
  });

  it('takes each part as a share of what was put in', () => {
    const parts = splitGap({
      yieldRate: rate(10n ** 18n),
      followerReturn: rate(10n ** 17n),
      depositedLamports: lamports(100n),
      priceLamports: 10n,
      feeLamports: 20n,
      skippedLamports: -5n,
    });
    const [gap, price, fees, skipped, timing] = [90n, 10n, 20n, -5n, 65n].map((percent) => percent * 10n ** 16n);
    expect(parts).toEqual({ gap, price, fees, skipped, timing });
  });

  it('is unknown where nothing was put in', () => {
    expect(
      splitGap({
        yieldRate: rate(0n),
        followerReturn: rate(0n),
        depositedLamports: lamports(0n),
        priceLamports: 0n,
        feeLamports: 0n,
        skippedLamports: 0n,
      }),
    ).toBeNull();
  });
});
