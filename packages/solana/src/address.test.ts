import { describe, expect, it } from 'vitest';
import { addressBytes, addressFromBytes } from './address.ts';
import { encodeBase58 } from './base58.ts';

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
});
