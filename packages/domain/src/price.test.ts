import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  parsePriceSol,
  price,
  priceOfTrade,
  printLamportsUsd,
  printPriceChange,
  printPriceSol,
  printPriceUsd,
  valueAtPrice,
} from './price.ts';

describe('a price', () => {
  it('is SOL per whole token, whatever the decimals of the token', () => {
    expect(printPriceSol(priceOfTrade(1_000_000_000n, 2_000_000n, 6))).toBe('0.5');
    expect(printPriceSol(priceOfTrade(28n, 1_000_000n, 6))).toBe('0.000000028');
    expect(printPriceSol(priceOfTrade(5n, 1n, 0))).toBe('0.000000005');
  });

  it('is refused without tokens or below zero', () => {
    expect(() => priceOfTrade(1n, 0n, 6)).toThrow('PRICE_INVALID');
    expect(() => price(-1n)).toThrow('PRICE_INVALID');
  });

  it('turns into dollars at the reference price', () => {
    expect(printPriceUsd(parsePriceSol('0.000000028'), '150.5')).toBe('0.000004214');
    expect(printLamportsUsd(-1_500_000_000n, '150.5')).toBe('-225.75');
  });

  it('tells its change in percent points, or nothing where there was none', () => {
    expect(printPriceChange(price(8n), price(9n))).toBe('12.5');
    expect(printPriceChange(price(8n), price(4n))).toBe('-50');
    expect(printPriceChange(price(0n), price(4n))).toBeNull();
  });

  it('gives back the lamports of its trade to within one', () => {
    const tokens = fc.bigInt({ min: 1n, max: 10n ** 15n });
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 15n }), tokens, (lamports, baseUnits) => {
        const value = valueAtPrice(priceOfTrade(lamports, baseUnits, 6), baseUnits, 6);
        const difference = value - lamports;
        expect(difference >= -1n && difference <= 1n).toBe(true);
      }),
    );
  });
});
