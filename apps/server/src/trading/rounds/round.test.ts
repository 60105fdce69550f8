import { lamports } from '@hunter/domain/numbers/lamports';
import { baseUnits } from '@hunter/domain/numbers/base-units';
import { describe, expect, it } from 'vitest';
import type { ChainFill } from '../chain-fill.ts';
import type { HeldPart, Order } from '../order.ts';
import { holdOf, shareFill, wholeOrder } from './round.ts';

const order = (side: 'buy' | 'sell') =>
  ({ id: 'order', bookId: 'own', userId: 'user', side, amountIn: 10n, holdLamports: 12n, holdTokens: 3n }) as Order;
const part = (bookId: string, amountIn: bigint, holdLamports = 1_000n): HeldPart => ({
  bookId,
  userId: bookId,
  amountIn,
  holdLamports,
  holdTokens: 0n,
});
const fill = (overrides: Partial<ChainFill>) => ({ failed: false, ...overrides }) as ChainFill;

describe('what is set aside for a part of a round', () => {
  const round = { totalIn: 4_000_000n, feeReserveLamports: lamports(10_001n), rentLamports: lamports(500n) } as const;
  const hold = (side: 'buy' | 'sell', isCreators: boolean, followId: string | null, freeLamports = 1_000_000n) =>
    holdOf(
      { amountIn: lamports(2_000_000n), followId, freeLamports: lamports(freeLamports) },
      { ...round, side, isCreators },
    );

  it('is of a buy the amount with what the part may be asked for besides', () => {
    expect(hold('buy', true, null)).toEqual({ holdLamports: 2_010_501n, holdTokens: 0n });
    expect(hold('buy', true, 'follow')).toEqual({ holdLamports: 2_001_000n, holdTokens: 0n });
    expect(hold('buy', false, 'follow')).toEqual({ holdLamports: 2_005_001n, holdTokens: 0n });
  });

  it('is of a sale the tokens, and of the fee what is free', () => {
    expect(hold('sell', true, null)).toEqual({ holdLamports: 10_001n, holdTokens: 2_000_000n });
    expect(hold('sell', true, 'follow')).toEqual({ holdLamports: 0n, holdTokens: 2_000_000n });
    expect(hold('sell', false, 'follow')).toEqual({ holdLamports: 5_001n, holdTokens: 2_000_000n });
    expect(hold('sell', false, 'follow', 7n)).toEqual({ holdLamports: 7n, holdTokens: 2_000_000n });
  });

  it('is for an order of one book what the order has', () => {
    expect(wholeOrder(order('buy'))).toEqual({
      bookId: 'own',
      userId: 'user',
      amountIn: 10n,
      holdLamports: 12n,
      holdTokens: 3n,
    });
  });
});

describe('the fill of a round', () => {
  const parts = [part('own', 1_000_000n), part('follow', 3_000_000n)];

  it('is shared by what each put in, SOL for tokens of a buy and tokens for SOL of a sale', () => {
    const bought = shareFill(
      order('buy'),
      parts,
      fill({ lamports: lamports(4_000_000n), tokens: baseUnits(80n), feeLamports: lamports(8n) }),
    );
    expect(bought).toEqual([
      { amountIn: 1_000_000n, amountOut: 20n, feeLamports: 2n },
      { amountIn: 3_000_000n, amountOut: 60n, feeLamports: 6n },
    ]);
    const sold = shareFill(
      order('sell'),
      parts,
      fill({ tokens: baseUnits(4_000_000n), lamports: lamports(80_000n), feeLamports: lamports(8n) }),
    );
    expect(sold.map(({ amountIn, amountOut }) => [amountIn, amountOut])).toEqual([
      [1_000_000n, 20_000n],
      [3_000_000n, 60_000n],
    ]);
  });

  it('takes of a failed one no more from a part than was set aside for it, but for the first book', () => {
    const joins = [part('own', 1n, 1n), part('other', 1n, 3n)];
    const ask = { failed: true, tokens: baseUnits(0n), lamports: lamports(0n), feeLamports: lamports(10n) };
    const fees = (bookId: string, failed = true) =>
      shareFill({ ...order('buy'), bookId }, joins, fill({ ...ask, failed })).map(({ feeLamports }) => feeLamports);
    // Nobody's order of those who take part: each bears a half, as far as it was set aside.
    expect(fees('nobody')).toEqual([1n, 3n]);
    expect(fees('nobody', false)).toEqual([5n, 5n]);
    expect(fees('own')).toEqual([10n, 0n]);
  });

  it('gives what cannot be divided by chance of order and book, and not to whoever comes first', () => {
    const books = ['a', 'b', 'c', 'd'].map((bookId) => part(bookId, 1n));
    const winner = (id: string) =>
      shareFill(
        { ...order('buy'), id },
        books,
        fill({ lamports: lamports(4n), tokens: baseUnits(1n), feeLamports: lamports(0n) }),
      ).findIndex(({ amountOut }) => amountOut === 1n);
    const winners = Array.from({ length: 30 }, (_, index) => winner(`order ${index}`));
    expect(new Set(winners).size).toBe(4);
    expect(winners[0]).toBe(winner('order 0'));
    const often = Map.groupBy(
      Array.from({ length: 400 }, (_, index) => winner(`order ${index}`)),
      (index) => index,
    );
    for (const [, wins] of often) expect(Math.abs(wins.length - 100)).toBeLessThan(30);
  });
});
