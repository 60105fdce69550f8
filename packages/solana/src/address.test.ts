import { describe, expect, it } from 'vitest';
import * as fc from 'fast-check';
import { addressBytes, addressFromBytes, isAddress } from './address.ts';
import { decodeBase58, encodeBase58 } from './base58.ts';

describe('the text of an address', () => {
  it('is told apart from another that agrees with it where the memory looks first', () => {
    const [one, other] = [new Uint8Array(32).fill(7), new Uint8Array(32).fill(7)];
    other[0] = 8;
    for (const bytes of [one, other, one]) {
      expect(addressFromBytes(bytes)).toBe(encodeBase58(bytes));
      expect([...addressBytes(addressFromBytes(bytes))]).toEqual([...bytes]);
    }
  });

  it('is of the bytes as they were asked for, whatever becomes of them later', () => {
    const bytes = new Uint8Array(32).fill(3);
    const text = addressFromBytes(bytes);
    bytes[31] = 4;
    expect(addressFromBytes(bytes)).not.toBe(text);
    expect(addressFromBytes(new Uint8Array(32).fill(3))).toBe(text);
  });

  it('is one exactly where it decodes to 32 bytes', () => {
    const bytes = fc
      .tuple(fc.nat(33), fc.uint8Array({ minLength: 0, maxLength: 35 }))
      .map(([zeros, rest]) => Uint8Array.from([...new Uint8Array(zeros), ...rest].slice(0, 35)));
    fc.assert(
      fc.property(bytes, (some) => {
        const text = encodeBase58(some);
        expect(isAddress(text)).toBe(decodeBase58(text).length === 32);
      }),
      { numRuns: 500 },
    );
  });
});
