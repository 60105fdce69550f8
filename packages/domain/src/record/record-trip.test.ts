import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lamports } from '../numbers/lamports.ts';
import type { Plain } from '../plain-for-test.ts';
import {
  countTrip,
  OPEN_COUNTS_MS,
  outcomeOf,
  recordTripAfter,
  type RecordFill,
  type RecordTrip,
} from './record-trip.ts';

const SOL = 1_000_000_000n;

/** A buy of 1,000 tokens for 0.5 SOL out of an equity of 1 SOL, in a pool deep enough for any win to count. */
function aRecordFill(overrides: Partial<Plain<RecordFill>> = {}): RecordFill {
  return {
    kind: 'buy',
    atMs: 0,
    tokens: 1_000n,
    lamports: SOL / 2n,
    feeLamports: 0n,
    equityBeforeLamports: SOL,
    poolLamports: 100_000n * SOL,
    poolFee: 50n,
    offMarket: null,
    ...overrides,
  } as RecordFill;
}

const trip = (...fills: RecordFill[]): RecordTrip | null => fills.reduce<RecordTrip | null>(recordTripAfter, null);
const counted = (...fills: RecordFill[]) => countTrip(trip(...fills)!, null, 0);
const buy = aRecordFill;
const sell = (lamports: bigint, overrides: Parameters<typeof aRecordFill>[0] = {}) =>
  aRecordFill({ kind: 'sell', lamports, ...overrides });

describe('a trip of the record', () => {
  it('opens with a buy, closes when all that it bought is gone, and says what it brought', () => {
    const open = trip(buy({ atMs: 5, feeLamports: 7n }), sell(SOL / 4n, { tokens: 500n, atMs: 8 }));
    expect(open).toMatchObject({ openedAtMs: 5, closedAtMs: null, heldTokens: 500n, costLamports: SOL / 2n + 7n });
    const closed = recordTripAfter(open, sell(SOL / 2n, { tokens: 500n, atMs: 9, feeLamports: 3n }))!;
    expect(closed).toMatchObject({ closedAtMs: 9, heldTokens: 0n, proceedsLamports: (3n * SOL) / 4n - 3n });
    expect(recordTripAfter(closed, buy({ atMs: 11 }))).toMatchObject({ openedAtMs: 11, costLamports: SOL / 2n });
  });

  it('is not opened by a sale, a failed transaction or tokens that leave', () => {
    for (const kind of ['sell', 'failed', 'left-in-kind'] as const) expect(trip(buy({ kind }))).toBeNull();
  });

  it('pays for failed transactions', () => {
    expect(trip(buy(), buy({ kind: 'failed', tokens: 0n, feeLamports: 9n }))?.costLamports).toBe(SOL / 2n + 9n);
  });

  it('closes at its mark when its tokens leave in kind', () => {
    const left = counted(buy(), aRecordFill({ kind: 'left-in-kind', lamports: SOL / 4n, atMs: 3 }));
    expect(left).toEqual({ x: Math.log1p(-0.25) < -0.25 ? -0.25 : Math.log1p(-0.25), outcome: 'lost' });
  });

  it('takes no part of what tokens bring that it never bought', () => {
    const gift = trip(buy(), sell(SOL, { tokens: 4_000n }))!;
    expect(gift).toMatchObject({ closedAtMs: 0, proceedsLamports: SOL / 4n });
    expect(countTrip(gift, null, 0)?.outcome).toBe('lost');
  });

  it('keeps the shallowest pool, the lowest fee and the first reason of its fills', () => {
    const deep = trip(
      buy({ poolLamports: 9n * SOL, poolFee: 30n }),
      buy({ poolLamports: 8n * SOL, poolFee: 40n, offMarket: 'own-trade' }),
      sell(SOL, { tokens: 1n, poolLamports: 7n * SOL, poolFee: 20n, offMarket: 'off-price' }),
    );
    expect(deep).toMatchObject({ poolLamports: 7n * SOL, poolFee: 20n, offMarket: 'own-trade' });
  });
});

