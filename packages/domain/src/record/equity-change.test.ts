import { describe, expect, it } from 'vitest';
import { changeBetween } from './equity-change.ts';
import { lamports } from '../numbers/lamports.ts';
import { rateOf } from '../numbers/rate.ts';

const at = (equity: bigint, profit: bigint) => ({ equityLamports: lamports(equity), profitLamports: profit });

const none = lamports(0n);

describe('the change of an account between two moments', () => {
  it('is what its equity gained where nothing came or went', () => {
    expect(changeBetween(at(100n, 0n), at(110n, 10n), none)).toEqual({ profitLamports: 10n, rate: rateOf(10n, 100n) });
  });

  it('does not count a deposit or a withdrawal', () => {
    expect(changeBetween(at(100n, 0n), at(300n, 0n), lamports(200n)).profitLamports).toBe(0n);
    expect(changeBetween(at(100n, 5n), at(20n, 5n), none)).toEqual({ profitLamports: 0n, rate: 0n });
  });

  it('is of what was there at the start and what was deposited since, whatever was withdrawn', () => {
    expect(changeBetween(at(100n, 0n), at(220n, 20n), lamports(100n)).rate).toBe(rateOf(20n, 200n));
    expect(changeBetween(at(100n, 0n), at(150n, 20n), lamports(100n)).rate).toBe(rateOf(20n, 200n));
    expect(changeBetween(at(100n, 0n), at(40n, -10n), none).rate).toBe(rateOf(-10n, 100n));
  });

  it('has no rate where there was nothing to work with', () => {
    expect(changeBetween(at(0n, 0n), at(0n, 0n), none).rate).toBeNull();
  });
});
