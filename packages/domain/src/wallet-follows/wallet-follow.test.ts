import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Address } from '../address.ts';
import { baseUnits } from '../numbers/base-units.ts';
import { basisPoints } from '../numbers/basis-points.ts';
import { COPY_MINIMUM_LAMPORTS } from '../copying/copying.ts';
import { roundPrice } from '../copying/follow-protection.ts';
import { lamports } from '../numbers/lamports.ts';
import { depthLimit } from '../copying/round-depth.ts';
import { quotePool, spotPrice, type Pool } from '../market/swap-maths.ts';
import {
  decideWalletCopy,
  gapOf,
  LATE_MS,
  leastTokens,
  medianOf,
  WALLET_SKIP_CODES,
  type CoinMarket,
  type OwnBook,
  type WalletFollowSettings,
  type WatchedTrade,
} from './wallet-follow.ts';

const SOL = 1_000_000_000n;
const NOW = Date.UTC(2026, 0, 2, 15, 30);
const mint = 'coin' as Address;
const pool: Pool = {
  solReserve: lamports(2_000n * SOL),
  tokenReserve: baseUnits(1_000_000_000_000n),
  virtualSol: lamports(0n),
  virtualTokens: baseUnits(0n),
  feeBps: 50n,
};
const settings: WalletFollowSettings = {
  size: { kind: 'fixed', lamports: lamports(SOL / 10n) },
  copies: 'both',
  buyMinLamports: null,
  buyMaxLamports: null,
  firstBuyOnly: false,
  excludedMints: [],
  excludedHours: [],
  capPerTokenLamports: null,
  maxGap: basisPoints(300),
  protection: {
    runUpLimit: basisPoints(300),
    coinCap: basisPoints(5_000),
    capPerTradeLamports: null,
    stopLoss: null,
    takeProfit: null,
  },
};
const none = lamports(0n);
const own: OwnBook = {
  freeLamports: lamports(SOL),
  coinTokens: baseUnits(0n),
  owedTokens: baseUnits(0n),
  coinCostLamports: none,
  state: {
    equityLamports: lamports(SOL),
    coinLamports: none,
    runUpUsedLamports: none,
    runUpUsedTotalLamports: none,
    costHourLamports: none,
    costDayLamports: none,
  },
};
const market: CoinMarket = {
  refusal: null,
  pool,
  reference: spotPrice(pool),
  coin: { ageMs: 30 * 86_400_000, poolLamports: pool.solReserve },
};

function aTrade(overrides: Partial<WatchedTrade> = {}): WatchedTrade {
  const quote = quotePool(pool, 'buy', lamports(SOL));
  if (quote.kind === 'refused') throw new Error('refused');
  const tokens = quote.amountOut;
  return {
    side: 'buy',
    mint,
    lamports: lamports(SOL),
    tokens,
    atMs: NOW - 1_000,
    heldTokensBefore: baseUnits(0n),
    isFirstBuy: true,
    ...overrides,
  };
}

const decide = (
  chosen: Partial<WalletFollowSettings> = {},
  trade: Partial<WatchedTrade> = {},
  book: Partial<OwnBook> = {},
  coin: Partial<CoinMarket> = {},
) =>
  decideWalletCopy(
    { ...settings, ...chosen },
    aTrade(trade),
    { ...own, ...book },
    { ...market, ...coin },
    NOW,
    lamports(10_000n),
  );

