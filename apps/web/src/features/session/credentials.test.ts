import { describe, expect, it } from 'vitest';
import en from '../../i18n/en/auth.ts';
import { validateLogin, validateRegister, validateReset } from './credentials.ts';
import type { RegisterValues } from './credentials.ts';

const filled: RegisterValues = {
  email: 'ann@example.com',
  password: 'correct horse',
  confirmPassword: 'correct horse',
  verificationCode: '123456',
  inviteCode: 'HUNTER',
  agreement: true,
};

describe('the login form', () => {
  it('asks for the e-mail, its format and the password in the words of the product', () => {
    expect(validateLogin({ email: '', password: '' })).toEqual({
      email: 'auth.errors.emailRequired',
      password: 'auth.errors.passwordRequired',
    });
    expect(validateLogin({ email: 'ann@', password: 'x' })).toEqual({ email: 'auth.errors.emailInvalid' });
    expect(validateLogin({ email: ' ann@example.com ', password: 'x' })).toEqual({});
    expect(en.errors).toMatchObject({
      emailRequired: 'Please enter your email',
      emailInvalid: 'Please enter a valid email address',
      passwordRequired: 'Please enter your password',
      passwordsDiffer: 'The passwords entered twice do not match',
      agreementRequired: 'Please read and agree to the terms',
    });
  });
});

describe('the registration form', () => {
  it('accepts a complete form', () => {
    expect(validateRegister(filled)).toEqual({});
  });

  it('asks for every field', () => {
    const empty = {
      email: '',
      password: '',
      confirmPassword: '',
      verificationCode: '',
      inviteCode: ' ',
      agreement: false,
    };
    expect(validateRegister(empty)).toEqual({
      email: 'auth.errors.emailRequired',
      password: 'auth.errors.passwordRequired',
      confirmPassword: 'auth.errors.confirmRequired',
      verificationCode: 'auth.errors.codeRequired',
      inviteCode: 'auth.errors.inviteRequired',
      agreement: 'auth.errors.agreementRequired',
    });
  });

  it.each<[Partial<RegisterValues>, object]>([
    [{ confirmPassword: 'other' }, { confirmPassword: 'auth.errors.passwordsDiffer' }],
    [{ password: 'short', confirmPassword: 'short' }, { password: 'auth.errors.passwordShort' }],
    [{ verificationCode: '12345' }, { verificationCode: 'auth.errors.codeInvalid' }],
    [{ agreement: false }, { agreement: 'auth.errors.agreementRequired' }],
  ])('refuses %j', (change, errors) => {
    expect(validateRegister({ ...filled, ...change })).toEqual(errors);
  });
});

describe('the reset form', () => {
  it('needs the code and the new password twice', () => {
    const { inviteCode: _invite, agreement: _agreement, ...reset } = filled;
    expect(validateReset(reset)).toEqual({});
    expect(validateReset({ ...reset, verificationCode: '', confirmPassword: 'x' })).toEqual({
      verificationCode: 'auth.errors.codeRequired',
      confirmPassword: 'auth.errors.passwordsDiffer',
    });
  });
});
