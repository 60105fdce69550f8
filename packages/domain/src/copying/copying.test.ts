import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decideCopySale, type CopySale } from './copying.ts';
import type { Plain } from '../plain-for-test.ts';

function aSale(overrides: Partial<Plain<CopySale>> = {}): CopySale {
  return { creatorSoldTokens: 50n, creatorHeldTokensBefore: 200n, ownHeldTokens: 1_000n, ...overrides } as CopySale;
}

describe('copying a sale', () => {
  it('sells the same fraction of the own holding, however small it is', () => {
    expect(decideCopySale(aSale())).toEqual({ kind: 'copy', amountIn: 250n });
    expect(decideCopySale(aSale({ ownHeldTokens: 4n }))).toEqual({ kind: 'copy', amountIn: 1n });
  });

  it('sells everything when the creator does, dust included', () => {
    expect(decideCopySale(aSale({ creatorSoldTokens: 200n, ownHeldTokens: 3n }))).toEqual({
      kind: 'copy',
      amountIn: 3n,
    });
  });

  it.each([
    ['there is nothing to sell', { ownHeldTokens: 0n }],
    ['the part is less than a base unit', { creatorSoldTokens: 1n, ownHeldTokens: 199n }],
  ] as const)('is skipped where %s', (_name, overrides) => {
    expect(decideCopySale(aSale(overrides))).toEqual({ kind: 'skip', reason: 'nothing-to-sell' });
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
