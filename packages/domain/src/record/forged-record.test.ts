import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { creatorScore, type ScoredTrip } from './creator-score.ts';
import {
  aPool,
  aRecordFill,
  firstRank,
  judged,
  loss,
  many,
  pump,
  puppets,
  scored,
  scoreOf,
  SOL,
  win,
} from './forged-record-for-test.ts';
import { countTrip, recordTripAfter, type RecordTrip } from './record-trip.ts';

describe('a forged record', () => {
  it('gains nothing by wash trades at prices of its own making', () => {
    // Four trades at ten times the market between the creator's own wallets made +493 % before.
    const market = { numerator: SOL / 2n, denominator: 1_000n };
    const washed = (index: number): ScoredTrip[] => {
      const pool = aPool(500n * SOL);
      return scored(index, [
        judged('buy', 1_000n, SOL / 20n, market, pool),
        judged('sell', 1_000n, 5n * SOL, market, pool),
      ]);
    };
    const honest = many(30, (index) => win(index));
    expect(many(40, washed).some(({ x }) => x > 0)).toBe(false);
    expect(scoreOf([...honest, ...many(40, washed)])).toBeLessThanOrEqual(scoreOf(honest));
  });

  it('gains nothing by tokens or SOL that were given to it', () => {
    const gift = fc.bigInt({ min: 0n, max: 10n ** 12n });
    fc.assert(
      fc.property(gift, gift, (tokens, sol) => {
        const price = SOL / 2n / 1_000n;
        const fills = [
          aRecordFill({ equityBeforeLamports: SOL + sol }),
          aRecordFill({ kind: 'sell', tokens: 1_000n + tokens, lamports: price * (1_000n + tokens) }),
        ];
        const trip = fills.reduce<RecordTrip | null>(recordTripAfter, null)!;
        expect(countTrip(trip, null, 0)?.outcome).not.toBe('won');
      }),
    );
  });

  it('keeps the losses of strategies that were ended', () => {
    // Thirty strategies of one trade each; the fifteen that lost are ended. The score is over all of them.
    const all = many(30, (index) => (index % 2 === 0 ? win(index, `coin-${index}`) : loss(index)));
    const winners = all.filter(({ x }) => x > 0);
    expect(all).toHaveLength(30);
    expect(scoreOf(winners)).toBeGreaterThan(0);
    expect(scoreOf(all)).toBeLessThan(0);
  });

  it('counts a loser that was made off-market on purpose as lost', () => {
    const hidden = loss(0, { offMarket: 'own-trade' });
    expect(hidden).toEqual(loss(0));
    expect(hidden[0]!.x).toBeLessThan(0);
  });

  it('gains nothing by a top-up after a lucky start', () => {
    // 0.5 SOL doubled while the equity was 1 SOL, then 99 SOL more: the rest of the trip is measured against all of it.
    const lucky = [aRecordFill(), aRecordFill({ kind: 'sell', lamports: SOL })];
    const topped = [
      aRecordFill(),
      aRecordFill({ tokens: 1n, lamports: SOL / 1_000n, equityBeforeLamports: 100n * SOL }),
      aRecordFill({ kind: 'sell', tokens: 1_001n, lamports: SOL }),
    ];
    expect(scored(0, topped)[0]!.x).toBeLessThan(scored(0, lucky)[0]!.x / 40);
    const start = many(8, (index) => win(index));
    const later = many(20, (index) => loss(index, { equityBeforeLamports: 2n * SOL }));
    expect(scoreOf([...start, ...later])).toBeLessThan(Math.min(0, scoreOf(start)));
  });

  it('is not made by followers of the own, however much they gain', () => {
    const lost = many(20, (index) => loss(index));
    expect(creatorScore(lost, puppets)).toBeLessThanOrEqual(scoreOf(lost));
    const honest = many(30, (index) => win(index));
    expect(creatorScore(honest, puppets)).toBeLessThanOrEqual(2 * scoreOf(honest));
  });

  it('cannot ride one rise of a coin with many strategies', () => {
    const others = ['b', 'c', 'd'].flatMap((mint, index) => win(index, mint));
    const rise = (count: number) => many(count, () => win(0, 'pumped'));
    expect(scoreOf([...rise(30), ...others])).toBe(scoreOf([...rise(1), ...others]));
  });
});

describe('the cost of forging a record with a hidden wallet', () => {
  const aPump = fc.record({
    poolSol: fc.bigInt({ min: 50n, max: 5_000n }),
    pumpPercent: fc.bigInt({ min: 1n, max: 150n }),
    stakePercent: fc.bigInt({ min: 2n, max: 100n }),
  });

  it('is about 40 SOL for every unit of x that it brings, or more', () => {
    fc.assert(
      fc.property(aPump, (plan) => {
        const { costLamports, trips } = pump(plan, 0);
        const x = trips.reduce((sum, trip) => sum + Math.max(0, trip.x), 0);
        expect(Number(costLamports) / Number(SOL)).toBeGreaterThanOrEqual(40 * x * 0.95);
      }),
      { numRuns: 500 },
    );
  });

  it('is more than 10 SOL for the first rank, even where own followers cost nothing', () => {
    let reached = 0;
    fc.assert(
      fc.property(aPump, fc.integer({ min: 20, max: 60 }), (plan, count) => {
        const pumps = Array.from({ length: count }, (_, index) => pump(plan, index));
        const trips = pumps.flatMap((each) => each.trips);
        if (creatorScore(trips, puppets) < firstRank) return;
        reached += 1;
        const cost = pumps.reduce((sum, { costLamports }) => sum + costLamports, 0n);
        expect(cost).toBeGreaterThan(10n * SOL);
      }),
      { numRuns: 500 },
    );
    expect(firstRank).toBeGreaterThan(0.005);
    expect(reached).toBeGreaterThan(20);
  });
});
