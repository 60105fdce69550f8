import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decideCopySale, type CopySale } from './copying.ts';
import type { Plain } from './plain-for-test.ts';

const SOL = 1_000_000_000n;

function aSale(overrides: Partial<Plain<CopySale>> = {}): CopySale {
  return {
    joinedBefore: true,
    creatorSoldTokens: 50n,
    creatorHeldTokensBefore: 200n,
    ownHeldTokens: 1_000n,
    ownLiquidationLamports: SOL,
    ownFreeLamports: 2n * SOL,
    feeLamports: 5_000n,
    ...overrides,
  } as CopySale;
}

describe('copying a sale', () => {
  it('sells the same fraction of the own holding', () => {
    expect(decideCopySale(aSale())).toEqual({ kind: 'copy', amountIn: 250n });
  });

  it('sells everything when the creator does, dust included', () => {
    const all = { creatorSoldTokens: 200n, ownHeldTokens: 3n, ownLiquidationLamports: 1n };
    expect(decideCopySale(aSale(all))).toEqual({ kind: 'copy', amountIn: 3n });
  });

  it.each([
    ['the follow began after the order', { joinedBefore: false }, 'joined-later'],
    ['there is nothing to sell', { ownHeldTokens: 0n }, 'nothing-to-sell'],
    ['there is no SOL for the fee', { ownFreeLamports: 4_999n }, 'insufficient-balance'],
    ['the part is worth less than the minimum', { ownLiquidationLamports: 3_999_999n }, 'below-minimum'],
    ['the part is less than a base unit', { creatorSoldTokens: 1n, ownHeldTokens: 199n }, 'below-minimum'],
  ] as const)('is skipped where %s', (_name, overrides, reason) => {
    expect(decideCopySale(aSale(overrides))).toEqual({ kind: 'skip', reason });
  });

  it('is made at the edge of the minimum and of the fee', () => {
    expect(decideCopySale(aSale({ ownLiquidationLamports: 4_000_000n })).kind).toBe('copy');
    expect(decideCopySale(aSale({ ownFreeLamports: 5_000n })).kind).toBe('copy');
  });

  it('never sells more than is held, and never a larger fraction than the creator’s', () => {
    const amount = fc.bigInt({ min: 1n, max: 10n ** 18n });
    fc.assert(
      fc.property(amount, amount, amount, (own, part, whole) => {
        const sale = decideCopySale(
          aSale({ ownHeldTokens: own, creatorSoldTokens: part, creatorHeldTokensBefore: whole }),
        );
        if (sale.kind === 'skip') return;
        expect(sale.amountIn).toBeLessThanOrEqual(own);
        if (part < whole) expect(sale.amountIn * whole).toBeLessThanOrEqual(own * part);
      }),
    );
  });
});
