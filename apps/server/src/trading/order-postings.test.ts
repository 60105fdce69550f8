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
    const { postings } = fillEntry(order, withRent, AT, cover);
    const sums = Map.groupBy(postings, ({ asset }) => asset);
    for (const rows of sums.values()) expect(rows.reduce((sum, { amount }) => sum + amount, 0n)).toBe(0n);
    const cash = postings.filter(
      ({ bookId, account, asset }) => bookId === 'own' && account === 'cash' && asset === 'SOL',
    );
    expect(cash.map(({ amount }) => amount)).toEqual([-39_280n]);
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
