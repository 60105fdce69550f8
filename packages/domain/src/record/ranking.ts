import type { Lamports } from '../numbers/lamports.ts';

export type Tier = 'ranked' | 'new';

const EQUITY_MIN_LAMPORTS = 1_000_000_000n;
const HOUR_MS = 3_600_000;
const AGE_MIN_MS = 72 * HOUR_MS;
const TRIPS_MIN = 20;
const COINS_MIN = 5;

export type StrategyRecord = {
  /** From publishing until now, or until the end. */
  readonly ageMs: number;
  /** The creator's own, at its lowest since publishing. */
  readonly lowestEquityLamports: Lamports;
  readonly countedTrips: number;
  /** In which the counted trips were made. */
  readonly countedCoins: number;
};

/** What a strategy still lacks to be ranked. Nothing makes up for an equity that was once too low. */
export type MissingCondition =
  | { readonly condition: 'trips' | 'coins' | 'hours'; readonly count: number }
  | { readonly condition: 'equity' };

export function missingConditions(record: StrategyRecord): MissingCondition[] {
  const counts = [
    { condition: 'trips', count: TRIPS_MIN - record.countedTrips },
    { condition: 'coins', count: COINS_MIN - record.countedCoins },
    { condition: 'hours', count: Math.ceil((AGE_MIN_MS - record.ageMs) / HOUR_MS) },
  ] as const;
  const missing: MissingCondition[] = counts.filter(({ count }) => count > 0);
  return record.lowestEquityLamports < EQUITY_MIN_LAMPORTS ? [...missing, { condition: 'equity' }] : missing;
}

export function tierOf(record: StrategyRecord): Tier {
  return missingConditions(record).length === 0 ? 'ranked' : 'new';
}
