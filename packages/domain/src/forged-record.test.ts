import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { baseUnits } from './base-units.ts';
import { creatorScore, followSumsOf, NO_FOLLOWS, type ScoredTrip } from './creator-score.ts';
import { lamports, type Lamports } from './lamports.ts';
import { offMarketReason, worseLamports } from './off-market.ts';
import type { Plain } from './plain-for-test.ts';
import { countTrip, recordTripAfter, type RecordFill, type RecordTrip } from './record-trip.ts';
import { quotePool, spotPrice, type Pool, type Ratio } from './swap-maths.ts';

// What an attacker can do to his record, played through the rules that the product runs.

const SOL = 1_000_000_000n;
const HOUR_MS = 3_600_000;

const fillOfHalf = {
  kind: 'buy',
  atMs: 0,
  tokens: 1_000n,
  lamports: SOL / 2n,
  feeLamports: 0n,
  offMarket: null,
} as const;

/** A buy of 1,000 tokens for 0.5 SOL out of an equity of 1 SOL, in a pool deep enough for any win to count. */
function aRecordFill(overrides: Partial<Plain<RecordFill>> = {}): RecordFill {
  const deep = { equityBeforeLamports: SOL, poolLamports: 100_000n * SOL, poolFee: 50n };
  return { ...fillOfHalf, ...deep, ...overrides } as RecordFill;
}

function scored(index: number, fills: readonly RecordFill[], mint = `coin-${index % 5}`): ScoredTrip[] {
  const trip = fills.reduce<RecordTrip | null>(recordTripAfter, null)!;
  const counted = countTrip(trip, null, trip.openedAtMs + 100 * HOUR_MS);
  return counted === null ? [] : [{ mint, openedAtMs: 2 * index, closedAtMs: 2 * index + 1, x: counted.x }];
}

const win = (index: number, mint?: string) =>
  scored(index, [aRecordFill(), aRecordFill({ kind: 'sell', lamports: (55n * SOL) / 100n })], mint);
const loss = (index: number, overrides: Parameters<typeof aRecordFill>[0] = {}) =>
  scored(index, [aRecordFill(overrides), aRecordFill({ kind: 'sell', lamports: (45n * SOL) / 100n, ...overrides })]);
const many = (count: number, trip: (index: number) => ScoredTrip[]) =>
  Array.from({ length: count }, (_, i) => trip(i)).flat();
const scoreOf = (trips: readonly ScoredTrip[]) => creatorScore(trips, NO_FOLLOWS);

/** A swap and the pool after it, as the chain would do it. */
function swap(pool: Pool, side: 'buy' | 'sell', amount: bigint): { out: bigint; pool: Pool } {
  const quote = quotePool(
    pool,
    side,
    (side === 'buy' ? lamports(amount) : baseUnits(amount)) as Lamports & ReturnType<typeof baseUnits>,
  );
  if (quote.kind === 'refused') throw new Error(quote.reason);
  return { out: quote.amountOut, pool: quote.poolAfter };
}

function aPool(solReserve: bigint): Pool {
  return {
    solReserve: lamports(solReserve),
    tokenReserve: baseUnits(10n ** 15n),
    virtualSol: lamports(0n),
    virtualTokens: baseUnits(0n),
    feeBps: 50n,
  };
}

function judged(side: 'buy' | 'sell', tokens: bigint, paid: bigint, market: Ratio, pool: Pool): RecordFill {
  const reason = offMarketReason({
    side,
    tokens: baseUnits(tokens),
    lamports: lamports(paid),
    atMs: 0,
    ownTradeAtMs: null,
    reference: market,
    isCopyable: true,
  });
  return aRecordFill({
    kind: side,
    tokens,
    lamports: worseLamports(side, baseUnits(tokens), lamports(paid), market),
    poolLamports: pool.solReserve,
    poolFee: pool.feeBps,
    offMarket: reason,
  });
}

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

  it('cannot ride one rise of a coin with many strategies', () => {
    const others = ['b', 'c', 'd'].flatMap((mint, index) => win(index, mint));
    const rise = (count: number) => many(count, () => win(0, 'pumped'));
    expect(scoreOf([...rise(30), ...others])).toBe(scoreOf([...rise(1), ...others]));
  });
});

// A modest first rank: 60 trips with a mean of 2 % and a spread of 4 %, and 20 followers with 1 SOL for a week who got 1 % a day.
const firstRank = creatorScore(
  many(60, (index) => [
    { mint: `coin-${index % 12}`, openedAtMs: 2 * index, closedAtMs: 2 * index + 1, x: index % 2 === 0 ? 0.06 : -0.02 },
  ]),
  followSumsOf(
    Array.from({ length: 20 }, () => ({
      depositedLamports: lamports(SOL),
      valueLamports: lamports((107n * SOL) / 100n),
      startedAtMs: 0,
      untilMs: 7 * 24 * HOUR_MS,
    })),
  ),
);

type Pump = { readonly poolSol: bigint; readonly pumpPercent: bigint; readonly stakePercent: bigint };

/**
 * The cheapest attack that the rules leave: a patient wallet that nobody can link lifts the price of a quiet pool and holds it for an
 * hour, so that reference and others' median follow; the creator buys before and sells into it; then the wallet sells. What both
 * together lose is the cost.
 */
function pump(
  { poolSol, pumpPercent, stakePercent }: Pump,
  index: number,
): { costLamports: bigint; trips: ScoredTrip[] } {
  const start = aPool(poolSol * SOL);
  const stake = (SOL * stakePercent) / 100n;
  const entry = swap(start, 'buy', stake);
  const before = spotPrice(start);
  const spent = (start.solReserve * pumpPercent) / 100n;
  const lifted = swap(entry.pool, 'buy', spent);
  const exit = swap(lifted.pool, 'sell', entry.out);
  const fell = swap(exit.pool, 'sell', lifted.out);
  const trips = scored(index, [
    judged('buy', entry.out, stake, before, start),
    judged('sell', entry.out, exit.out, spotPrice(lifted.pool), lifted.pool),
  ]);
  return { costLamports: stake + spent - exit.out - fell.out, trips };
}

describe('the cost of forging a record with a hidden wallet', () => {
  const aPump = fc.record({
    poolSol: fc.bigInt({ min: 50n, max: 5_000n }),
    pumpPercent: fc.bigInt({ min: 1n, max: 150n }),
    stakePercent: fc.bigInt({ min: 2n, max: 100n }),
  });

  it('is about 20 SOL for every unit of x that it brings, or more', () => {
    fc.assert(
      fc.property(aPump, (plan) => {
        const { costLamports, trips } = pump(plan, 0);
        const x = trips.reduce((sum, trip) => sum + Math.max(0, trip.x), 0);
        expect(Number(costLamports) / Number(SOL)).toBeGreaterThanOrEqual(20 * x * 0.95);
      }),
      { numRuns: 500 },
    );
  });

  it('is more than 10 SOL for the first rank', () => {
    let reached = 0;
    fc.assert(
      fc.property(aPump, fc.integer({ min: 20, max: 60 }), (plan, count) => {
        const pumps = Array.from({ length: count }, (_, index) => pump(plan, index));
        if (scoreOf(pumps.flatMap(({ trips }) => trips)) < firstRank) return;
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
