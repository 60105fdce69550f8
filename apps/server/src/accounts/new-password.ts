import { AppError } from '@hunter/contract/app-error';
import { commonPasswords } from './common-passwords.ts';

const LENGTH_MIN = 8;

export function requireGoodPassword(password: string, confirmPassword: string): void {
  if (password !== confirmPassword) throw new AppError('PASSWORDS_DIFFER');
  const plain = password.normalize('NFKC');
  if (plain.length < LENGTH_MIN || isCommon(plain)) throw new AppError('PASSWORD_TOO_WEAK');
}

/** Case and digits or signs hung on at the end make a common password no less common. */
function isCommon(password: string): boolean {
  const lower = password.toLowerCase();
  if (commonPasswords.has(lower)) return true;
  if (new Set(lower).size <= 2) return true;
  const trunk = lower.replace(/[\d!@#$%^&*._-]{1,4}$/, '');
  return trunk.length >= LENGTH_MIN - 2 && commonPasswords.has(trunk);
}
