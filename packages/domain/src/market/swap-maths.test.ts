import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { baseUnits } from '../numbers/base-units.ts';
import { lamports } from '../numbers/lamports.ts';
import type { Plain } from '../plain-for-test.ts';
import {
  inAndOut,
  leastUnitsOut,
  liquidationValue,
  priceImpact,
  printPriceImpact,
  quotePool,
  quoteSwap,
  solAndTokens,
  spotPrice,
  unitsIn,
  unitsOut,
  worthAt,
  type AmountIn,
  type Pool,
  type PoolQuote,
  type Side,
} from './swap-maths.ts';

const SOL = 1_000_000_000n;

function aPool(overrides: Partial<Plain<Pool>> = {}): Pool {
  return {
    solReserve: 100n * SOL,
    tokenReserve: 10n ** 15n,
    virtualSol: 0n,
    virtualTokens: 0n,
    feeBps: 100n,
    ...overrides,
  } as Pool;
}

const poolProduct = (pool: Pool): bigint =>
  (pool.solReserve + pool.virtualSol) * (pool.tokenReserve + pool.virtualTokens);
const quote = <Way extends Side>(pool: Pool, side: Way, amountIn: bigint): PoolQuote<Way> =>
  quotePool(pool, side, amountIn as AmountIn<Way>);
const liquidation = (pool: Pool, tokens: bigint, fee = 0n): bigint =>
  liquidationValue(pool, baseUnits(tokens), lamports(fee));

