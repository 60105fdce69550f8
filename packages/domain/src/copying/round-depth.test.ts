import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { baseUnits } from '../numbers/base-units.ts';
import { lamports } from '../numbers/lamports.ts';
import { depthLimit, joinDepthLimit } from './round-depth.ts';
import { quotePool, spotPrice, type Pool } from '../market/swap-maths.ts';

const SOL = 1_000_000_000n;

const aPool = fc.record({
  solReserve: fc.bigInt({ min: SOL, max: 10_000n * SOL }).map(lamports),
  tokenReserve: fc.bigInt({ min: 10n ** 9n, max: 10n ** 16n }).map(baseUnits),
  virtualSol: fc.bigInt({ min: 0n, max: 100n * SOL }).map(lamports),
  virtualTokens: fc.bigInt({ min: 0n, max: 10n ** 12n }).map(baseUnits),
  feeBps: fc.bigInt({ min: 0n, max: 500n }),
});

/** Both in basis points, rounded down: how far a purchase moves the price, and what selling everything after it would lose. */
function effects(pool: Pool, spend: bigint, held: bigint): { move: bigint; exit: bigint } | null {
  const quote = quotePool(pool, 'buy', lamports(spend));
  if (quote.kind === 'refused') return null;
  const [before, after] = [spotPrice(pool), spotPrice(quote.poolAfter)];
  const sale = quotePool(quote.poolAfter, 'sell', baseUnits(held + quote.amountOut));
  if (sale.kind === 'refused') return null;
  return {
    move: (after.numerator * before.denominator * 10_000n) / (before.numerator * after.denominator) - 10_000n,
    exit: (sale.priceImpact.numerator * 10_000n) / sale.priceImpact.denominator,
  };
}

/** A thousand SOL deep, without a fee. */
function aPlainPool(overrides: Partial<Pool>): Pool {
  return {
    solReserve: lamports(1_000n * SOL),
    tokenReserve: baseUnits(10n ** 15n),
    virtualSol: lamports(0n),
    virtualTokens: baseUnits(0n),
    feeBps: 0n,
    ...overrides,
  };
}

