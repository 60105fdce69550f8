import { expect, it } from 'vitest';
import { DAY_MS } from './withdrawal-rules.ts';
import { decideTurn, type SignedAmount } from './withdrawal-turn.ts';

const NOW = 1_800_000_000_000;
const HOUR_MS = DAY_MS / 24;
/** Half of it is 2,400, and 100 come free in an hour. */
const LIMITS = { dailyLamports: 500n, largeLamports: 50n, totalLamports: 4_800n };

function decide(overrides: Partial<Parameters<typeof decideTurn>[0]> = {}) {
  return decideTurn({ now: NOW, limits: LIMITS, lamports: 10n, taken: 0n, signed: [], ...overrides });
}
const signed = (...rows: [hoursAgo: number, lamports: bigint][]): SignedAmount[] =>
  rows.map(([hours, lamports]) => ({ at: NOW - hours * HOUR_MS, lamports }));
const GO = { kind: 'now' };
const waits = (hours: number) => ({ kind: 'wait', until: NOW + hours * HOUR_MS });

it('lets half of the total leave at once, and then as much as comes free', () => {
  expect(decide({ signed: signed([0, 2_390n]) })).toEqual(GO);
  expect(decide({ signed: signed([0, 2_400n]) })).toEqual(waits(0.1));
  expect(decide({ signed: signed([0, 2_410n]), lamports: 20n })).toEqual(waits(0.3));
  expect(decide({ signed: signed([1, 2_400n]), lamports: 50n })).toEqual(GO);
  // What came free while nothing was in use is not saved up.
  expect(decide({ signed: signed([20, 100n], [0, 2_400n]) })).toEqual(waits(0.1));
  expect(decide({ signed: signed([24, 2_400n]) })).toEqual(GO);
});

it('leaves the rest of it to wallets that took less within a week', () => {
  const half = signed([0, 1_200n]);
  expect(decide({ lamports: 50n, signed: half })).toEqual(GO);
  expect(decide({ lamports: 51n, signed: half })).toEqual(waits(0.51));
  expect(decide({ lamports: 10n, taken: 41n, signed: half })).toEqual(waits(0.1));
  const quarter = signed([0, 600n]);
  expect(decide({ lamports: 10n, taken: 490n, signed: quarter })).toEqual(GO);
  expect(decide({ lamports: 10n, taken: 491n, signed: quarter })).toEqual(waits(0.1));
});

it('lets one that is larger than its share go alone, and never one larger than the half', () => {
  const large = { lamports: 1_300n, limits: { ...LIMITS, dailyLamports: 2_000n } };
  expect(decide(large)).toEqual(GO);
  expect(decide({ ...large, signed: signed([0, 100n]) })).toEqual(waits(1));
  expect(decide({ ...large, lamports: 2_400n })).toEqual(GO);
  expect(decide({ ...large, lamports: 2_401n })).toEqual({ kind: 'never' });
  expect(decide({ limits: { ...LIMITS, totalLamports: 0n } })).toEqual({ kind: 'never' });
});

it('does not count tokens', () => {
  expect(decide({ lamports: 0n, signed: signed([0, 4_800n]) })).toEqual(GO);
});

it('frees nothing for a clock that was set back', () => {
  expect(decide({ signed: signed([-5, 2_400n]) })).toEqual(waits(0.1));
});

it('never lets more than the total leave within any 24 hours, however it is asked for', () => {
  const all: SignedAmount[] = [];
  // Greedily, in steps that divide nothing: as much as is granted at each moment.
  for (let minute = 0; minute < 3 * 24 * 60; minute += 31) {
    const now = NOW + minute * 60_000;
    for (const lamports of [50n, 7n]) {
      while (decide({ now, lamports, signed: all }).kind === 'now') all.push({ at: now, lamports });
    }
  }
  const windows = all.map(({ at: end }) =>
    all.reduce((sum, { at, lamports }) => (at <= end && at > end - DAY_MS ? sum + lamports : sum), 0n),
  );
  const most = windows.reduce((one, other) => (one > other ? one : other));
  expect(most).toBeLessThanOrEqual(LIMITS.totalLamports);
  expect(most).toBeGreaterThan((LIMITS.totalLamports * 99n) / 100n);
});
