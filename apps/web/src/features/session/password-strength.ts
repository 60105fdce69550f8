export type PasswordStrength = 'weak' | 'fair' | 'good' | 'strong';

const COMMON = /^(pass(word)?|qwerty|asdf|zxcv|letmein|welcome|admin|iloveyou|abc|monkey|dragon|hunter)/i;

/**
 * A guess at how long guessing would take: length first, then variety; repeats, sequences and the user's own name count
 * little. It advises only, the server decides what is too weak.
 */
export function passwordStrength(password: string, email = ''): PasswordStrength {
  if (password.length < 8) return 'weak';
  const name = email.split('@')[0]?.toLowerCase() ?? '';
  if (name.length >= 4 && password.toLowerCase().includes(name)) return 'weak';
  const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[^a-zA-Z\d]/].filter((kind) => kind.test(password)).length;
  let score = effectiveLength(password) + (kinds - 1) * 2;
  if (COMMON.test(password)) score -= 5;
  if (score < 9) return 'weak';
  if (score < 13) return 'fair';
  return score < 17 ? 'good' : 'strong';
}

/** Characters that the one before does not give away. */
function effectiveLength(password: string): number {
  let length = 0;
  for (let at = 0; at < password.length; at += 1) {
    const step = at === 0 ? Number.NaN : password.charCodeAt(at) - password.charCodeAt(at - 1);
    length += Math.abs(step) <= 1 ? 0.25 : 1;
  }
  return length;
}
