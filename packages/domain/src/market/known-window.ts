// What the market did within a window before now can be said only where everything of it is on record.
import { isLaunchKnown } from './holder-kind.ts';

export const WINDOWS_MS = { '5m': 300_000, '1h': 3_600_000, '4h': 14_400_000, '24h': 86_400_000 } as const;
export type WindowName = keyof typeof WINDOWS_MS;

/** Trades arrive a little later than they happen, and a sixtieth of a window is less than its figures are rounded by. */
const LAG_MS = 30_000;
const LAG_PART = 60;

/** From the oldest trade on record; `lagMs` is how long ago all of them were read. Null before anything was. */
export type Recorded = { readonly sinceMs: number | null; readonly lagMs: number | null };

/** Of which tokens the sums of a window are known: a token that was launched since has no trades from before. */
export type WindowCoverage = 'all' | 'launched-since' | 'none';

export function windowCoverage(window: WindowName, { sinceMs, lagMs }: Recorded, nowMs: number): WindowCoverage {
  const windowMs = WINDOWS_MS[window];
  if (sinceMs === null || lagMs === null || lagMs > Math.max(LAG_MS, windowMs / LAG_PART)) return 'none';
  return sinceMs <= nowMs - windowMs ? 'all' : 'launched-since';
}

export function isCovered(coverage: WindowCoverage, launchedAtMs: number, sinceMs: number | null): boolean {
  return coverage === 'all' || (coverage === 'launched-since' && isLaunchKnown(launchedAtMs, sinceMs));
}

/** A change needs the price at the beginning of the window and a later one. */
export function isReadInto(window: WindowName, lagMs: number | null): boolean {
  return lagMs !== null && lagMs < WINDOWS_MS[window];
}
