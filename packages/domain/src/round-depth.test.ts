import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { baseUnits } from './base-units.ts';
import { lamports } from './lamports.ts';
import { depthLimit } from './round-depth.ts';
import { quotePool, spotPrice, type Pool } from './swap-maths.ts';

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
    const held = baseUnits(10n ** 14n);
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
});
