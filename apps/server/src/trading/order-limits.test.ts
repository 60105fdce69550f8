import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '@hunter/solana/program-ids';
import { expect, it } from 'vitest';
import { impactLevel, isRentMaximum, rentCeiling } from './order-limits.ts';

it.each([
  [0, 'ok'],
  [4.99, 'ok'],
  [5, 'warn'],
  [29.99, 'warn'],
  [30, 'refused'],
  [100, 'refused'],
] as const)('calls a price impact of %s percent %s', (percent, level) => {
  expect(impactLevel(percent)).toBe(level);
});

it('keeps more rent aside for the larger accounts of Token-2022', () => {
  expect(rentCeiling(TOKEN_PROGRAM)).toBe(2_039_280n);
  expect(rentCeiling(TOKEN_2022_PROGRAM)).toBe(2_500_000n);
});

it('knows the rent of the Token program exactly, and of Token-2022 its maximum', () => {
  expect([TOKEN_PROGRAM, TOKEN_2022_PROGRAM].map(isRentMaximum)).toEqual([false, true]);
});
