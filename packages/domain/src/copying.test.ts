import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decideCopy, type CopyFollow, type CopyInput } from './copying.ts';
import type { Plain } from './plain-for-test.ts';

const SOL = 1_000_000_000n;

function aFollow(overrides: Partial<Plain<CopyFollow>> = {}): CopyFollow {
  return {
    mode: 'sol',
    joinedBefore: true,
    multiplierBps: 10_000n,
    committedLeftLamports: 5n * SOL,
    ...overrides,
  } as CopyFollow;
}

type BuyInput = Extract<CopyInput, { side: 'buy' }>;
type SellInput = Extract<CopyInput, { side: 'sell' }>;

const situation = {
  tokenAtRisk: false,
  ownFreeLamports: 2n * SOL,
  costs: { feeLamports: 5_000n, rentLamports: 2_039_280n, reserveLamports: 10_000n },
  minimumLamports: 1_000_000n,
};

function aBuy(overrides: Partial<Plain<BuyInput>> = {}): BuyInput {
  return {
    ...situation,
    follow: aFollow(),
    side: 'buy',
    creatorSpendLamports: SOL,
    creatorFreeLamportsBefore: 10n * SOL,
    ...overrides,
  } as BuyInput;
}

function aSell(overrides: Partial<Plain<SellInput>> = {}): SellInput {
  return {
    ...situation,
    follow: aFollow(),
    side: 'sell',
    creatorSoldTokens: 50n,
    creatorHeldTokensBefore: 200n,
    ownHeldTokens: 1_000n,
    ownLiquidationLamports: SOL,
    ...overrides,
  } as SellInput;
}

describe('copying a buy by SOL count', () => {
  it('spends the same fraction of the own SOL as the creator does', () => {
    expect(decideCopy(aBuy())).toEqual({ kind: 'copy', amountIn: SOL / 5n });
  });

  it('keeps back the costs of copying when the creator spends everything', () => {
    expect(decideCopy(aBuy({ creatorSpendLamports: 10n * SOL }))).toEqual({
      kind: 'copy',
      amountIn: 2n * SOL - 5_000n - 2_039_280n - 10_000n,
    });
  });

  it('skips what is too small to matter', () => {
    expect(decideCopy(aBuy({ creatorSpendLamports: 1_000n }))).toEqual({ kind: 'skip', reason: 'below-minimum' });
    expect(decideCopy(aBuy({ creatorSpendLamports: 0n, minimumLamports: 0n }))).toEqual({
      kind: 'skip',
      reason: 'below-minimum',
    });
  });

  it('skips a buy the book cannot pay for together with its costs', () => {
    expect(decideCopy(aBuy({ ownFreeLamports: 2_500_000n, creatorSpendLamports: 10n * SOL }))).toEqual({
      kind: 'skip',
      reason: 'insufficient-balance',
    });
  });
});

describe('copying a buy by position', () => {
  it("takes the creator's own size times the multiplier", () => {
    const follow = aFollow({ mode: 'position', multiplierBps: 15_000n });
    expect(decideCopy(aBuy({ follow }))).toEqual({ kind: 'copy', amountIn: (SOL * 3n) / 2n });
  });

  it('stops at what is left of the committed amount', () => {
    const follow = aFollow({ mode: 'position', committedLeftLamports: SOL / 4n });
    expect(decideCopy(aBuy({ follow }))).toEqual({ kind: 'copy', amountIn: SOL / 4n });
  });

  it('skips a creator buy once the committed amount is used', () => {
    const follow = aFollow({ mode: 'position', committedLeftLamports: 0n });
    expect(decideCopy(aBuy({ follow }))).toEqual({ kind: 'skip', reason: 'committed-amount-used' });
  });
});

describe('copying a sell', () => {
  it('sells the same fraction of the own holding in both modes', () => {
    expect(decideCopy(aSell())).toEqual({ kind: 'copy', amountIn: 250n });
    expect(decideCopy(aSell({ follow: aFollow({ mode: 'position' }) }))).toEqual({ kind: 'copy', amountIn: 250n });
  });

  it('sells everything when the creator does, dust included', () => {
    expect(decideCopy(aSell({ creatorSoldTokens: 200n, ownHeldTokens: 3n, ownLiquidationLamports: 1n }))).toEqual({
      kind: 'copy',
      amountIn: 3n,
    });
  });

  it('skips where there is nothing, or too little to matter, or no SOL for the fee', () => {
    expect(decideCopy(aSell({ ownHeldTokens: 0n }))).toEqual({ kind: 'skip', reason: 'nothing-to-sell' });
    expect(decideCopy(aSell({ ownLiquidationLamports: 1_000n }))).toEqual({ kind: 'skip', reason: 'below-minimum' });
    expect(decideCopy(aSell({ ownFreeLamports: 4_999n }))).toEqual({ kind: 'skip', reason: 'insufficient-balance' });
  });

  it('copies the way out of a token at risk, and skips the way in', () => {
    expect(decideCopy(aSell({ tokenAtRisk: true })).kind).toBe('copy');
    expect(decideCopy(aBuy({ tokenAtRisk: true }))).toEqual({ kind: 'skip', reason: 'token-risk' });
  });
});