const pools: fc.Arbitrary<Pool> = fc.record({
  solReserve: fc.bigInt({ min: 1n, max: 10n ** 15n }).map(lamports),
  tokenReserve: fc.bigInt({ min: 1n, max: 10n ** 18n }).map(baseUnits),
  virtualSol: fc.bigInt({ min: 0n, max: 10n ** 12n }).map(lamports),
  virtualTokens: fc.bigInt({ min: 0n, max: 10n ** 17n }).map(baseUnits),
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
    for (const ask of [quoteSwap, priceImpact]) {
      expect(() => ask({ ...swap, reserveIn: 0n })).toThrow('POOL_INVALID: problem=a reserve is empty');
      expect(() => ask({ ...swap, reserveOut: 0n })).toThrow('POOL_INVALID: problem=a reserve is empty');
      expect(() => ask({ ...swap, reserveOut: -1n })).toThrow('POOL_INVALID');
      expect(() => ask({ ...swap, feeBps: 10_000n })).toThrow('POOL_INVALID: problem=fee out of range');
      expect(() => ask({ ...swap, feeBps: -1n })).toThrow('POOL_INVALID: problem=fee out of range');
      expect(() => ask({ ...swap, amountIn: -1n })).toThrow('SWAP_AMOUNT_INVALID: amount=-1');
    }
    expect(quoteSwap({ ...swap, amountIn: 0n, feeBps: 9_999n })).toEqual({ amountOut: 0n, feeIn: 0n });
  });

  it('tells how far the order moves the price', () => {
    const impact = priceImpact({ reserveIn: 9_000n, reserveOut: 5n, amountIn: 1_000n, feeBps: 0n });
    expect(printPriceImpact(impact)).toBe('10');
    const afterFee = priceImpact({ reserveIn: 9_000n, reserveOut: 5n, amountIn: 1_000n, feeBps: 1_000n });
    expect(afterFee).toEqual({ numerator: 9_000_000n, denominator: 99_000_000n });
    // Rounded up: an impact is never shown smaller than it is.
    expect(printPriceImpact({ numerator: 1n, denominator: 3n })).toBe('33.3334');
  });

  it('says what a buy brings, costs and leaves behind, virtual reserves included', () => {
    const pool = aPool({
      solReserve: 600n,
      virtualSol: 400n,
      tokenReserve: 1_500n,
      virtualTokens: 500n,
      feeBps: 1_000n,
    });
    expect(quote(pool, 'buy', 1_000n)).toEqual({
      kind: 'quote',
      amountIn: 1_000n,
      amountOut: 947n,
      feeIn: 100n,
      priceImpact: { numerator: 9_000_000n, denominator: 19_000_000n },
      poolAfter: { ...pool, solReserve: 1_600n, tokenReserve: 553n },
    });
  });

  it('says what a sell brings, costs and leaves behind, virtual reserves included', () => {
    const pool = aPool({
      solReserve: 600n,
      virtualSol: 400n,
      tokenReserve: 1_500n,
      virtualTokens: 500n,
      feeBps: 1_000n,
    });
    expect(quote(pool, 'sell', 1_000n)).toEqual({
      kind: 'quote',
      amountIn: 1_000n,
      amountOut: 310n,
      feeIn: 100n,
      priceImpact: { numerator: 9_000_000n, denominator: 29_000_000n },
      poolAfter: { ...pool, solReserve: 290n, tokenReserve: 2_500n },
    });
  });

  it('of nothing is refused and a holding of nothing is worth nothing, even by an empty pool', () => {
    const empty = aPool({ solReserve: 0n, tokenReserve: 0n });
    expect(quote(empty, 'buy', 0n)).toEqual({ kind: 'refused', reason: 'amount-too-small' });
    expect(liquidation(empty, 0n)).toBe(0n);
    expect(() => liquidation(empty, 1n)).toThrow('POOL_INVALID');
  });

  it('may take the last of what the pool really has, and not one more', () => {
    const pool = aPool({ solReserve: 1_000n, tokenReserve: 500n, virtualTokens: 500n, feeBps: 0n });
    expect(quote(pool, 'buy', 1_000n)).toMatchObject({ kind: 'quote', amountOut: 500n });
    expect(quote(pool, 'buy', 1_005n)).toEqual({ kind: 'refused', reason: 'not-enough-liquidity' });
    const launch = aPool({ solReserve: 500n, virtualSol: 500n, tokenReserve: 1_000n, feeBps: 0n });
    expect(quote(launch, 'sell', 1_000n)).toMatchObject({ kind: 'quote', amountOut: 500n });
    expect(quote(launch, 'sell', 1_005n)).toEqual({ kind: 'refused', reason: 'not-enough-liquidity' });
  });

  it('is refused where nothing would come out or the pool cannot pay', () => {
    expect(quote(aPool(), 'buy', 0n)).toEqual({ kind: 'refused', reason: 'amount-too-small' });
    expect(quote(aPool({ tokenReserve: 5n }), 'buy', 1n)).toEqual({ kind: 'refused', reason: 'amount-too-small' });
    const launch = aPool({ solReserve: 1n, virtualSol: 30n * SOL });
    expect(quote(launch, 'sell', 10n ** 14n)).toEqual({ kind: 'refused', reason: 'not-enough-liquidity' });
  });

  it('is refused where the pool would then hold more than there can be', () => {
    const most = 2n ** 64n - 1n;
    const pool = aPool({ solReserve: SOL, tokenReserve: 10n ** 12n });
    expect(quote(pool, 'buy', most - SOL)).toMatchObject({ kind: 'quote', poolAfter: { solReserve: most } });
    expect(quote(pool, 'buy', most - SOL + 1n)).toEqual({ kind: 'refused', reason: 'not-enough-liquidity' });
    expect(quote(pool, 'sell', most - 10n ** 12n)).toMatchObject({ kind: 'quote', poolAfter: { tokenReserve: most } });
    expect(quote(pool, 'sell', most)).toEqual({ kind: 'refused', reason: 'not-enough-liquidity' });
  });

  it('prices a launch curve from its virtual reserves before any SOL is in it', () => {
    const launch = aPool({ solReserve: 0n, virtualSol: 30n * SOL, virtualTokens: 73n * 10n ** 12n });
    expect(spotPrice(launch)).toEqual({ numerator: 30n * SOL, denominator: 1_073n * 10n ** 12n });
    expect(quote(launch, 'buy', SOL).kind).toBe('quote');
  });

  it('never lets the product of a pool fall', () => {
    fc.assert(
      fc.property(pools, sides, amounts, (pool, side, amountIn) => {
        const quoted = quote(pool, side, amountIn);
        if (quoted.kind === 'refused') return;
        expect(poolProduct(quoted.poolAfter) >= poolProduct(pool)).toBe(true);
        expect(quoted.poolAfter.solReserve >= 0n && quoted.poolAfter.tokenReserve >= 0n).toBe(true);
      }),
    );
  });

  it('is never beaten by splitting the order, beyond one unit of rounding', () => {
    fc.assert(
      fc.property(pools, sides, amounts, amounts, (pool, side, first, second) => {
        const one = quote(pool, side, first + second);
        const start = quote(pool, side, first);
        if (one.kind === 'refused' || start.kind === 'refused') return;
        const rest = quote(start.poolAfter, side, second);
        const split = start.amountOut + (rest.kind === 'quote' ? rest.amountOut : 0n);
        expect(split <= one.amountOut + 1n).toBe(true);
      }),
    );
  });

  it('never returns more SOL than went in when turned around at once', () => {
    fc.assert(
      fc.property(pools, amounts, (pool, amountIn) => {
        const bought = quote(pool, 'buy', amountIn);
        if (bought.kind === 'refused') return;
        expect(liquidation(bought.poolAfter, bought.amountOut) <= amountIn).toBe(true);
      }),
    );
  });
});

