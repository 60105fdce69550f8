import { lamports } from '@hunter/domain/lamports';
import { describe, expect, it } from 'vitest';
import type { ChainFill } from './chain-fill.ts';
import { fillEntry, coverShortfall, missingLamports } from './order-postings.ts';

const AT = new Date(0);
const order = { id: 'o', bookId: 'own', mint: 'mint', side: 'buy' as const, holdLamports: 1_010_000n, holdTokens: 0n };
const fill: ChainFill = {
  signature: 's',
  slot: 1n,
  failed: false,
  tokens: 7n,
  lamports: 1_000_000n,
  feeLamports: lamports(10_000n),
  rentLamports: 0n,
  createdAccount: null,
};
const withRent = { ...fill, rentLamports: 2_039_280n };

describe('what a transaction took beyond its hold', () => {
  it('is nothing for an order as it was planned', () => {
    expect(missingLamports(order, fill)).toBe(0n);
    expect(coverShortfall(order, fill, [])).toEqual(new Map());
  });

  it('is paid by the own book first, then by the others, and the entry still sums to zero', () => {
    expect(missingLamports(order, withRent)).toBe(2_039_280n);
    const balances = [
      { bookId: 'personal', cashLamports: 1_000_000n },
      { bookId: 'own', cashLamports: 39_280n },
      { bookId: 'strategy', cashLamports: 5_000_000n },
    ];
    const cover = coverShortfall(order, withRent, balances);
    expect(cover).toEqual(
      new Map([
        ['personal', 1_000_000n],
        ['strategy', 1_000_000n],
      ]),
    );
    const share = { amountIn: 1_000_000n, amountOut: 7n, feeLamports: 10_000n };
    const part = { bookId: 'own', userId: 'u', amountIn: 1_000_000n, holdLamports: 1_010_000n, holdTokens: 0n };
    const { postings } = fillEntry(order, [{ part, share }], withRent, AT, cover);
    const sums = Map.groupBy(postings, ({ asset }) => asset);
    for (const rows of sums.values()) expect(rows.reduce((sum, { amount }) => sum + amount, 0n)).toBe(0n);
    const cash = postings.filter(
      ({ bookId, account, asset }) => bookId === 'own' && account === 'cash' && asset === 'SOL',
    );
    expect(cash.reduce((sum, { amount }) => sum + amount, 0n)).toBe(-39_280n);
  });

  it('is not paid twice out of one balance', () => {
    const balances = [{ bookId: 'personal', cashLamports: 3_000_000n }];
    expect(coverShortfall(order, withRent, balances)).toEqual(new Map([['personal', 2_039_280n]]));
    expect(coverShortfall(order, withRent, balances)).toEqual(new Map([['personal', 960_720n]]));
  });

  it('is only the fee for a failed sale', () => {
    const sale = { ...order, side: 'sell' as const, holdLamports: 4_000n };
    const failed = { ...fill, failed: true, tokens: 0n, lamports: 0n };
    expect(coverShortfall(sale, failed, [{ bookId: 'personal', cashLamports: 9_000n }])).toEqual(
      new Map([['personal', 6_000n]]),
    );
  });
});

describe('the entry of a round', () => {
  const part = (bookId: string, amountIn: bigint, holdLamports: bigint) => ({
    part: { bookId, userId: bookId, amountIn, holdLamports, holdTokens: 0n },
    share: { amountIn, amountOut: amountIn / 100_000n, feeLamports: bookId === 'own' ? 9_700n : 300n },
  });
  const parts = [part('own', 400_000n, 420_000n), part('follower', 600_000n, 600_300n)];
  const cashOf = (
    postings: { bookId: string | null; account: string; asset: string; amount: bigint }[],
    bookId: string,
  ) =>
    postings
      .filter((row) => row.bookId === bookId && row.account === 'cash' && row.asset === 'SOL')
      .reduce((sum, { amount }) => sum + amount, 0n);

  it('gives each book its share, and the deposit of a new account to the own book alone', () => {
    const { postings } = fillEntry(order, parts, { ...withRent, tokens: 10n }, AT);
    for (const rows of Map.groupBy(postings, ({ asset }) => asset).values()) {
      expect(rows.reduce((sum, { amount }) => sum + amount, 0n)).toBe(0n);
    }
    expect(cashOf(postings, 'follower')).toBe(0n);
    expect(cashOf(postings, 'own')).toBe(420_000n - 400_000n - 9_700n - 2_039_280n);
  });

  it('charges the own book what the others do not bear', () => {
    const none = parts.slice(1).map(({ part: held }) => ({
      part: held,
      share: { amountIn: 0n, amountOut: 0n, feeLamports: 300n },
    }));
    const { postings } = fillEntry(order, none, { ...fill, failed: true, tokens: 0n, lamports: 0n }, AT);
    expect(cashOf(postings, 'follower')).toBe(600_000n);
    expect(cashOf(postings, 'own')).toBe(-9_700n);
  });
});
