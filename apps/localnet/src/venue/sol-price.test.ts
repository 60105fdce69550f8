import { describe, expect, it } from 'vitest';
import { solUsdAt } from './sol-price.ts';

const NOW = 1_800_000_000;

describe('the simulated price of SOL', () => {
  it('is the same at the same time for the same seed, and differs between seeds', () => {
    expect(solUsdAt('1', NOW)).toBe(solUsdAt('1', NOW));
    expect(solUsdAt('1', NOW)).not.toBe(solUsdAt('2', NOW));
  });

  it('moves every day, stays within reason for a year and never leaps within a minute', () => {
    for (let day = 0; day < 365; day += 1) {
      const time = NOW + day * 86_400;
      const price = solUsdAt('1', time);
      expect(price).toBeGreaterThan(110);
      expect(price).toBeLessThan(250);
      expect(Math.abs(solUsdAt('1', time + 60) / price - 1)).toBeLessThan(0.01);
      expect(solUsdAt('1', time + 86_400)).not.toBe(price);
    }
  });
});