describe('any copy', () => {
  it('is skipped where the follow began after the order', () => {
    const follow = aFollow({ joinedBefore: false });
    expect(decideCopy(aBuy({ follow }))).toEqual({ kind: 'skip', reason: 'joined-later' });
    expect(decideCopy(aSell({ follow }))).toEqual({ kind: 'skip', reason: 'joined-later' });
  });

  it('never spends more than the book can pay with its costs, and never sells more than it holds', () => {
    const amount = fc.bigInt({ min: 0n, max: 100n * SOL });
    fc.assert(
      fc.property(
        amount,
        amount,
        amount,
        fc.constantFrom('sol' as const, 'position' as const),
        (own, part, whole, mode) => {
          const follow = aFollow({ mode });
          const bought = decideCopy(
            aBuy({ follow, ownFreeLamports: own, creatorSpendLamports: part, creatorFreeLamportsBefore: whole }),
          );
          if (bought.kind === 'copy') expect(bought.amountIn + 5_000n + 2_039_280n + 10_000n <= own).toBe(true);
          const sold = decideCopy(
            aSell({ follow, ownHeldTokens: own, creatorSoldTokens: part, creatorHeldTokensBefore: whole }),
          );
          if (sold.kind === 'copy') expect(sold.amountIn > 0n && sold.amountIn <= own).toBe(true);
        },
      ),
    );
  });

  it("keeps a scaled replica at the creator's weights within rounding", () => {
    const step = fc.record({
      token: fc.integer({ min: 0, max: 2 }),
      side: fc.constantFrom('buy' as const, 'sell' as const),
      share: fc.bigInt({ min: 1n, max: 60n }),
      price: fc.bigInt({ min: 1n, max: 1_000n }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), fc.bigInt({ min: 1n, max: 50n }), (steps, scale) => {
        const creator = { sol: 10n ** 15n * scale, tokens: [0n, 0n, 0n] };
        const own = { sol: 10n ** 15n, tokens: [0n, 0n, 0n] };
        const free = { feeLamports: 0n, rentLamports: 0n, reserveLamports: 0n };
        let roundings = 1n;
        for (const { token, side, share, price } of steps) {
          const held = creator.tokens[token]!;
          const ownHeld = own.tokens[token]!;
          const part = ((side === 'buy' ? creator.sol : held) * share) / 100n;
          if (part === 0n) continue;
          const common = { minimumLamports: 0n, costs: free, ownFreeLamports: own.sol };
          const decision =
            side === 'buy'
              ? decideCopy(aBuy({ ...common, creatorSpendLamports: part, creatorFreeLamportsBefore: creator.sol }))
              : decideCopy(
                  aSell({ ...common, creatorSoldTokens: part, creatorHeldTokensBefore: held, ownHeldTokens: ownHeld }),
                );
          const amountIn = decision.kind === 'copy' ? decision.amountIn : 0n;
          if (side === 'buy') {
            creator.sol -= part;
            own.sol -= amountIn;
            creator.tokens[token] = held + part / price;
            own.tokens[token] = ownHeld + amountIn / price;
          } else {
            creator.tokens[token] = held - part;
            own.tokens[token] = ownHeld - amountIn;
            creator.sol += part * price;
            own.sol += amountIn * price;
          }
          roundings += 2n;
        }
        // Each trade rounds by less than one unit, and a token's unit is worth at most 1 000 lamports here.
        const bound = roundings * 2_000n * scale;
        const near = (left: bigint, right: bigint): boolean => left - right <= bound && right - left <= bound;
        expect(near(creator.sol, own.sol * scale)).toBe(true);
        creator.tokens.forEach((held, index) => expect(near(held, own.tokens[index]! * scale)).toBe(true));
      }),
    );
  });
});
