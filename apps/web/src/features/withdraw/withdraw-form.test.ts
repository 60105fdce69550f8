import { expect, it } from 'vitest';
import { validateWithdrawal } from './withdraw-form.ts';

const wallet = { walletAddress: '4Nd1mYQm8Yc1ZQ5nGqVxkQ9Qe3bJp1o2r8tHk7sWfXyZ', withdrawable: '2.5' };
const good = { toWallet: '7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2', amount: '1', password: 'x' };

it('accepts another wallet, an amount within what may leave, and a password', () => {
  expect(validateWithdrawal(good, wallet)).toEqual({});
});

it('needs every field', () => {
  expect(validateWithdrawal({ toWallet: '', amount: '', password: '' }, wallet)).toEqual({
    toWallet: 'to',
    amount: 'required',
    password: 'password',
  });
});

it('refuses what is no address, and the own wallet', () => {
  expect(validateWithdrawal({ ...good, toWallet: '0x1234' }, wallet).toWallet).toBe('toInvalid');
  expect(validateWithdrawal({ ...good, toWallet: wallet.walletAddress }, wallet).toWallet).toBe('toOwn');
});

it('refuses more than may leave', () => {
  expect(validateWithdrawal({ ...good, amount: '2.500000001' }, wallet).amount).toBe('exceeds');
  expect(validateWithdrawal({ ...good, amount: '2.5' }, wallet).amount).toBeUndefined();
});