describe('how a trip counts', () => {
  it('is the logarithm of its result over the equity before, clipped to a quarter either way', () => {
    expect(counted(buy(), sell((6n * SOL) / 10n))).toEqual({ x: Math.log1p(0.1), outcome: 'won' });
    expect(counted(buy(), sell((4n * SOL) / 10n))).toEqual({ x: Math.log1p(-0.1), outcome: 'lost' });
    expect(counted(buy(), sell(10n * SOL))).toEqual({ x: 0.25, outcome: 'won' });
    expect(counted(buy(), sell(0n))).toEqual({ x: -0.25, outcome: 'lost' });
    expect(counted(buy({ lamports: SOL }), sell(0n))?.x).toBe(-0.25);
  });

  it('needs 2 % of the equity at the opening for a win, and 2 % over all buys for a loss', () => {
    const small = buy({ lamports: SOL / 50n - 1n });
    expect(counted(small, sell(SOL))).toBeNull();
    expect(counted(small, buy(), sell(5n * SOL, { tokens: 2_000n }))).toBeNull();
    expect(counted(small, sell(0n))).toBeNull();
    expect(counted(small, buy(), sell(0n, { tokens: 2_000n }))?.outcome).toBe('lost');
    expect(counted(buy({ lamports: SOL / 50n }), sell(SOL))?.outcome).toBe('won');
    expect(counted(buy({ lamports: SOL / 50n }), sell(0n))?.outcome).toBe('lost');
  });

  it('takes a loss below a thousandth of the equity as flat', () => {
    expect(counted(buy(), sell(SOL / 2n))).toEqual({ x: 0, outcome: 'flat' });
    expect(counted(buy(), sell(SOL / 2n - 900_000n))?.outcome).toBe('flat');
    expect(counted(buy(), sell(SOL / 2n - 1_100_000n))?.outcome).toBe('lost');
  });

  it('measures by the highest equity before any of its buys', () => {
    const topped = counted(buy(), buy({ equityBeforeLamports: 10n * SOL }), sell(2n * SOL, { tokens: 2_000n }));
    expect(topped?.x).toBe(Math.log1p(0.1));
  });

  it('lets an open trip wait for a day and then counts it by its mark', () => {
    const open = trip(buy(), sell(SOL / 10n, { tokens: 500n }))!;
    const mark = lamports(SOL / 10n);
    expect(countTrip(open, mark, OPEN_COUNTS_MS - 1)).toBeNull();
    expect(countTrip(open, mark, OPEN_COUNTS_MS)).toEqual({ x: -0.25, outcome: 'lost' });
    expect(countTrip(open, lamports(SOL), OPEN_COUNTS_MS)?.outcome).toBe('won');
    expect(countTrip(open, null, OPEN_COUNTS_MS)).toBeNull();
  });

  it('never counts an off-market trip as won, and always as lost', () => {
    const fill = fc.record({
      tokens: fc.bigInt({ min: 1n, max: 10n ** 12n }),
      spent: fc.bigInt({ min: SOL / 50n, max: SOL }),
      brought: fc.bigInt({ min: 0n, max: 3n * SOL }),
      reason: fc.constantFrom('not-copyable', 'no-reference-price', 'off-price', 'own-trade' as const),
    });
    fc.assert(
      fc.property(fill, ({ tokens, spent, brought, reason }) => {
        const result = counted(buy({ tokens, lamports: spent, offMarket: reason }), sell(brought, { tokens }));
        if (brought > spent) expect(result).toBeNull();
        else expect(result?.outcome).toBe(spent - brought > SOL / 1_000n ? 'lost' : 'flat');
      }),
    );
  });

  it('counts a win for no more than faking it in its pool would have cost', () => {
    const shallow = { poolLamports: 100n * SOL };
    // 1 − √(0.5 ÷ 0.78125) is a fifth: two fees of 0.5 % on 20 SOL.
    const result = counted(buy(shallow), sell(781_250_000n, shallow));
    expect(result?.x).toBeCloseTo(0.2 / 40, 10);
    expect(result?.outcome).toBe('won');
  });

  it('counts money of a fill without tokens', () => {
    expect(trip(buy(), sell(9n, { tokens: 0n, feeLamports: 2n }))).toMatchObject({ proceedsLamports: 7n });
  });

  it('counts an open trip by its own age', () => {
    const open = trip(buy({ atMs: 10 * OPEN_COUNTS_MS }))!;
    expect(countTrip(open, lamports(SOL), 11 * OPEN_COUNTS_MS - 1)).toBeNull();
    expect(countTrip(open, lamports(SOL), 11 * OPEN_COUNTS_MS)).not.toBeNull();
  });

  it('is at the clip where more was lost than there was, or nothing was there', () => {
    const more = counted(buy({ lamports: 3n * SOL }), sell(0n));
    expect(more).toEqual({ x: -0.25, outcome: 'lost' });
    const nothing = counted(buy({ equityBeforeLamports: 0n }), sell(SOL / 2n));
    expect(nothing).toEqual({ x: -0.25, outcome: 'lost' });
  });

  it('is won above nothing, flat below a thousandth of loss, and lost from there on', () => {
    expect([0.000_001, 0, -0.000_999, -0.001].map(outcomeOf)).toEqual(['won', 'flat', 'flat', 'lost']);
  });
});
