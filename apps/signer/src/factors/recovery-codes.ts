import { createHash, randomBytes } from 'node:crypto';

/** No letter that looks like a digit or like another letter. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const COUNT = 10;
const LENGTH = 12;

/** Sixty bits each, so that a plain hash hides them; only the hashes are kept. */
export function newRecoveryCodes(): { codes: string[]; hashes: string[] } {
  const codes = Array.from({ length: COUNT }, () => {
    const letters = Array.from(randomBytes(LENGTH), (byte) => ALPHABET[byte & 31]!).join('');
    return letters.replaceAll(/(.{4})(?=.)/g, '$1-');
  });
  return { codes, hashes: codes.map(recoveryHash) };
}

/** However it was typed: small letters, spaces and dashes do not matter. */
export function recoveryHash(code: string): string {
  const letters = code.toUpperCase().replaceAll(/[^0-9A-Z]/g, '');
  return createHash('sha256').update(`hunter-recovery-1\n${letters}`).digest('base64');
}