describe('the depth limit', () => {
  it('is about one and a half percent of the pool, where the price moves by three', () => {
    const pool: Pool = {
      solReserve: lamports(1_000n * SOL),
      tokenReserve: baseUnits(10n ** 15n),
      virtualSol: lamports(0n),
      virtualTokens: baseUnits(0n),
      feeBps: 0n,
    };
    expect(depthLimit(pool, baseUnits(0n)) / SOL).toBe(14n);
    expect(effects(pool, depthLimit(pool, baseUnits(0n)), 0n)!.move).toBeLessThanOrEqual(300n);
    expect(effects(pool, depthLimit(pool, baseUnits(0n)) + SOL / 100n, 0n)!.move).toBeGreaterThanOrEqual(300n);
  });

  it('is lower where so much is held already that leaving would cost more than ten percent', () => {
    const pool: Pool = {
      solReserve: lamports(1_000n * SOL),
      tokenReserve: baseUnits(10n ** 15n),
      virtualSol: lamports(0n),
      virtualTokens: baseUnits(0n),
      feeBps: 0n,
    };
    const held = baseUnits(108n * 10n ** 12n);
    expect(depthLimit(pool, held)).toBeGreaterThan(0n);
    const limit = depthLimit(pool, held);
    expect(limit).toBeGreaterThan(0n);
    expect(limit).toBeLessThan(depthLimit(pool, baseUnits(0n)));
    expect(effects(pool, limit, held)!.exit).toBeLessThanOrEqual(1_000n);
    expect(effects(pool, limit + SOL / 100n, held)!.exit).toBeGreaterThanOrEqual(1_000n);
    expect(depthLimit(pool, baseUnits(2n * 10n ** 14n))).toBe(0n);
  });

  it('keeps both promises in every pool', () => {
    fc.assert(
      fc.property(aPool, fc.bigInt({ min: 0n, max: 10n ** 15n }), (pool, held) => {
        const limit = depthLimit(pool, baseUnits(held));
        const effect = limit > 0n ? effects(pool, limit, held) : null;
        if (effect === null) return;
        expect(effect.move).toBeLessThanOrEqual(300n);
        expect(effect.exit).toBeLessThanOrEqual(1_000n);
      }),
    );
  });

  it('counts the reserves of a launch curve that are not there to be paid out', () => {
    const plain = aPlainPool({});
    const launch = aPlainPool({ solReserve: lamports(500n * SOL), virtualSol: lamports(500n * SOL) });
    expect(depthLimit(launch, baseUnits(0n))).toBe(depthLimit(plain, baseUnits(0n)));
  });

  it('is reached exactly at three percent of movement', () => {
    const small = aPlainPool({ solReserve: lamports(200n), tokenReserve: baseUnits(206n) });
    expect(effects(small, 3n, 0n)!.move).toBe(300n);
    expect(depthLimit(small, baseUnits(0n))).toBe(3n);
  });

  it('is reached exactly at ten percent of impact on leaving', () => {
    // After a purchase of a hundred there are 9 000 tokens in the pool; a ninth of that costs a tenth.
    const pool = aPlainPool({ solReserve: lamports(10_000n), tokenReserve: baseUnits(9_090n) });
    const held = baseUnits(910n);
    expect(effects(pool, 100n, 910n)).toMatchObject({ exit: 1_000n });
    expect(depthLimit(pool, held)).toBeGreaterThanOrEqual(100n);
  });

  it('is no more than the pool has tokens to sell', () => {
    const pool = aPlainPool({ tokenReserve: baseUnits(1_000n), virtualTokens: baseUnits(10n ** 12n) });
    const limit = depthLimit(pool, baseUnits(0n));
    expect(quotePool(pool, 'buy', limit)).toMatchObject({ kind: 'quote', amountOut: 1_000n });
    expect(quotePool(pool, 'buy', lamports(limit + 10n ** 9n)).kind).toBe('refused');
  });

  it('is nothing where what is held could not be paid out', () => {
    const launch = aPlainPool({ solReserve: lamports(0n), virtualSol: lamports(30n * SOL) });
    expect(depthLimit(launch, baseUnits(0n))).toBeGreaterThan(0n);
    expect(depthLimit(launch, baseUnits(10n ** 12n))).toBe(0n);
  });

  it('takes what is too little to move the price, or to be sold again for anything', () => {
    // One token costs a hundred lamports and moves the price by a tenth: less than that buys nothing and moves nothing.
    const coarse = aPlainPool({ solReserve: lamports(1_000n), tokenReserve: baseUnits(10n) });
    const limit = depthLimit(coarse, baseUnits(0n));
    expect(quotePool(coarse, 'buy', limit)).toEqual({ kind: 'refused', reason: 'amount-too-small' });
    expect(quotePool(coarse, 'buy', lamports(limit + 1n)).kind).toBe('quote');
    const tiny = aPlainPool({ solReserve: lamports(100n), tokenReserve: baseUnits(1_000_000n) });
    expect(depthLimit(tiny, baseUnits(0n))).toBe(1n);
  });
});

describe('the depth limit of joins', () => {
  const pool = aPlainPool({});
  const none = baseUnits(0n);
  const joining = (joined: bigint, held = none) => joinDepthLimit(pool, held, lamports(joined));

  it('moves the price by one and a half percent, counting what joined within the hour', () => {
    expect(effects(pool, joining(0n), 0n)!.move).toBe(149n);
    expect(joining(0n) - joining(SOL)).toBe(SOL);
    expect(joining(joining(0n))).toBe(0n);
    expect(joining(100n * SOL)).toBe(0n);
  });

  it('waits until there is room for a quarter of it, so that no minute brings a crumb', () => {
    const most = joining(0n);
    expect(joining(most - most / 4n - 1n)).toBe(most / 4n + 1n);
    expect(joining(most - most / 4n + 1n)).toBe(0n);
  });

  it('is no more than what everybody could sell again', () => {
    const held = baseUnits(108n * 10n ** 12n);
    expect(depthLimit(pool, held)).toBeGreaterThan(0n);
    expect(joining(0n, held)).toBe(depthLimit(pool, held));
  });
});
