import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { getBase58Decoder, getBase58Encoder } from '@solana/kit';
import { decodeBase58, encodeBase58 } from './base58.ts';

describe('base58', () => {
  it('gives back every byte string it encoded and agrees with an independent implementation', () => {
    const reference = getBase58Decoder();
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) => {
        const text = encodeBase58(bytes);
        expect(text).toBe(reference.decode(bytes));
        expect([...decodeBase58(text)]).toEqual([...bytes]);
      }),
      { numRuns: 500 },
    );
  });

  it('decodes any text of the alphabet as an independent implementation does', () => {
    const reference = getBase58Encoder();
    const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'.split('');
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...alphabet), maxLength: 100 }), (text) => {
        expect([...decodeBase58(text)]).toEqual([...reference.encode(text)]);
      }),
      { numRuns: 300 },
    );
  });

  it('keeps leading zeros', () => {
    expect(encodeBase58(new Uint8Array(32))).toBe('1'.repeat(32));
    expect([...decodeBase58('112')]).toEqual([0, 0, 1]);
  });

  it.each(['0', 'O', 'I', 'l', 'é', 'a b'])('refuses %s, which is no base58', (text) => {
    expect(() => decodeBase58(text)).toThrow('BASE58_INVALID');
  });

  it('refuses text of a length nobody needs', () => {
    expect(() => decodeBase58('2'.repeat(5000))).toThrow('BASE58_TOO_LONG');
  });
});
