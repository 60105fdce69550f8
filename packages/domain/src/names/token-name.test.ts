import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cleanTokenName, cleanTokenSymbol, cleanTokenText } from './token-name.ts';

describe('a token name', () => {
  it.each([
    ['Fwog the frog', 'Fwog the frog'],
    ['  two \n\t lines ', 'two lines'],
    ['evil\u202egpj.exe', 'evilgpj.exe'],
    ['ze\u200bro\u200dwi\ufeffdth', 'zerowidth'],
    ['\u2066hidden\u2069', 'hidden'],
    ['nul\u0000l\u0007', 'null'],
    ['狗狗币 🐶', '狗狗币 🐶'],
    ['a\u0301', 'á'],
    ['Z\u0311\u0312\u0313\u0314\u0315', 'Z\u0311\u0312'],
    ['lone \ud800 half', 'lone half'],
  ])('%j is shown as %j', (text, clean) => {
    expect(cleanTokenName(text)).toBe(clean);
  });

  it('is nothing where nothing can be seen', () => {
    for (const text of ['', '   ', '\u200b\u200b', '\u3164', '\u2800', '\u202e'])
      expect(cleanTokenName(text)).toBeNull();
  });

  it('is cut by whole characters', () => {
    expect(cleanTokenSymbol('🐶'.repeat(20))).toBe(`${'🐶'.repeat(15)}…`);
    expect(cleanTokenName('x'.repeat(1_000_000))).toHaveLength(40);
  });

  it('never keeps what could change the text around it, and cleaning again changes nothing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
        const clean = cleanTokenText(text, 40);
        if (clean === null) return;
        expect(clean).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}]/u);
        expect(Array.from(clean).length).toBeLessThanOrEqual(40);
        expect(cleanTokenText(clean, 40)).toBe(clean);
      }),
    );
  });
});
