import type { Address } from '@hunter/solana/address';
import { lamports } from '@hunter/domain/numbers/lamports';
import { baseUnits } from '@hunter/domain/numbers/base-units';
import { describe, expect, it } from 'vitest';
import type { Order } from './order.ts';
import { orderView } from './order-view.ts';

function anOrder(overrides: Partial<Order> = {}): Order {
  return {
    id: 'order',
    userId: 'user',
    bookId: 'book',
    walletId: 'wallet',
    bookKind: 'personal',
    kind: 'trade',
    swapIn: lamports(1n),
    isRound: false,
    side: 'buy',
    mint: 'mint' as Address,
    amountIn: lamports(2_000_000_000n),
    slippageBps: 100,
    state: 'confirmed',
    holdLamports: lamports(0n),
    holdTokens: baseUnits(0n),
    minOut: null,
    attempts: 1,
    error: null,
    signature: 'signature',
    slot: 1n,
    filledIn: lamports(1_000_000_000n),
    filledOut: baseUnits(4_000_000n),
    feeLamports: lamports(10_000n),
    venueFeeLamports: lamports(5_000_000n),
    rentLamports: 0n,
    createdAt: new Date(7),
    settledAt: null,
    ...overrides,
  };
}

describe('an order on the wire', () => {
  it('shows a buy in SOL and what it brought in tokens, with all of its fees', () => {
    expect(orderView(anOrder(), 6)).toEqual({
      id: 'order',
      status: 'confirmed',
      txHash: 'signature',
      tokenContractAddress: 'mint',
      side: 'buy',
      bookId: 'book',
      bookKind: 'personal',
      amountIn: '1',
      amountOut: '4',
      price: '0.25',
      fee: '0.00501',
      error: null,
      createdAt: 7,
    });
  });

  it('shows a sell in tokens and what it brought in SOL', () => {
    const sell = anOrder({
      side: 'sell',
      filledIn: baseUnits(4_000_000n),
      filledOut: lamports(1_000_000_000n),
      venueFeeLamports: null,
    });
    expect(orderView(sell, 6)).toMatchObject({ amountIn: '4', amountOut: '1', price: '0.25', fee: '0.00001' });
  });

  it('shows what was asked for until there is a fill, and nothing that is not known yet', () => {
    const open = { state: 'held', signature: null, filledIn: null, filledOut: null, feeLamports: null } as const;
    expect(orderView(anOrder(open), 6)).toMatchObject({
      status: 'pending',
      txHash: null,
      amountIn: '2',
      amountOut: null,
      price: null,
      fee: null,
    });
    expect(orderView(anOrder({ filledOut: baseUnits(0n) }), 6)).toMatchObject({ amountOut: '0', price: null });
  });

  it('shows no amount of a token whose decimals nobody knows', () => {
    expect(orderView(anOrder(), null)).toMatchObject({ amountIn: '1', amountOut: null, price: null });
    expect(orderView(anOrder({ side: 'sell' }), null)).toMatchObject({ amountIn: null, amountOut: '0.004' });
  });

  it.each([
    ['held', 'pending'],
    ['sent', 'sent'],
    ['confirmed', 'confirmed'],
    ['finalized', 'finalized'],
    ['failed', 'failed'],
    ['dead', 'dead'],
  ] as const)('calls the state %s "%s"', (state, status) => {
    expect(orderView(anOrder({ state }), 6).status).toBe(status);
  });
});
