import { describe, expect, it } from 'vitest';
import { decideHold, largestBuy, type HoldInput } from './decide-hold.ts';
import { SELL_ALL } from './order.ts';

const aBuy = (over: Partial<HoldInput> = {}): HoldInput => ({
  order: { side: 'buy', amountIn: 100_000_000n, kind: 'trade' },
  book: { kind: 'strategy', status: 'open' },
  cashLamports: 1_000_000_000n,
  cashTokens: 0n,
  feeReserveLamports: 10_000n,
  rentLamports: 2_039_280n,
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
    const input = aBuy({ book: { kind: 'personal', status: 'open' }, cashLamports: 102_049_280n + 890_879n });
    expect(decideHold(input)).toEqual({ kind: 'refuse', error: 'INSUFFICIENT_BALANCE' });
    expect(decideHold({ ...input, cashLamports: 102_049_280n + 890_880n })).toMatchObject({ kind: 'hold' });
  });

  it('shrinks a buy that is to fit, and refuses it where hardly anything is left', () => {
    const input = aBuy({
      order: { side: 'buy', amountIn: 100_000_000n, kind: 'copy', fit: true },
      cashLamports: 50_000_000n,
    });
    expect(decideHold(input)).toMatchObject({ amountIn: largestBuy(input), holdLamports: 50_000_000n });
    expect(decideHold({ ...input, cashLamports: 3_000_000n })).toEqual({
      kind: 'refuse',
      error: 'INSUFFICIENT_BALANCE',
    });
  });

  it('is all tokens of the book for a sale of everything, even where the book has no SOL', () => {
    const order = { side: 'sell' as const, amountIn: SELL_ALL, kind: 'close' as const, fit: true };
    const input = aBuy({ order, cashTokens: 77n, cashLamports: 0n, book: { kind: 'follow', status: 'closing' } });
    expect(decideHold(input)).toEqual({ kind: 'hold', amountIn: 77n, holdLamports: 0n, holdTokens: 77n });
    expect(decideHold({ ...input, cashTokens: 0n })).toEqual({ kind: 'refuse', error: 'NOTHING_TO_SELL' });
  });

  it('is nothing in a book that is closing, unless the order closes it', () => {
    expect(decideHold(aBuy({ book: { kind: 'strategy', status: 'closing' } }))).toEqual({
      kind: 'refuse',
      error: 'STRATEGY_ENDED',
    });
  });

  it('refuses a buy below the smallest size', () => {
    expect(decideHold(aBuy({ order: { side: 'buy', amountIn: 999_999n, kind: 'trade' } }))).toEqual({
      kind: 'refuse',
      error: 'AMOUNT_TOO_SMALL',
    });
  });
});
