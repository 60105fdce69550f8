import { describe, expect, it } from 'vitest';
import { newRecoveryCodes, recoveryHash } from './recovery-codes.ts';

describe('recovery codes', () => {
  it('are ten, all different, in three groups without letters that look like others', () => {
    const { codes, hashes } = newRecoveryCodes();
    expect(new Set(codes).size).toBe(10);
    for (const code of codes) expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){2}$/);
    expect(hashes).toEqual(codes.map(recoveryHash));
    expect(hashes.some((hash) => codes.includes(hash))).toBe(false);
  });

  it('count however they were typed, with every digit and letter', () => {
    const hash = recoveryHash('ABCD-1234-WXYZ');
    expect(recoveryHash(' abcd 1234wxyz ')).toBe(hash);
    // Who has the digits alone has not got the code.
    const others = ['1234', 'EBCD-1234-WXYZ', 'ABCD-1235-WXYZ', 'ABCD-1234-WXY', '1234-ABCD-WXYZ'];
    expect(others.some((other) => recoveryHash(other) === hash)).toBe(false);
  });
});
