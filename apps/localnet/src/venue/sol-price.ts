import { hashText } from '@hunter/domain/seeded-random';
import { rollingNoise } from './noise.ts';

const BASE_USD = 168;
const SWING = 0.11;
const PERIOD_SECONDS = 5 * 24 * 3600;
/** Octaves down to about ten minutes. */
const OCTAVES = 7;

/**
 * SOL in dollars at any time, past or future, as a function of the market's seed: nothing is stored, so the past can
 * be asked for at any resolution and is the same after a restart.
 */
export function solUsdAt(seed: string, unixSeconds: number): number {
  const swing = rollingNoise(hashText(`${seed}:sol-usd`), unixSeconds, PERIOD_SECONDS, OCTAVES) * SWING;
  return Math.round(BASE_USD * Math.exp(swing) * 10_000) / 10_000;
}
