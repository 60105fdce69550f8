import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isCovered, isReadInto, windowCoverage, WINDOWS_MS, type WindowName } from './known-window.ts';

const NOW_MS = 1_790_000_000_000;
const HOUR_MS = 3_600_000;
const coverages = (sinceMs: number | null, lagMs: number | null) =>
  (['5m', '1h', '4h', '24h'] as const).map((window) => windowCoverage(window, { sinceMs, lagMs }, NOW_MS));

it('knows no window before anything is on record', () => {
  expect(coverages(null, 0)).toEqual(['none', 'none', 'none', 'none']);
  expect(coverages(NOW_MS - 48 * HOUR_MS, null)).toEqual(['none', 'none', 'none', 'none']);
});

it('knows of all tokens the windows that are on record from their beginning', () => {
  expect(coverages(NOW_MS - 24 * HOUR_MS, 1_000)).toEqual(['all', 'all', 'all', 'all']);
  expect(coverages(NOW_MS - 2 * HOUR_MS, 1_000)).toEqual(['all', 'all', 'launched-since', 'launched-since']);
});

it('knows no window of which more than half a minute and a sixtieth is not read yet', () => {
  expect(coverages(NOW_MS - 48 * HOUR_MS, 30_000)).toEqual(['all', 'all', 'all', 'all']);
  expect(coverages(NOW_MS - 48 * HOUR_MS, 30_001)).toEqual(['none', 'all', 'all', 'all']);
  expect(coverages(NOW_MS - 48 * HOUR_MS, 60_001)).toEqual(['none', 'none', 'all', 'all']);
  expect(coverages(NOW_MS - 48 * HOUR_MS, 25 * 60_000)).toEqual(['none', 'none', 'none', 'none']);
});

it('tells a change only where the market is read beyond the beginning of the window', () => {
  expect([isReadInto('1h', HOUR_MS - 1), isReadInto('1h', HOUR_MS), isReadInto('1h', null)]).toEqual([
    true,
    false,
    false,
  ]);
});

it('never takes a window for known in which a trade may be missing', () => {
  fc.assert(
    fc.property(
      fc.constantFrom<WindowName>('5m', '1h', '4h', '24h'),
      fc.integer({ min: 0, max: 30 * HOUR_MS }),
      fc.integer({ min: 0, max: 2 * HOUR_MS }),
      fc.integer({ min: 0, max: 30 * HOUR_MS }),
      fc.integer({ min: 0, max: 30 * HOUR_MS }),
      (window, recordedMs, lagMs, launchedMs, tradedMs) => {
        const sinceMs = NOW_MS - recordedMs;
        const launchedAtMs = NOW_MS - launchedMs;
        const tradedAtMs = Math.max(launchedAtMs, NOW_MS - tradedMs);
        const isStored = tradedAtMs >= sinceMs;
        const isInside = tradedAtMs > NOW_MS - WINDOWS_MS[window];
        const coverage = windowCoverage(window, { sinceMs, lagMs }, NOW_MS);
        if (isInside && !isStored) expect(isCovered(coverage, launchedAtMs, sinceMs)).toBe(false);
      },
    ),
  );
});
