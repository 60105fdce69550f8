import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  liquidationValue,
  poolProduct,
  priceImpact,
  printPriceImpact,
  quotePool,
  quoteSwap,
  spotPrice,
  type Pool,
} from './swap-maths.ts';

const SOL = 1_000_000_000n;

function aPool(overrides: Partial<Pool> = {}): Pool {
  return {
    solReserve: 100n * SOL,
    tokenReserve: 10n ** 15n,
    virtualSol: 0n,
    virtualTokens: 0n,
    feeBps: 100n,
    ...overrides,
  };
}

const pools = fc.record({
  solReserve: fc.bigInt({ min: 1n, max: 10n ** 15n }),
  tokenReserve: fc.bigInt({ min: 1n, max: 10n ** 18n }),
  virtualSol: fc.bigInt({ min: 0n, max: 10n ** 12n }),
  virtualTokens: fc.bigInt({ min: 0n, max: 10n ** 17n }),
  feeBps: fc.bigInt({ min: 0n, max: 1_000n }),
});
const sides = fc.constantFrom('buy' as const, 'sell' as const);
const amounts = fc.bigInt({ min: 1n, max: 10n ** 16n });

describe('a swap quote', () => {
  it('follows the constant product after the fee', () => {
    expect(quoteSwap({ reserveIn: 1_000n, reserveOut: 1_000n, amountIn: 1_000n, feeBps: 0n }).amountOut).toBe(500n);
    expect(quoteSwap({ reserveIn: 1_000n, reserveOut: 1_000n, amountIn: 1_000n, feeBps: 1_000n })).toEqual({
      amountOut: 473n,
      feeIn: 100n,
    });
  });

  it('refuses empty reserves, impossible fees and negative amounts', () => {
    const swap = { reserveIn: 1n, reserveOut: 1n, amountIn: 1n, feeBps: 0n };
    expect(() => quoteSwap({ ...swap, reserveIn: 0n })).toThrow('POOL_INVALID');
    expect(() => quoteSwap({ ...swap, feeBps: 10_000n })).toThrow('POOL_INVALID');
    expect(() => quoteSwap({ ...swap, amountIn: -1n })).toThrow('SWAP_AMOUNT_INVALID');
  });

  it('tells how far the order moves the price', () => {
    const impact = priceImpact({ reserveIn: 9_000n, reserveOut: 5n, amountIn: 1_000n, feeBps: 0n });
    expect(printPriceImpact(impact)).toBe('10');
  });

  it('is refused where nothing would come out or the pool cannot pay', () => {
    expect(quotePool(aPool(), 'buy', 0n)).toEqual({ kind: 'refused', reason: 'amount-too-small' });
    expect(quotePool(aPool({ tokenReserve: 5n }), 'buy', 1n)).toEqual({ kind: 'refused', reason: 'amount-too-small' });
    const launch = aPool({ solReserve: 1n, virtualSol: 30n * SOL });
    expect(quotePool(launch, 'sell', 10n ** 14n)).toEqual({ kind: 'refused', reason: 'not-enough-liquidity' });
  });

  it('prices a launch curve from its virtual reserves before any SOL is in it', () => {
    const launch = aPool({ solReserve: 0n, virtualSol: 30n * SOL, virtualTokens: 73n * 10n ** 12n });
    expect(spotPrice(launch).numerator).toBe(30n * SOL);
    expect(quotePool(launch, 'buy', SOL).kind).toBe('quote');
  });

  it('never lets the product of a pool fall', () => {
    fc.assert(
      fc.property(pools, sides, amounts, (pool, side, amountIn) => {
        const quote = quotePool(pool, side, amountIn);
        if (quote.kind === 'refused') return;
        expect(poolProduct(quote.poolAfter) >= poolProduct(pool)).toBe(true);
        expect(quote.poolAfter.solReserve >= 0n && quote.poolAfter.tokenReserve >= 0n).toBe(true);
      }),
    );
  });

  it('is never beaten by splitting the order, beyond one unit of rounding', () => {
    fc.assert(
      fc.property(pools, sides, amounts, amounts, (pool, side, first, second) => {
        const one = quotePool(pool, side, first + second);
        const start = quotePool(pool, side, first);
        if (one.kind === 'refused' || start.kind === 'refused') return;
        const rest = quotePool(start.poolAfter, side, second);
        const split = start.amountOut + (rest.kind === 'quote' ? rest.amountOut : 0n);
        expect(split <= one.amountOut + 1n).toBe(true);
      }),
    );
  });

  it('never returns more SOL than went in when turned around at once', () => {
    fc.assert(
      fc.property(pools, amounts, (pool, amountIn) => {
        const bought = quotePool(pool, 'buy', amountIn);
        if (bought.kind === 'refused') return;
        expect(liquidationValue(bought.poolAfter, bought.amountOut) <= amountIn).toBe(true);
      }),
    );
  });
});

describe('the liquidation value of a position', () => {
  it('is what the pool would pay for all of it, net of the network fee', () => {
    const quote = quotePool(aPool(), 'sell', 10n ** 12n);
    if (quote.kind === 'refused') throw new Error('expected a quote');
    expect(liquidationValue(aPool(), 10n ** 12n)).toBe(quote.amountOut);
    expect(liquidationValue(aPool(), 10n ** 12n, 5_000n)).toBe(quote.amountOut - 5_000n);
  });

  it('is never more than the pool has and never below zero', () => {
    expect(liquidationValue(aPool({ solReserve: 7n, virtualSol: 30n * SOL }), 10n ** 15n)).toBe(7n);
    expect(liquidationValue(aPool(), 1n, 5_000n)).toBe(0n);
    expect(liquidationValue(aPool(), 0n)).toBe(0n);
  });
});