describe('copying a wallet', () => {
  it('buys a fixed amount, or a share of what the wallet spent', () => {
    expect(decide()).toMatchObject({ kind: 'buy', amountIn: SOL / 10n, limitedBy: null });
    expect(decide({ size: { kind: 'share', shareBps: 2_500n } })).toMatchObject({ amountIn: SOL / 4n });
    const rich = { freeLamports: lamports(50n * SOL), state: { ...own.state, equityLamports: lamports(50n * SOL) } };
    expect(decide({ size: { kind: 'share', shareBps: 30_000n } }, {}, rich)).toMatchObject({ amountIn: 3n * SOL });
  });

  it('measures a share of what a large wallet spent by the price of what is bought, not of what is not', () => {
    const quote = quotePool(pool, 'buy', lamports(300n * SOL));
    if (quote.kind === 'refused') throw new Error('refused');
    const whale = { lamports: lamports(300n * SOL), tokens: quote.amountOut };
    const share = { size: { kind: 'share', shareBps: 10_000n } } as const;
    expect(decide(share, whale)).toMatchObject({ kind: 'buy', amountIn: SOL / 2n, limitedBy: 'coin-cap' });
    // More than the pool has: what the own book has can be bought all the same.
    const more = { size: { kind: 'share', shareBps: 100_000n } } as const;
    expect(decide(more, whale)).toMatchObject({ kind: 'buy', amountIn: SOL / 2n });
  });

  it('buys what lies exactly at a limit', () => {
    const whole = lamports(SOL);
    expect(decide({ buyMinLamports: whole, buyMaxLamports: whole })).toMatchObject({ kind: 'buy' });
    expect(decide({}, { atMs: NOW - LATE_MS })).toMatchObject({ kind: 'buy' });
    expect(decide({}, {}, { freeLamports: lamports(SOL / 10n + 10_000n) })).toMatchObject({ limitedBy: null });
    const least = { kind: 'fixed', lamports: COPY_MINIMUM_LAMPORTS } as const;
    expect(decide({ size: least })).toMatchObject({ kind: 'buy', amountIn: COPY_MINIMUM_LAMPORTS });
    const paid = roundPrice(pool, lamports(SOL / 10n), market.reference!, none)!;
    const cheaper = { tokens: baseUnits((aTrade().tokens * 102n) / 100n) };
    const gap = gapOf(paid.expected, aTrade(cheaper));
    expect(decide({ maxGap: basisPoints(gap) }, cheaper)).toMatchObject({ kind: 'buy' });
    expect(decide({ maxGap: basisPoints(gap - 1n) }, cheaper)).toEqual({ kind: 'skip', reason: 'price-gap' });
  });

  it('asks for a first buy only where that was chosen', () => {
    expect(decide({ firstBuyOnly: true }, { isFirstBuy: true })).toMatchObject({ kind: 'buy' });
    expect(decide({}, { isFirstBuy: false })).toMatchObject({ kind: 'buy' });
  });

  it('skips what a pool of few tokens cannot sell in whole units, before and after its limits', () => {
    const coarse = { pool: { ...pool, tokenReserve: baseUnits(3_000n) } };
    const sized = (amount: bigint) => decide({ size: { kind: 'fixed', lamports: lamports(amount) } }, {}, {}, coarse);
    expect(sized(SOL)).toEqual({ kind: 'skip', reason: 'venue-refused' });
    expect(sized(COPY_MINIMUM_LAMPORTS)).toEqual({ kind: 'skip', reason: 'venue-refused' });
    expect(sized(COPY_MINIMUM_LAMPORTS - 1n)).toEqual({ kind: 'skip', reason: 'below-minimum' });
  });

  it.each([
    ['side-off', { copies: 'sells' }, {}],
    ['size-out-of-range', { buyMinLamports: lamports(2n * SOL) }, {}],
    ['size-out-of-range', { buyMaxLamports: lamports(SOL / 2n) }, {}],
    ['not-first-buy', { firstBuyOnly: true }, { isFirstBuy: false }],
    ['token-excluded', { excludedMints: ['coin'] }, {}],
    ['hour-excluded', { excludedHours: [15] }, {}],
    ['late', {}, { atMs: NOW - LATE_MS - 1 }],
  ] as const)('skips a buy as %s', (reason, chosen, trade) => {
    expect(decide(chosen, trade)).toEqual({ kind: 'skip', reason });
  });

  it('buys nothing of a coin that followers could not buy either, and without knowing its price', () => {
    expect(decide({}, {}, {}, { refusal: 'mintable' })).toEqual({ kind: 'skip', reason: 'mintable' });
    expect(decide({}, {}, {}, { pool: null })).toEqual({ kind: 'skip', reason: 'no-reference-price' });
    expect(decide({}, {}, {}, { reference: null })).toEqual({ kind: 'skip', reason: 'no-reference-price' });
  });

  it('is held back by its caps, its money and the protection of followers, and names which', () => {
    expect(decide({ capPerTokenLamports: lamports(SOL / 20n) })).toMatchObject({
      amountIn: SOL / 20n,
      limitedBy: 'token-cap',
    });
    expect(decide({}, {}, { freeLamports: lamports(SOL / 20n) })).toMatchObject({
      amountIn: SOL / 20n - 10_000n,
      limitedBy: 'insufficient-balance',
    });
    expect(decide({ size: { kind: 'fixed', lamports: lamports(SOL) } })).toMatchObject({ limitedBy: 'coin-cap' });
    const huge = lamports(10_000n * SOL);
    expect(
      decide(
        { size: { kind: 'fixed', lamports: lamports(200n * SOL) } },
        {},
        { freeLamports: huge, state: { ...own.state, equityLamports: huge } },
      ),
    ).toMatchObject({ amountIn: depthLimit(pool, baseUnits(0n)), limitedBy: 'depth' });
    expect(decide({}, {}, { freeLamports: none })).toEqual({ kind: 'skip', reason: 'insufficient-balance' });
    expect(decide({ size: { kind: 'share', shareBps: 1n } })).toEqual({
      kind: 'skip',
      reason: 'below-minimum',
    });
  });

  it('does not buy above the price of the wallet and its limit, and does below it', () => {
    const cheaper = baseUnits((aTrade().tokens * 105n) / 100n);
    expect(decide({}, { tokens: cheaper })).toEqual({ kind: 'skip', reason: 'price-gap' });
    expect(decide({ maxGap: basisPoints(600) }, { tokens: cheaper })).toMatchObject({ kind: 'buy' });
    expect(decide({}, { tokens: baseUnits(aTrade().tokens / 2n) })).toMatchObject({ kind: 'buy' });
  });

  it('sells the fraction that the wallet sells, all when it sells all or nobody knows what it had, however late', () => {
    const held = { coinTokens: baseUnits(10_000_000n) };
    const sell = { side: 'sell', tokens: baseUnits(25n), atMs: 0 } as const;
    const sold = (amountIn: bigint) => ({ kind: 'sell', amountIn });
    expect(decide({}, { ...sell, heldTokensBefore: baseUnits(100n) }, held)).toEqual(sold(2_500_000n));
    expect(decide({}, { ...sell, heldTokensBefore: baseUnits(25n) }, held)).toEqual(sold(10_000_000n));
    expect(decide({}, { ...sell, heldTokensBefore: null }, held)).toEqual(sold(10_000_000n));
    expect(decide({}, sell)).toEqual({ kind: 'skip', reason: 'nothing-to-sell' });
    expect(decide({ copies: 'buys' }, sell, held)).toEqual({ kind: 'skip', reason: 'side-off' });
    expect(decide({ excludedMints: ['coin'], excludedHours: [0] }, sell, held)).toMatchObject({ kind: 'sell' });
  });

  describe('of a sale that is worth less than the minimum', () => {
    const sell = (part: bigint, whole: bigint, held: bigint, owed = 0n, pools: Pool | null = pool) =>
      decide(
        {},
        { side: 'sell', tokens: baseUnits(part), heldTokensBefore: baseUnits(whole), atMs: 0 },
        { coinTokens: baseUnits(held), owedTokens: baseUnits(owed) },
        { pool: pools },
      );

    it('owes the fraction of what is not owed yet', () => {
      expect(sell(1n, 10n, 1_000_000n)).toEqual({ kind: 'sell-later', owedTokens: 100_000n });
      expect(sell(1n, 10n, 1_000_000n, 100_000n)).toEqual({ kind: 'sell-later', owedTokens: 90_000n });
    });

    it('sells what is owed once it is worth the minimum together', () => {
      expect(sell(1n, 10n, 1_000_000n, 400_000n)).toEqual({ kind: 'sell-later', owedTokens: 60_000n });
      expect(sell(1n, 10n, 1_000_000n, 500_000n)).toEqual({ kind: 'sell', amountIn: 550_000n });
      expect(sell(1n, 2_000_000n, 1_000_000n, 500_000n + 4_000n)).toEqual({ kind: 'sell', amountIn: 504_000n });
    });

    it('sells everything, owed or not, when the wallet has sold all, however little it is', () => {
      expect(sell(9n, 9n, 1_000n)).toEqual({ kind: 'sell', amountIn: 1_000n });
      expect(sell(9n, 9n, 1_000n, 400n)).toEqual({ kind: 'sell', amountIn: 1_000n });
    });

    it('sells at once where nobody knows what it is worth', () => {
      expect(sell(1n, 10n, 1_000n, 0n, null)).toEqual({ kind: 'sell', amountIn: 100n });
    });

    it('owes no more than is held', () => {
      expect(sell(1n, 10n, 1_000n, 4_000n)).toEqual({ kind: 'sell-later', owedTokens: 0n });
      expect(sell(1n, 10n, 0n, 4_000n)).toEqual({ kind: 'skip', reason: 'nothing-to-sell' });
    });

    it('sells as much in many small parts as in one, less than a minimum', () => {
      fc.assert(
        fc.property(fc.array(fc.bigInt({ min: 1n, max: 99n }), { minLength: 1, maxLength: 60 }), (parts) => {
          let [wallet, exact, held, owed] = [10n ** 12n, 10_000_000n, 10_000_000n, 0n];
          for (const part of parts) {
            const sold = (wallet * part) / 10_000n;
            const copy = sell(sold, wallet, held, owed);
            if (copy.kind === 'sell') [held, owed] = [held - copy.amountIn, 0n];
            else if (copy.kind === 'sell-later') owed += copy.owedTokens;
            exact -= (exact * sold) / wallet;
            wallet -= sold;
            expect(held - owed).toBe(exact);
            expect(owed).toBeLessThan(505_000n);
          }
        }),
      );
    });
  });

  it('never spends more than is free, than any cap, or than the wanted size', () => {
    const amount = fc.bigInt({ min: 0n, max: 5n * SOL });
    fc.assert(
      fc.property(amount, amount, amount, amount, (size, free, cap, cost) => {
        const decision = decide(
          { size: { kind: 'fixed', lamports: lamports(size) }, capPerTokenLamports: lamports(cap) },
          {},
          { freeLamports: lamports(free), coinCostLamports: lamports(cost) },
        );
        if (decision.kind !== 'buy') return;
        expect(decision.amountIn).toBeLessThanOrEqual(size);
        expect(decision.amountIn + 10_000n).toBeLessThanOrEqual(free);
        expect(decision.amountIn + cost).toBeLessThanOrEqual(cap);
      }),
    );
  });
});

