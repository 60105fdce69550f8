import { expect, it } from 'vitest';
import { passwordStrength } from './password-strength.ts';

it.each([
  ['short', 'weak'],
  ['password1', 'weak'],
  ['aaaaaaaaaaaa', 'weak'],
  ['12345678', 'weak'],
  ['ann.smith99', 'weak'],
  ['river7Lo', 'fair'],
  ['correct horse', 'good'],
  ['correct horse battery staple', 'strong'],
  ['Tr0ub4dor&3-zebra', 'strong'],
])('calls %j %s', (password, strength) => {
  expect(passwordStrength(password, 'ann.smith@example.com')).toBe(strength);
});
