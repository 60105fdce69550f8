import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '@hunter/solana/program-ids';
import { expect, it } from 'vitest';
import { accountRent, impactLevel, isRentMaximum, rentCeiling } from './order-limits.ts';

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

it('knows the rent of an account exactly where its mint was read, and else its maximum', () => {
  const token2022 = { tokenProgram: TOKEN_2022_PROGRAM };
  const rents = [
    accountRent({ tokenProgram: TOKEN_PROGRAM }),
    accountRent({ ...token2022, extensions: [{ kind: 'transfer-fee', feeBps: 100, canChange: true }] }),
    accountRent({ ...token2022, extensions: [{ kind: 'unreadable', type: 40 }] }),
    accountRent(token2022),
  ];
  expect(rents).toEqual([2_039_280n, 2_157_600n, 2_500_000n, 2_500_000n]);
  expect(rents.map(isRentMaximum)).toEqual([false, false, true, true]);
});
