import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { baseUnits } from './base-units.ts';
import { lamports } from './lamports.ts';
import {
  price,
  priceOfTrade,
  printLamportsUsd,
  printPriceSol,
  printPriceUsd,
  type Price,
  valueAtPrice,
} from './price.ts';

const priceOf = (sol: bigint, tokens: bigint, decimals: number): Price =>
  priceOfTrade(lamports(sol), baseUnits(tokens), decimals);

describe('a price', () => {
  it('is SOL per whole token, whatever the decimals of the token', () => {
    expect(printPriceSol(priceOf(1_000_000_000n, 2_000_000n, 6))).toBe('0.5');
    expect(printPriceSol(priceOf(28n, 1_000_000n, 6))).toBe('0.000000028');
    expect(printPriceSol(priceOf(5n, 1n, 0))).toBe('0.000000005');
  });

  it('is refused without tokens or below zero', () => {
    expect(() => priceOf(1n, 0n, 6)).toThrow('PRICE_INVALID: problem=no tokens');
    expect(() => price(-1n)).toThrow('PRICE_INVALID: problem=negative');
  });

  it('turns into dollars at the reference price', () => {
    expect(printPriceUsd(priceOf(28n, 1_000_000n, 6), '150.5')).toBe('0.000004214');
    expect(printLamportsUsd(-1_500_000_000n, '150.5')).toBe('-225.75');
    expect(printLamportsUsd(1_001n, '150.5')).toBe('0.000151');
    expect(printPriceUsd(price(3n), '0.5')).toBe('0.000000000000000002');
  });

  it('gives back the lamports of its trade to within one', () => {
    const amount = fc.bigInt({ min: 1n, max: 10n ** 15n });
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 15n }), amount, (sol, tokens) => {
        const value = (priceOf(sol, tokens, 6) * tokens) / 10n ** 15n;
        const difference = value - sol;
        expect(difference >= -1n && difference <= 1n).toBe(true);
      }),
    );
  });

  it('says what tokens are worth, rounded down', () => {
    // 1.5 SOL per token of six decimals.
    const at = price(15n * 10n ** 17n);
    expect(valueAtPrice(baseUnits(2_000_000n), at, 6)).toBe(3_000_000_000n);
    expect(valueAtPrice(baseUnits(1n), price(10n ** 18n + 1n), 9)).toBe(1n);
  });
});
