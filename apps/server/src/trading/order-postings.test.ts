import type { Address } from '@hunter/solana/address';
import { baseUnits } from '@hunter/domain/numbers/base-units';
import { lamports } from '@hunter/domain/numbers/lamports';
import { describe, expect, it } from 'vitest';
import type { Asset } from '../ledger/journal.ts';
import type { ChainFill } from './chain-fill.ts';
import { controlLines, coverShortfall, fillEntry, holdEntry, missingLamports, releaseEntry } from './order-postings.ts';

const AT = new Date(0);
const order = {
  id: 'o',
  bookId: 'own',
  mint: 'mint' as Address,
  side: 'buy' as const,
  holdLamports: lamports(1_010_000n),
};
const fill: ChainFill = {
  signature: 's',
  slot: 1n,
  failed: false,
  tokens: baseUnits(7n),
  lamports: lamports(1_000_000n),
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
      { bookId: 'personal', cashLamports: lamports(1_000_000n) },
      { bookId: 'own', cashLamports: lamports(39_280n) },
      { bookId: 'strategy', cashLamports: lamports(5_000_000n) },
    ];
    const cover = coverShortfall(order, withRent, balances);
    expect(cover).toEqual(
      new Map([
        ['personal', 1_000_000n],
        ['strategy', 1_000_000n],
      ]),
    );
    const share = { amountIn: lamports(1_000_000n), amountOut: baseUnits(7n), feeLamports: lamports(10_000n) };
    const part = { bookId: 'own', userId: 'u', amountIn: 1_000_000n, holdLamports: 1_010_000n, holdTokens: 0n };
    const { postings } = fillEntry(order, [{ part, share }], withRent, AT, cover);
    const sums = Map.groupBy(postings, ({ asset }) => asset);
    for (const rows of sums.values()) expect(rows.reduce((sum, { amount }) => sum + amount, 0n)).toBe(0n);
    const cash = postings.filter(
      ({ bookId, account, asset }) => bookId === 'own' && account === 'cash' && asset === 'SOL',
    );
    expect(cash.reduce((sum, { amount }) => sum + amount, 0n)).toBe(-39_280n);
  });

  it('is nothing where a sale brought more than it cost, or the hold was larger than needed', () => {
    const sale = { ...order, side: 'sell' as const, holdLamports: lamports(0n) };
    expect(missingLamports(sale, fill)).toBe(0n);
    expect(missingLamports({ ...order, holdLamports: lamports(2_000_000n) }, fill)).toBe(0n);
    expect(missingLamports({ ...sale, side: 'buy' }, fill)).toBe(1_010_000n);
  });

  it('is asked of nobody who has nothing, and of nobody more than is missing', () => {
    const balances = [
      { bookId: 'empty', cashLamports: lamports(0n) },
      { bookId: 'exact', cashLamports: lamports(2_039_280n) },
      { bookId: 'last', cashLamports: lamports(5n) },
    ];
    expect(coverShortfall(order, withRent, balances)).toEqual(new Map([['exact', 2_039_280n]]));
    expect(balances.map(({ cashLamports }) => cashLamports)).toEqual([0n, 0n, 5n]);
  });

  it('is not paid twice out of one balance', () => {
    const balances = [{ bookId: 'personal', cashLamports: lamports(3_000_000n) }];
    expect(coverShortfall(order, withRent, balances)).toEqual(new Map([['personal', 2_039_280n]]));
    expect(coverShortfall(order, withRent, balances)).toEqual(new Map([['personal', 960_720n]]));
  });

  it('is only the fee for a failed sale', () => {
    const sale = { ...order, side: 'sell' as const, holdLamports: lamports(4_000n) };
    const failed = { ...fill, failed: true, tokens: baseUnits(0n), lamports: lamports(0n) };
    expect(coverShortfall(sale, failed, [{ bookId: 'personal', cashLamports: lamports(9_000n) }])).toEqual(
      new Map([['personal', 6_000n]]),
    );
  });
});

