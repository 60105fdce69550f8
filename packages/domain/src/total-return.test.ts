import { describe, expect, it } from 'vitest';
import { printRatePercent } from './rate.ts';
import { totalReturn } from './total-return.ts';

describe('the total return of an account', () => {
  it('counts what is there and what was taken out against what was put in', () => {
    const account = { equityLamports: 60n, withdrawnLamports: 50n, depositedLamports: 100n };
    expect(printRatePercent(totalReturn(account))).toBe('10');
    expect(printRatePercent(totalReturn({ ...account, equityLamports: 25n }))).toBe('-25');
  });

  it('is unknown before the first deposit', () => {
    expect(totalReturn({ equityLamports: 1n, withdrawnLamports: 0n, depositedLamports: 0n })).toBeNull();
  });
});
