import { describe, expect, it } from 'vitest';
import { amountProblem, shareOfSol, tidyAmount } from './sol-amount.ts';

describe('an amount of SOL', () => {
  it('is required', () => {
    expect(amountProblem('', '10')).toBe('required');
    expect(amountProblem('  ', '10')).toBe('required');
  });

  it.each(['abc', '-1', '0', '0.0', '1e3', '1.2.3', '1.0000000001', 'NaN', '٣'])('%s is not a valid number', (text) => {
    expect(amountProblem(text, '10')).toBe('invalid');
  });

  it('may not exceed the balance by a single lamport', () => {
    expect(amountProblem('10.000000001', '10')).toBe('exceeds');
    expect(amountProblem('10', '10')).toBeNull();
  });

  it('is left to the server while the balance is not known', () => {
    expect(amountProblem('10', null)).toBeNull();
  });

  it('may be typed with a comma and spaces', () => {
    expect(tidyAmount(' 1,5 ')).toBe('1.5');
    expect(amountProblem('1,5', '2')).toBeNull();
    expect(amountProblem('1,5,0', '2')).toBe('invalid');
    expect(amountProblem('1,234.5', '2000')).toBeNull();
    expect(tidyAmount('1,234.5')).toBe('1234.5');
    expect(tidyAmount('０。５')).toBe('0.5');
    expect(tidyAmount('0.5 SOL')).toBe('0.5');
    expect(tidyAmount('◎0.5')).toBe('0.5');
    expect(tidyAmount('0.5 SOL', null)).toBe('0.5SOL');
    expect(amountProblem('$0.5', '2')).toBe('invalid');
    expect(amountProblem('1.5000000000', '2')).toBeNull();
    expect(amountProblem('1.5000000001', '2')).toBe('invalid');
  });

  it('may begin or end with the point', () => {
    expect(tidyAmount('.5')).toBe('0.5');
    expect(tidyAmount(',5')).toBe('0.5');
    expect(tidyAmount('5.')).toBe('5');
    expect(amountProblem('.', '2')).toBe('invalid');
  });
});

describe('a share of the balance', () => {
  it('leaves what the server keeps in a wallet, 0.001 SOL, and the fee', () => {
    expect(shareOfSol('10', 100)).toBe('9.998995');
    expect(shareOfSol('0.001005', 100)).toBe('0');
    expect(shareOfSol('0.0005', 100)).toBe('0');
  });

  it('is rounded down to four decimals', () => {
    expect(shareOfSol('10', 25)).toBe('2.5');
    expect(shareOfSol('9.87654321', 50)).toBe('4.9382');
    expect(shareOfSol('0.0001', 50)).toBe('0.00005');
  });
});
