import { describe, expect, it } from 'vitest';
import { requireGoodPassword } from './new-password.ts';

describe('requireGoodPassword', () => {
  it.each(['1234567', 'password', 'Password123!', 'QWERTYUIOP', 'aaaaaaaaaa', 'abababababab', 'iloveyou2024'])(
    'refuses %s',
    (password) => {
      expect(() => requireGoodPassword(password, password)).toThrow(/at least 8 characters/);
    },
  );

  it.each(['correct horse battery', 'x9!kkq2v', 'пароль-для-рынка', '密码很长而且没人猜得到'])(
    'takes %s',
    (password) => {
      expect(() => requireGoodPassword(password, password)).not.toThrow();
    },
  );

  it('wants the same password twice', () => {
    expect(() => requireGoodPassword('correct horse battery', 'correct horse bakery')).toThrow(/do not match/);
  });
});
