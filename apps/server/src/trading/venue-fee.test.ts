import { lamports } from '@hunter/domain/numbers/lamports';
import { expect, it } from 'vitest';
import { venueFee } from './venue-fee.ts';

it('takes its share of what a buy pays', () => {
  expect(venueFee('buy', lamports(1_000_000_000n), 50)).toBe(5_000_000n);
  expect(venueFee('buy', lamports(1n), 50)).toBe(1n);
});

it('takes of a sale what is missing from what it brought', () => {
  // 0.5 % of 1 SOL's worth of tokens leaves 0.995.
  expect(venueFee('sell', lamports(995_000_000n), 50)).toBe(5_000_000n);
});

it('takes nothing where a venue has no fee', () => {
  expect(venueFee('sell', lamports(995_000_000n), 0)).toBe(0n);
});
