import { describe, expect, it } from 'vitest';
import type { Plain } from '../plain-for-test.ts';
import { printRatePercent } from '../numbers/rate.ts';
import { totalReturn, type AccountFlows } from './total-return.ts';

function anAccount(overrides: Partial<Plain<AccountFlows>> = {}): AccountFlows {
  const account = { equityLamports: 60n, withdrawnLamports: 50n, depositedLamports: 100n, outsideLamports: 0n };
  return { ...account, ...overrides } as AccountFlows;
}

describe('the total return of an account', () => {
  it('counts what is there and what was taken out against what was put in', () => {
    const up = totalReturn(anAccount());
    expect(up.profitLamports).toBe(10n);
    expect(printRatePercent(up.rate)).toBe('10');
    const down = totalReturn(anAccount({ equityLamports: 25n }));
    expect(down.profitLamports).toBe(-25n);
    expect(printRatePercent(down.rate)).toBe('-25');
  });

  it('leaves tokens from outside out of the profit', () => {
    const { profitLamports, rate } = totalReturn(anAccount({ outsideLamports: 30n }));
    expect(profitLamports).toBe(-20n);
    expect(printRatePercent(rate)).toBe('-20');
  });

  it('has no rate before the first deposit', () => {
    const account = anAccount({ equityLamports: 1n, withdrawnLamports: 0n, depositedLamports: 0n });
    expect(totalReturn(account)).toEqual({ profitLamports: 1n, rate: null });
  });
});
