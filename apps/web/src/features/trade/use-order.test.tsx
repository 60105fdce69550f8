// @vitest-environment happy-dom
import { act, renderHook } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { api } from '../../data/api.ts';
import { stream } from '../../data/stream.ts';
import { setLanguage } from '../../i18n/i18n.ts';
import { toast } from '../../ui/toast-store.ts';
import type { Order } from './order-progress.ts';
import { useOrder } from './use-order.ts';

const pending: Order = {
  id: 'order',
  status: 'pending',
  txHash: null,
  tokenContractAddress: 'mint',
  side: 'buy',
  bookId: 'book',
  bookKind: 'strategy',
  amountIn: '0.5',
  amountOut: null,
  price: null,
  fee: null,
  error: null,
  createdAt: 0,
};

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  for (const { id } of toast.store.getState().toasts) toast.dismiss(id);
});

it('asks how an order ended that was answered before it was sent, also without the stream', async () => {
  vi.useFakeTimers();
  vi.spyOn(stream, 'subscribe').mockReturnValue(() => {});
  let now = pending;
  const call = vi.spyOn(api, 'call').mockImplementation(() => Promise.resolve(now));
  const onConfirmed = vi.fn();
  const { result } = renderHook(() => useOrder(onConfirmed));
  const request = { tokenContractAddress: 'mint', side: 'buy', amount: '0.5', bookId: 'book' } as const;
  act(() => result.current.submit(request));
  await act(() => vi.advanceTimersByTimeAsync(0));
  expect(result.current.progress.phase).toBe('signing');

  now = { ...pending, status: 'confirmed', amountIn: '0.499999', amountOut: '100' };
  await act(() => vi.advanceTimersByTimeAsync(1_500));
  expect(call).toHaveBeenLastCalledWith('getOrder', { id: 'order' }, { quiet: true });
  expect(result.current.progress.phase).toBe('confirmed');
  expect(onConfirmed).toHaveBeenCalledWith(now);
});

describe('an order that fails after it was accepted', () => {
  const request = { tokenContractAddress: 'mint', side: 'buy', amount: '0.5', bookId: 'book' } as const;
  const told = () => toast.store.getState().toasts.map(({ text }) => text);

  async function failing(isShown: boolean): Promise<void> {
    vi.useFakeTimers();
    await setLanguage('en');
    vi.spyOn(stream, 'subscribe').mockReturnValue(() => {});
    let now = pending;
    vi.spyOn(api, 'call').mockImplementation(() => Promise.resolve(now));
    const { result } = renderHook(() => useOrder(vi.fn()));
    const close = result.current.watch();
    act(() => result.current.submit(request));
    await act(() => vi.advanceTimersByTimeAsync(0));
    if (!isShown) close();
    now = { ...pending, status: 'dead', error: 'PRICE_MOVED' };
    await act(() => vi.advanceTimersByTimeAsync(1_500));
    expect(result.current.progress.phase).toBe('refused');
  }

  it('is told by a message once the panel that showed it was closed', async () => {
    await failing(false);
    expect(told()).toEqual(['The price moved past your slippage, nothing was traded']);
  });

  it('is told by the panel alone while that is open', async () => {
    await failing(true);
    expect(told()).toEqual([]);
  });
});