describe('the entry of a round', () => {
  const part = (bookId: string, amountIn: bigint, holdLamports: bigint) => ({
    part: { bookId, userId: bookId, amountIn, holdLamports, holdTokens: 0n },
    share: {
      amountIn: lamports(amountIn),
      amountOut: baseUnits(amountIn / 100_000n),
      feeLamports: lamports(bookId === 'own' ? 9_700n : 300n),
    },
  });
  const parts = [part('own', 400_000n, 420_000n), part('follower', 600_000n, 600_300n)];
  const cashOf = (
    postings: { bookId: string | null; account: string; asset: Asset; amount: bigint }[],
    bookId: string,
  ) =>
    postings
      .filter((row) => row.bookId === bookId && row.account === 'cash' && row.asset === 'SOL')
      .reduce((sum, { amount }) => sum + amount, 0n);

  it('gives each book its share, and the deposit of a new account to the own book alone', () => {
    const { postings } = fillEntry(order, parts, { ...withRent, tokens: baseUnits(10n) }, AT);
    for (const rows of Map.groupBy(postings, ({ asset }) => asset).values()) {
      expect(rows.reduce((sum, { amount }) => sum + amount, 0n)).toBe(0n);
    }
    expect(cashOf(postings, 'follower')).toBe(0n);
    expect(cashOf(postings, 'own')).toBe(420_000n - 400_000n - 9_700n - 2_039_280n);
  });

  it('charges the own book what the others do not bear', () => {
    const none = parts.slice(1).map(({ part: held }) => ({
      part: held,
      share: { amountIn: lamports(0n), amountOut: baseUnits(0n), feeLamports: lamports(300n) },
    }));
    const { postings } = fillEntry(
      order,
      none,
      { ...fill, failed: true, tokens: baseUnits(0n), lamports: lamports(0n) },
      AT,
    );
    expect(cashOf(postings, 'follower')).toBe(600_000n);
    expect(cashOf(postings, 'own')).toBe(-9_700n);
  });
});

describe('the entries of an order', () => {
  const held = { bookId: 'own', userId: 'u', amountIn: 5n, holdLamports: 9n, holdTokens: 4n };
  const lines = (account: string, sign: bigint) => [
    { bookId: 'own', account, asset: 'SOL', amount: sign * 9n },
    { bookId: 'own', account, asset: 'mint', amount: sign * 4n },
  ];

  it('set aside what is held, and give it back', () => {
    const hold = holdEntry(order, [held], AT);
    expect(hold).toMatchObject({ kind: 'order-hold', reference: 'o', at: AT });
    expect(hold.postings).toEqual(expect.arrayContaining([...lines('cash', -1n), ...lines('held', 1n)]));
    const release = releaseEntry(order, [held], AT);
    expect(release).toMatchObject({ kind: 'order-release', reference: 'o', at: AT });
    expect(release.postings).toEqual(expect.arrayContaining([...lines('held', -1n), ...lines('cash', 1n)]));
  });

  it('name fill and failure, and what went to whom outside', () => {
    const share = { amountIn: lamports(5n), amountOut: baseUnits(7n), feeLamports: lamports(10_000n) };
    const entry = fillEntry(order, [{ part: held, share }], fill, AT, new Map([['other', lamports(3n)]]));
    expect(entry).toMatchObject({ kind: 'order-fill', reference: 'o', signature: 's', slot: 1n, at: AT });
    expect(entry.postings).toEqual(
      expect.arrayContaining([
        { bookId: 'other', account: 'cash', asset: 'SOL', amount: -3n },
        { bookId: null, account: 'network-fee', asset: 'SOL', amount: 10_000n },
        { bookId: null, account: 'venue', asset: 'SOL', amount: 1_000_000n },
        { bookId: null, account: 'venue', asset: 'mint', amount: -7n },
      ]),
    );
    expect(fillEntry(order, [], { ...fill, failed: true }, AT).kind).toBe('order-failed');
  });

  it.each([
    ['buy', 1_000_000n, -7n],
    ['sell', -1_000_000n, 7n],
  ] as const)('balance the allocations of a round with the outside world: %s', (side, sol, tokens) => {
    const postings = controlLines({ ...order, side }, withRent);
    expect(postings).toEqual([
      { bookId: 'own', account: 'cash', asset: 'SOL', amount: -2_039_280n },
      { bookId: 'own', account: 'rent', asset: 'SOL', amount: 2_039_280n },
      { bookId: null, account: 'network-fee', asset: 'SOL', amount: 10_000n },
      { bookId: null, account: 'venue', asset: 'SOL', amount: sol },
      { bookId: null, account: 'venue', asset: 'mint', amount: tokens },
      { bookId: null, account: 'allocations', asset: 'SOL', amount: -sol - 10_000n },
      { bookId: null, account: 'allocations', asset: 'mint', amount: -tokens },
    ]);
  });
});
