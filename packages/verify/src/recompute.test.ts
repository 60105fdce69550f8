import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Transaction } from './chain.ts';
import { effectOn } from './effect.ts';
import { parseUnits, printPercent, printUnits } from './exact.ts';
import { sellingReturns } from './pools.ts';
import { apply, begin, countTrips } from './recompute.ts';

const WALLET = 'wallet';
const MINT = 'mint';

function aSwap(change: {
  lamports: number;
  deposit: number;
  before: string;
  after: string;
  err?: unknown;
}): Transaction {
  const balance = (amount: string) => ({
    accountIndex: 1,
    mint: MINT,
    owner: WALLET,
    uiTokenAmount: { amount, decimals: 0 },
  });
  return {
    slot: 1,
    transaction: {
      message: { header: { numRequiredSignatures: 1 }, accountKeys: [WALLET, 'account', 'pool'], instructions: [] },
    },
    meta: {
      err: change.err ?? null,
      fee: 10,
      preBalances: [10_000, 0, 0],
      postBalances: [10_000 + change.lamports, change.deposit, 0],
      preTokenBalances: [balance(change.before)],
      postTokenBalances: [balance(change.after)],
    },
  };
}

describe('the verifier', () => {
  it('reads a buy from balances: the fee and the deposit are no part of the price', () => {
    const effect = effectOn(WALLET, aSwap({ lamports: -1_110, deposit: 100, before: '0', after: '500' }))!;
    expect(effect).toMatchObject({ feeLamports: 10n, swapLamports: -1_000n, depositLamports: 100n });
    expect(effect.tokens.get(MINT)).toEqual({ change: 500n, decimals: 0 });
  });

  it('counts a round trip as won only when it gained after fees', () => {
    const state = begin(5_000n);
    apply(state, effectOn(WALLET, aSwap({ lamports: -1_110, deposit: 100, before: '0', after: '500' }))!, MINT);
    apply(state, effectOn(WALLET, aSwap({ lamports: 1_005, deposit: 0, before: '500', after: '0' }))!, MINT);
    // Bought for 1000 and sold for 1015, with 10 of fee each time.
    expect(state).toMatchObject({ closedTrips: 1, wonTrips: 0, realizedLamports: -5n, cashLamports: 4_895n });
  });

  it('counts a trip as lost with its first sale at a loss, whatever part of it is left', () => {
    const parts = fc.array(fc.bigInt({ min: 1n, max: 400n }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(parts, fc.integer({ min: 0, max: 99 }), (sold, percent) => {
        const state = begin(5_000n);
        const bought = sold.reduce((sum, part) => sum + part, 1n);
        let held = bought;
        apply(
          state,
          effectOn(WALLET, aSwap({ lamports: -9_000, deposit: 0, before: '0', after: String(held) }))!,
          MINT,
        );
        expect(countTrips(state)).toBe(0);
        for (const part of sold) {
          // The cost of a part is rounded down, too.
          const lamports = Math.floor((Number(9_000n * part) / Number(bought)) * (percent / 100)) - 1;
          const swap = { lamports, deposit: 0, before: String(held), after: String((held -= part)) };
          apply(state, effectOn(WALLET, aSwap(swap))!, MINT);
          expect([countTrips(state), state.wonTrips]).toEqual([1, 0]);
        }
        expect(held).toBe(1n);
      }),
    );
  });

  it('counts an open trip that sold with a gain only once nothing of it is left', () => {
    const state = begin(5_000n);
    const swap = (lamports: number, before: string, after: string) =>
      apply(state, effectOn(WALLET, aSwap({ lamports, deposit: 0, before, after }))!, MINT);
    swap(-1_010, '0', '500');
    swap(1_500, '500', '1');
    expect([countTrips(state), state.wonTrips]).toEqual([0, 0]);
    swap(0, '1', '0');
    expect([countTrips(state), state.wonTrips]).toEqual([1, 1]);
    // A trip that opens anew has sold nothing.
    swap(-1_010, '0', '500');
    expect([countTrips(state), state.wonTrips]).toEqual([1, 1]);
  });

  it('charges a failed transaction to the trip it happened in', () => {
    const state = begin(5_000n);
    apply(state, effectOn(WALLET, aSwap({ lamports: -10, deposit: 0, before: '0', after: '0', err: {} }))!, MINT);
    expect(state).toMatchObject({ cashLamports: 4_990n, realizedLamports: -10n, closedTrips: 0 });
  });

  it('never returns more than the pool has', () => {
    const pool = { lamports: 50_000n, tokens: 1_000n, virtualLamports: 10_000_000n, virtualTokens: 0n, feeBps: 50n };
    expect(sellingReturns(pool, 900n)).toBe(40_000n);
    expect(sellingReturns(pool, 0n)).toBe(0n);
  });

  it('prints exactly', () => {
    expect(printUnits(parseUnits('-1.250000001', 9), 9)).toBe('-1.250000001');
    expect(printPercent(-1n, 3n)).toBe('-33.3333');
    expect(printPercent(1n, 4n)).toBe('25');
  });
});
