import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addTokenAmounts,
  parseTokenAmount,
  printTokenAmount,
  subtractTokenAmounts,
  tokenAmount,
  TOKEN_RAW_MAX,
} from './token-amount.ts';

describe('a token amount', () => {
  it('is read and printed with the decimals of its token', () => {
    expect(parseTokenAmount('mint', 6, '1.5')).toEqual({ mint: 'mint', decimals: 6, raw: 1_500_000n });
    expect(printTokenAmount(tokenAmount('mint', 0, 7n))).toBe('7');
    expect(() => parseTokenAmount('mint', 6, '0.0000001')).toThrow('too-precise');
  });

  it('stays within what a token account can hold', () => {
    expect(() => tokenAmount('mint', 6, -1n)).toThrow('TOKEN_AMOUNT_OUT_OF_RANGE');
    expect(() => tokenAmount('mint', 6, TOKEN_RAW_MAX + 1n)).toThrow('TOKEN_AMOUNT_OUT_OF_RANGE');
    expect(() => tokenAmount('mint', 1.5, 1n)).toThrow('TOKEN_DECIMALS_INVALID');
    expect(() => subtractTokenAmounts(tokenAmount('mint', 6, 1n), tokenAmount('mint', 6, 2n))).toThrow(
      'TOKEN_AMOUNT_OUT_OF_RANGE',
    );
  });

  it('is never mixed with another token', () => {
    expect(() => addTokenAmounts(tokenAmount('one', 6, 1n), tokenAmount('two', 6, 1n))).toThrow('TOKEN_MISMATCH');
  });

  it('comes back after adding and subtracting', () => {
    const raw = fc.bigInt({ min: 0n, max: 2n ** 63n - 1n });
    fc.assert(
      fc.property(raw, raw, (a, b) => {
        const left = tokenAmount('mint', 6, a);
        const right = tokenAmount('mint', 6, b);
        expect(subtractTokenAmounts(addTokenAmounts(left, right), right)).toEqual(left);
      }),
    );
  });
});
