import { describe, expect, it } from 'vitest';
import { acceptTotp, STEP_MS, toBase32, totpCode } from './totp.ts';

const SECRET = Buffer.from('12345678901234567890');

describe('codes of authenticator apps', () => {
  // RFC 6238 appendix B, of its eight digits the last six.
  it.each([
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ])('at second %i are those of the standard', (second, code) => {
    expect(totpCode(SECRET, Math.floor(second / 30))).toBe(code);
  });

  it('count for their own step and one on either side, and once', () => {
    const now = 40_000_000 * STEP_MS;
    const code = (step: number): string => totpCode(SECRET, 40_000_000 + step);
    const found = [-2, -1, 0, 1, 2].map((step) => acceptTotp(SECRET, code(step), now, 0));
    expect(found).toEqual([null, 39_999_999, 40_000_000, 40_000_001, null]);
    expect(acceptTotp(SECRET, code(0), now, 40_000_000)).toBeNull();
    expect(acceptTotp(SECRET, code(-1), now, 40_000_000)).toBeNull();
    expect(acceptTotp(SECRET, '12345', now, 0)).toBeNull();
  });

  it('have their secret in the letters that apps take', () => {
    expect(toBase32(SECRET)).toBe('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ');
  });
});
