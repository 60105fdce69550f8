import { expect, it } from 'vitest';
import { validateWithdrawal } from './withdraw-form.ts';

const own = 'So11111111111111111111111111111111111111112';
const other = '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin';
const token = 'DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263';
const ofSol = (fields: { toWallet?: string; amount?: string }) =>
  validateWithdrawal({ asset: 'SOL', toWallet: other, amount: '1', ...fields }, own, '2.5');
const ofTokens = (amount: string, available: string | null = '1000.5') =>
  validateWithdrawal({ asset: token, toWallet: other, amount }, own, available);

it('accepts a Solana address that is not the own one', () => {
  expect(ofSol({})).toEqual({});
  expect(ofSol({ toWallet: ` ${other} ` })).toEqual({});
  expect(ofSol({ toWallet: '' })).toEqual({ toWallet: 'to' });
  expect(ofSol({ toWallet: '0x1234567890123456789012345678901234567890' })).toEqual({ toWallet: 'toInvalid' });
  expect(ofSol({ toWallet: own })).toEqual({ toWallet: 'toOwn' });
});

it('accepts no more SOL than can be withdrawn', () => {
  expect(ofSol({ amount: '' })).toEqual({ amount: 'required' });
  expect(ofSol({ amount: '2.5' })).toEqual({});
  expect(ofSol({ amount: '2.500000001' })).toEqual({ amount: 'exceeds' });
  expect(ofSol({ amount: '0' })).toEqual({ amount: 'invalid' });
});

it('accepts tokens up to what there is, whatever their decimals', () => {
  expect(ofTokens('')).toEqual({ amount: 'requiredTokens' });
  expect(ofTokens('1000,5')).toEqual({});
  expect(ofTokens('1000.500000000000000001')).toEqual({ amount: 'exceeds' });
  expect(ofTokens('1e3')).toEqual({ amount: 'invalid' });
  expect(ofTokens('0.0')).toEqual({ amount: 'invalid' });
  expect(ofTokens('5', null)).toEqual({});
});
