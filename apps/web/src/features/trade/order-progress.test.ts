import { describe, expect, it } from 'vitest';
import { idle, isRunning, isUnderWay, nextProgress, orderIdOf } from './order-progress.ts';
import type { Order, OrderProgress, TransferRequest } from './order-progress.ts';

const request: TransferRequest = { tokenContractAddress: 'mint', side: 'buy', amount: '0.5', bookId: 'book' };

function anOrder(changes: Partial<Order> = {}): Order {
  return {
    id: 'order',
    status: 'sent',
    txHash: 'hash',
    tokenContractAddress: 'mint',
    side: 'buy',
    bookId: 'book',
    bookKind: 'personal',
    amountIn: '0.5',
    amountOut: null,
    price: null,
    fee: null,
    error: null,
    createdAt: 0,
    ...changes,
  };
}
const signing = nextProgress(idle, { type: 'submit', request });
const after = (progress: OrderProgress, order: Order) => nextProgress(progress, { type: 'told', order });

describe('the progress of an order', () => {
  it('goes from signing over sent to confirmed', () => {
    expect(signing).toEqual({ phase: 'signing', request });
    const sent = after(signing, anOrder());
    expect(sent).toEqual({ phase: 'sent', request, orderId: 'order', txHash: 'hash' });
    const order = anOrder({ status: 'confirmed', amountOut: '100' });
    expect(after(sent, order)).toEqual({ phase: 'confirmed', request, order });
  });

  it('goes straight to confirmed when the answer comes first, and stays there', () => {
    const confirmed = after(signing, anOrder({ status: 'finalized' }));
    expect(confirmed.phase).toBe('confirmed');
    expect(after(confirmed, anOrder())).toBe(confirmed);
    expect(nextProgress(confirmed, { type: 'lost', request })).toBe(confirmed);
  });

  it('waits while an order is only prepared', () => {
    expect(after(signing, anOrder({ status: 'pending', txHash: null }))).toBe(signing);
  });

  it('knows the number of an order that was answered before it was sent, and takes no other for it', () => {
    const order = anOrder({ status: 'pending', txHash: null });
    const known = nextProgress(signing, { type: 'answer', request, order });
    expect(known).toEqual({ phase: 'signing', request, orderId: 'order' });
    expect(orderIdOf(known)).toBe('order');
    expect(nextProgress(known, { type: 'answer', request, order })).toBe(known);
    expect(after(known, anOrder({ id: 'second', status: 'confirmed' }))).toBe(known);
    // Whatever was filled in the end.
    expect(after(known, anOrder({ status: 'confirmed', amountIn: '0.499999' })).phase).toBe('confirmed');
  });

  it.each([
    ['another token', { tokenContractAddress: 'other' }],
    ['the other side', { side: 'sell' as const }],
    ['another book', { bookId: 'other' }],
    ['another amount, as of a trigger that fires just now', { amountIn: '0.2', status: 'confirmed' as const }],
  ])('ignores an order of %s', (_, changes) => {
    expect(after(signing, anOrder(changes))).toBe(signing);
  });

  it('takes the answer to its own request, whatever was filled in the end', () => {
    const order = anOrder({ status: 'confirmed', amountIn: '0.499999' });
    expect(nextProgress(signing, { type: 'answer', request, order })).toEqual({ phase: 'confirmed', request, order });
    expect(after(signing, anOrder({ amountIn: '0.500000000' })).phase).toBe('sent');
  });

  it('follows the one order that it was sent as', () => {
    const sent = after(signing, anOrder());
    expect(after(sent, anOrder({ id: 'second', status: 'confirmed' }))).toBe(sent);
  });

  it('tells why an order died', () => {
    expect(after(signing, anOrder({ status: 'dead', error: 'PRICE_MOVED' }))).toEqual({
      phase: 'refused',
      request,
      refusal: { name: 'PRICE_MOVED' },
      txHash: 'hash',
    });
    expect(after(signing, anOrder({ status: 'failed', txHash: null }))).toMatchObject({
      refusal: { name: 'TRADE_FAILED' },
    });
  });

  it('keeps the request when no answer came, so that it can be asked for again', () => {
    const lost = nextProgress(signing, { type: 'lost', request });
    expect(lost).toEqual({ phase: 'lost', request });
    expect([isRunning(lost), isUnderWay(lost)]).toEqual([true, false]);
    expect(after(lost, anOrder({ status: 'confirmed' })).phase).toBe('confirmed');
  });

  it('takes no late answer to the order before for its own, also where both ask for the same', () => {
    const confirmed = after(signing, anOrder({ status: 'confirmed' }));
    const next = { ...request };
    const second = nextProgress(confirmed, { type: 'submit', request: next });
    expect(nextProgress(second, { type: 'answer', request, order: anOrder({ status: 'confirmed' }) })).toBe(second);
    expect(nextProgress(second, { type: 'lost', request })).toBe(second);
    expect(nextProgress(second, { type: 'refused', request, error: 'no' })).toBe(second);
    expect(nextProgress(second, { type: 'lost', request: next }).phase).toBe('lost');
  });

  it('is not reset while it runs', () => {
    expect([isRunning(signing), isUnderWay(signing)]).toEqual([true, true]);
    expect(nextProgress(signing, { type: 'reset' })).toBe(signing);
    const refused = nextProgress(signing, { type: 'refused', request, error: 'no' });
    expect(nextProgress(refused, { type: 'reset' })).toBe(idle);
  });
});
