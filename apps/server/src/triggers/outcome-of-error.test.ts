import { expect, it } from 'vitest';
import { outcomeOfError } from './outcome-of-error.ts';

it('says why an order of a trigger did not trade, and takes what it does not know for passing', () => {
  expect(outcomeOfError('INSUFFICIENT_BALANCE')).toBe('insufficient-balance');
  expect(outcomeOfError('FEE_NOT_COVERED')).toBe('fee-not-covered');
  expect(outcomeOfError('SIGNING_STOPPED')).toBe('signing-refused');
  expect(outcomeOfError('RATE_LIMITED')).toBe('unavailable');
});