describe('the amounts of a trade', () => {
  const sol = lamports(7n);
  const tokens = baseUnits(9n);

  it('are lamports in and tokens out of a buy, the other way round of a sale', () => {
    expect(inAndOut('buy', sol, tokens)).toEqual([7n, 9n]);
    expect(inAndOut('sell', sol, tokens)).toEqual([9n, 7n]);
    for (const side of ['buy', 'sell'] as const) {
      expect(solAndTokens(side, ...inAndOut(side, sol, tokens))).toEqual([sol, tokens]);
    }
  });

  it('go through the door of the unit that the side names', () => {
    const noLamports = 'LAMPORTS_OUT_OF_RANGE';
    const noTokens = 'TOKEN_AMOUNT_OUT_OF_RANGE';
    expect(() => unitsIn('buy', -1n)).toThrow(noLamports);
    expect(() => unitsIn('sell', -1n)).toThrow(noTokens);
    expect(() => unitsOut('buy', 2n ** 64n)).toThrow(noTokens);
    expect(() => unitsOut('sell', 2n ** 64n)).toThrow(noLamports);
    expect(leastUnitsOut('sell', 2n ** 64n)).toBe(2n ** 64n - 1n);
    expect(() => leastUnitsOut('sell', -1n)).toThrow(noLamports);
  });
});

describe('the liquidation value of a position', () => {
  it('is what the pool would pay for all of it, net of the network fee', () => {
    const quoted = quote(aPool(), 'sell', 10n ** 12n);
    if (quoted.kind === 'refused') throw new Error('expected a quote');
    expect(liquidation(aPool(), 10n ** 12n)).toBe(quoted.amountOut);
    expect(liquidation(aPool(), 10n ** 12n, 5_000n)).toBe(quoted.amountOut - 5_000n);
  });

  it('is never more than the pool has and never below zero', () => {
    expect(liquidation(aPool({ solReserve: 7n, virtualSol: 30n * SOL }), 10n ** 15n)).toBe(7n);
    expect(liquidation(aPool(), 1n, 5_000n)).toBe(0n);
    expect(liquidation(aPool(), 0n)).toBe(0n);
  });
});

describe('what tokens are worth at a price', () => {
  it('is rounded as asked for, and an absurd price is cut off where many of them still add up', () => {
    expect([
      worthAt(7n, { numerator: 1n, denominator: 2n }),
      worthAt(7n, { numerator: 1n, denominator: 2n }, 'ceil'),
    ]).toEqual([3n, 4n]);
    expect(worthAt(10n ** 15n, { numerator: SOL, denominator: 1n })).toBe(2n ** 53n);
    expect(worthAt(2n ** 53n, { numerator: 1n, denominator: 1n })).toBe(2n ** 53n);
  });
});