it('measures a gap in basis points, against the copy where it rounds', () => {
  const theirs = { lamports: lamports(100n), tokens: baseUnits(10n) };
  expect(gapOf({ numerator: 103n, denominator: 10n }, theirs)).toBe(300n);
  expect(gapOf({ numerator: 97n, denominator: 10n }, theirs)).toBe(-300n);
  expect(gapOf({ numerator: 100_001n, denominator: 10_000n }, theirs)).toBe(1n);
  expect(gapOf({ numerator: 99_999n, denominator: 10_000n }, theirs)).toBe(0n);
  // Who paid nothing has no price: the gap is as large as the whole.
  expect(gapOf({ numerator: 1n, denominator: 1n }, { ...theirs, lamports: none })).toBe(10_000n);
});

it('asks for the least that stays within the limit, and for no base unit more', () => {
  const amount = fc.bigInt({ min: 1n, max: 2n ** 63n });
  fc.assert(
    fc.property(amount, amount, amount, fc.integer({ min: 50, max: 2_000 }), (amountIn, paid, got, bps) => {
      const trade = { lamports: lamports(paid), tokens: baseUnits(got) };
      const least = leastTokens(lamports(amountIn), trade, basisPoints(bps));
      const gapFor = (tokens: bigint) => gapOf({ numerator: amountIn, denominator: tokens }, trade);
      // More than anybody can hold is never brought, however much that would be.
      if (least === 2n ** 64n - 1n) return;
      expect(gapFor(least)).toBeLessThanOrEqual(bps);
      if (least > 1n) expect(gapFor(least - 1n)).toBeGreaterThan(bps);
    }),
  );
});

it('asks for the most there can be where the wallet paid next to nothing for all tokens of a coin', () => {
  const gift = { lamports: lamports(1n), tokens: baseUnits(2n ** 63n) };
  expect(leastTokens(lamports(10n ** 9n), gift, basisPoints(100))).toBe(2n ** 64n - 1n);
});

it('takes the middle of values, the lower of two, and nothing of none', () => {
  expect(medianOf([5, 1, 3])).toBe(3);
  expect(medianOf([4, 2])).toBe(2);
  expect(medianOf([])).toBeNull();
});

it('gives every reason a number of its own', () => {
  const codes = Object.values(WALLET_SKIP_CODES);
  expect(new Set(codes).size).toBe(codes.length);
});
