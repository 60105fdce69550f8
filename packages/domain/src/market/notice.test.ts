import { describe, expect, it } from 'vitest';
import { lamports } from '../numbers/lamports.ts';
import { gradeNotice, hitRate, isProvenTrigger, PROVEN_GRADED_MIN } from './notice-grade.ts';
import {
  decideBreakout,
  decideCreatorBuy,
  decideProvenWallets,
  decideVolumeSurge,
  isProvenWallet,
  isRepeatedNotice,
} from './notice.ts';
import { price } from '../numbers/price.ts';
import { printRatePercent, rate } from '../numbers/rate.ts';

const MINUTE = 60_000;
const SOL = lamports(1_000_000_000n);

describe('a notice about proven wallets', () => {
  const buys = ['a', 'b', 'c'].map((wallet, index) => ({
    wallet,
    atMs: index * MINUTE,
    lamports: SOL / 20n,
    proven: true,
  }));

  it('comes with three of them within ten minutes', () => {
    expect(decideProvenWallets(buys, 10 * MINUTE)).toEqual({ wallets: ['a', 'b', 'c'] });
    expect(decideProvenWallets(buys, 10 * MINUTE + 1)).toBeNull();
    // Nothing from the future counts, and the present does.
    expect(decideProvenWallets(buys, 2 * MINUTE)).toEqual({ wallets: ['a', 'b', 'c'] });
    expect(decideProvenWallets(buys, 2 * MINUTE - 1)).toBeNull();
  });

  it('counts each wallet once, and only the proven', () => {
    expect(decideProvenWallets([buys[0]!, buys[0]!, buys[1]!], MINUTE)).toBeNull();
    expect(decideProvenWallets([...buys.slice(0, 2), { ...buys[2]!, proven: false }], MINUTE)).toBeNull();
  });

  it('is not made with crumbs', () => {
    const crumb = { ...buys[2]!, lamports: buys[2]!.lamports - 1n };
    expect(decideProvenWallets([...buys.slice(0, 2), crumb], 2 * MINUTE)).toBeNull();
  });

  it('takes a wallet as proven after enough won trades and a real profit', () => {
    expect(isProvenWallet({ closedTrips: 5, wonTrips: 3, realizedLamports: SOL })).toBe(true);
    expect(isProvenWallet({ closedTrips: 4, wonTrips: 4, realizedLamports: SOL })).toBe(false);
    expect(isProvenWallet({ closedTrips: 6, wonTrips: 3, realizedLamports: SOL })).toBe(false);
    expect(isProvenWallet({ closedTrips: 9, wonTrips: 9, realizedLamports: SOL - 1n })).toBe(false);
  });
});

describe('a notice about volume', () => {
  const surge = { fiveMinuteLamports: lamports(5n * SOL), hourBeforeLamports: lamports(12n * SOL), distinctBuyers: 8 };

  it('comes at five times the mean of the hour with enough buyers', () => {
    expect(decideVolumeSurge(surge)).toEqual({ factorBps: 50_000n });
    expect(decideVolumeSurge({ ...surge, fiveMinuteLamports: lamports(5n * SOL - 1n) })).toBeNull();
    expect(decideVolumeSurge({ ...surge, distinctBuyers: 7 })).toBeNull();
    const least = { ...surge, fiveMinuteLamports: lamports(2n * SOL), hourBeforeLamports: lamports(7n) };
    expect(decideVolumeSurge(least)).toEqual({ factorBps: 34_285_714_285_714n });
    expect(decideVolumeSurge({ ...least, fiveMinuteLamports: lamports(2n * SOL - 1n) })).toBeNull();
  });

  it('needs an hour to compare with and more than crumbs', () => {
    expect(decideVolumeSurge({ ...surge, hourBeforeLamports: lamports(0n) })).toBeNull();
    expect(
      decideVolumeSurge({ fiveMinuteLamports: lamports(10n), hourBeforeLamports: lamports(1n), distinctBuyers: 90 }),
    ).toBeNull();
  });
});

describe('a notice about a breakout', () => {
  const market = { price: price(110n), highestBefore: price(100n), holdersNow: 103, holdersHourAgo: 100 };

  it('needs both a new high and growing holders', () => {
    expect(decideBreakout(market)).toEqual({ newHolders: 3 });
    expect(decideBreakout({ ...market, price: price(109n) })).toBeNull();
    expect(decideBreakout({ ...market, holdersNow: 102 })).toBeNull();
    expect(decideBreakout({ ...market, highestBefore: price(0n) })).toBeNull();
    expect(decideBreakout({ ...market, holdersHourAgo: 0 })).toBeNull();
  });
});

describe("a notice about a creator's buy", () => {
  it('comes only from one with a positive yield and real money', () => {
    expect(decideCreatorBuy({ yieldRate: rate(1n), spendLamports: SOL })).toEqual({ yieldRate: 1n });
    expect(decideCreatorBuy({ yieldRate: rate(0n), spendLamports: SOL })).toBeNull();
    const spend = (sol: bigint) => decideCreatorBuy({ yieldRate: rate(1n), spendLamports: lamports(sol) });
    expect(spend(50_000_000n)).toEqual({ yieldRate: 1n });
    expect(spend(49_999_999n)).toBeNull();
  });
});

describe('notices', () => {
  it('do not repeat themselves within half an hour', () => {
    expect(isRepeatedNotice(null, 0)).toBe(false);
    expect(isRepeatedNotice(0, 30 * MINUTE - 1)).toBe(true);
    expect(isRepeatedNotice(0, 30 * MINUTE)).toBe(false);
  });

  it.each([
    [100n, 100n, 'gold'],
    [99n, 99n, 'silver'],
    [30n, 1n, 'silver'],
    [29n, 29n, 'bronze'],
    [15n, 1n, 'bronze'],
    [14n, 5n, 'flat'],
    [14n, 4n, 'dead'],
    [10n, 0n, 'dead'],
  ])('alerted at 10 with a peak of %s and %s at the end are %s', (peak, end, grade) => {
    expect(gradeNotice({ atAlert: price(10n), peak: price(peak), atHorizon: price(end) })).toBe(grade);
  });

  it('have no grade without a price at the alert', () => {
    expect(gradeNotice({ atAlert: price(0n), peak: price(1n), atHorizon: price(1n) })).toBeNull();
  });

  it('count their misses in the hit rate', () => {
    const rates = hitRate(['gold', 'bronze', 'flat', 'dead', 'dead']);
    expect(rates).toMatchObject({ graded: 5, hits: 2, byGrade: { gold: 1, silver: 0, bronze: 1, flat: 1, dead: 2 } });
    expect(printRatePercent(rates.rate)).toBe('40');
    expect(hitRate([]).rate).toBeNull();
  });
});

it('a trigger is proven once three of ten of enough notices were hits', () => {
  expect(isProvenTrigger({ graded: PROVEN_GRADED_MIN, hits: 6 })).toBe(true);
  expect(isProvenTrigger({ graded: PROVEN_GRADED_MIN, hits: 5 })).toBe(false);
  expect(isProvenTrigger({ graded: PROVEN_GRADED_MIN - 1, hits: 19 })).toBe(false);
});
