import { lamports } from '@hunter/domain/numbers/lamports';
import { baseUnits } from '@hunter/domain/numbers/base-units';
import { describe, expect, it } from 'vitest';
import { decideHold, largestBuy, type HoldInput } from './decide-hold.ts';
import { SELL_ALL } from './order.ts';

const aBuy = (over: Partial<HoldInput> = {}): HoldInput => ({
  order: { side: 'buy', amountIn: lamports(100_000_000n), kind: 'trade' },
  book: { kind: 'strategy', status: 'open' },
  cashLamports: lamports(1_000_000_000n),
  cashTokens: baseUnits(0n),
  feeReserveLamports: lamports(10_000n),
  rentLamports: lamports(2_039_280n),
  ...over,
});

describe('what an order sets aside', () => {
  it('is the amount, the fee and the rent of a new token account for a buy', () => {
    expect(decideHold(aBuy())).toEqual({
      kind: 'hold',
      amountIn: 100_000_000n,
      holdLamports: 102_049_280n,
      holdTokens: 0n,
    });
  });

  it('leaves what the wallet needs to stay alive in the personal book', () => {
    const input = aBuy({ book: { kind: 'personal', status: 'open' }, cashLamports: lamports(102_049_280n + 999_999n) });
    expect(decideHold(input)).toEqual({ kind: 'refuse', error: 'INSUFFICIENT_BALANCE' });
    expect(decideHold({ ...input, cashLamports: lamports(102_049_280n + 1_000_000n) })).toMatchObject({ kind: 'hold' });
  });

  it('shrinks a buy that is to fit, and refuses it where hardly anything is left', () => {
    const input = aBuy({
      order: { side: 'buy', amountIn: lamports(100_000_000n), kind: 'copy', fit: true },
      cashLamports: lamports(50_000_000n),
    });
    expect(decideHold(input)).toMatchObject({ amountIn: largestBuy(input), holdLamports: 50_000_000n });
    expect(decideHold({ ...input, cashLamports: lamports(3_000_000n) })).toEqual({
      kind: 'refuse',
      error: 'INSUFFICIENT_BALANCE',
    });
  });

  it('is all tokens of the book for a sale of everything, even where the book has no SOL', () => {
    const order = { side: 'sell' as const, amountIn: SELL_ALL, kind: 'close' as const, fit: true };
    const input = aBuy({
      order,
      cashTokens: baseUnits(77n),
      cashLamports: lamports(0n),
      book: { kind: 'follow', status: 'closing' },
    });
    expect(decideHold(input)).toEqual({ kind: 'hold', amountIn: 77n, holdLamports: 0n, holdTokens: 77n });
    expect(decideHold({ ...input, cashTokens: baseUnits(0n) })).toEqual({ kind: 'refuse', error: 'NOTHING_TO_SELL' });
  });

  it('is nothing in a book that is closing, unless the order closes it', () => {
    expect(decideHold(aBuy({ book: { kind: 'strategy', status: 'closing' } }))).toEqual({
      kind: 'refuse',
      error: 'STRATEGY_ENDED',
    });
  });

  it('refuses a buy below the smallest size', () => {
    expect(decideHold(aBuy({ order: { side: 'buy', amountIn: lamports(999_999n), kind: 'trade' } }))).toEqual({
      kind: 'refuse',
      error: 'AMOUNT_TOO_SMALL',
    });
  });

  it('is nothing in a book that is closed, whatever the order', () => {
    const closed = { kind: 'follow', status: 'closed' } as const;
    const order = { side: 'sell', amountIn: baseUnits(5n), kind: 'close' } as const;
    expect(decideHold(aBuy({ book: closed, order, cashTokens: baseUnits(9n) }))).toMatchObject({
      error: 'STRATEGY_ENDED',
    });
  });

  it('takes a buy of the smallest size, and one that is to fit as it is where it does', () => {
    const order = { side: 'buy', amountIn: lamports(1_000_000n), kind: 'copy', fit: true } as const;
    expect(decideHold(aBuy({ order }))).toMatchObject({ kind: 'hold', amountIn: 1_000_000n });
  });

  it('is of a sale the tokens asked for, no more than there are, and of the fee what the book has', () => {
    const sale = (amountIn: bigint, over: Partial<HoldInput> = {}, fit = false) =>
      decideHold(
        aBuy({
          order: { side: 'sell', amountIn: baseUnits(amountIn), kind: 'trade', fit },
          cashTokens: baseUnits(77n),
          ...over,
        }),
      );
    expect(sale(50n)).toEqual({ kind: 'hold', amountIn: 50n, holdLamports: 10_000n, holdTokens: 50n });
    expect(sale(50n, {}, true)).toMatchObject({ amountIn: 50n });
    expect(sale(77n)).toMatchObject({ amountIn: 77n });
    expect(sale(78n)).toEqual({ kind: 'refuse', error: 'INSUFFICIENT_BALANCE' });
    expect(sale(78n, {}, true)).toMatchObject({ amountIn: 77n });
    expect(sale(50n, { cashLamports: lamports(9_999n) })).toMatchObject({ holdLamports: 9_999n });
  });

  it('leaves nothing to buy with below the costs', () => {
    expect(largestBuy(aBuy({ cashLamports: lamports(2_049_279n) }))).toBe(0n);
    expect(largestBuy(aBuy({ cashLamports: lamports(2_049_281n) }))).toBe(1n);
  });
});
