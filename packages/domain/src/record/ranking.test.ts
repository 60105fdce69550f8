import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lamports } from '../numbers/lamports.ts';
import { missingConditions, tierOf, type StrategyRecord } from './ranking.ts';

const HOUR_MS = 3_600_000;

function aRecord(overrides: Partial<StrategyRecord> = {}): StrategyRecord {
  return {
    ageMs: 72 * HOUR_MS,
    lowestEquityLamports: lamports(1_000_000_000n),
    countedTrips: 20,
    countedCoins: 5,
    ...overrides,
  };
}

describe('a ranked strategy', () => {
  it('has 20 counted trips in 5 coins, 72 hours, and a creator with 1 SOL throughout', () => {
    expect(tierOf(aRecord())).toBe('ranked');
    expect(missingConditions(aRecord())).toEqual([]);
  });

  it('is new while any of them is missing, and says which', () => {
    const young = aRecord({ ageMs: 54 * HOUR_MS + 1, countedTrips: 14, countedCoins: 3 });
    expect(tierOf(young)).toBe('new');
    expect(missingConditions(young)).toEqual([
      { condition: 'trips', count: 6 },
      { condition: 'coins', count: 2 },
      { condition: 'hours', count: 18 },
    ]);
    const poor = aRecord({ lowestEquityLamports: lamports(999_999_999n) });
    expect(tierOf(poor)).toBe('new');
    expect(missingConditions(poor)).toEqual([{ condition: 'equity' }]);
    expect(missingConditions(aRecord({ ageMs: 72 * HOUR_MS - 1 }))).toEqual([{ condition: 'hours', count: 1 }]);
  });

  it('loses nothing by more trips, coins or time', () => {
    fc.assert(
      fc.property(fc.nat(40), fc.nat(10), fc.nat(100), (trips, coins, hours) => {
        const record = aRecord({ countedTrips: trips, countedCoins: coins, ageMs: hours * HOUR_MS });
        const more = aRecord({ countedTrips: trips + 1, countedCoins: coins + 1, ageMs: (hours + 1) * HOUR_MS });
        expect(missingConditions(more).length).toBeLessThanOrEqual(missingConditions(record).length);
      }),
    );
  });
});
