// @vitest-environment happy-dom
import { act, renderHook } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { api } from '../../data/api.ts';
import { stream } from '../../data/stream.ts';
import { liveClock } from '../../live-clock.ts';
import { aTrade } from './a-trade-for-test.ts';
import { useLiveTrades } from './use-live-trades.ts';

async function aList(first: { paused: boolean; isSeen: boolean }) {
  let trade: (id: string) => void = () => {};
  vi.spyOn(api, 'call').mockResolvedValue({ lists: [aTrade('1', 1)], nextCursor: null });
  vi.spyOn(liveClock, 'atNext').mockImplementation((_lane, run) => {
    run();
    return () => {};
  });
  vi.spyOn(stream, 'subscribe').mockImplementation((_channel, _key, { onData }) => {
    trade = (id) => act(() => onData([aTrade(id, Number(id))] as never));
    return () => {};
  });
  const { result, rerender } = renderHook((how) => useLiveTrades('mint', how), { initialProps: first });
  await expect.poll(() => result.current.loading).toBe(false);
  const ids = () => result.current.trades.map(({ id }) => id);
  return { ids, waiting: () => result.current.waiting, trade: (id: string) => trade(id), rerender };
}

it('adds trades as they happen', async () => {
  const { ids, trade } = await aList({ paused: false, isSeen: true });
  trade('2');
  expect(ids()).toEqual(['2', '1']);
});

it('counts new trades while it is paused and adds them when it goes on', async () => {
  const { ids, waiting, trade, rerender } = await aList({ paused: true, isSeen: true });
  trade('2');
  expect({ ids: ids(), waiting: waiting() }).toEqual({ ids: ['1'], waiting: 1 });
  rerender({ paused: false, isSeen: true });
  expect({ ids: ids(), waiting: waiting() }).toEqual({ ids: ['2', '1'], waiting: 0 });
});

it('renders nothing new while nobody sees it and has everything when somebody does', async () => {
  const { ids, waiting, trade, rerender } = await aList({ paused: false, isSeen: false });
  trade('2');
  trade('3');
  expect({ ids: ids(), waiting: waiting() }).toEqual({ ids: ['1'], waiting: 0 });
  rerender({ paused: false, isSeen: true });
  expect(ids()).toEqual(['3', '2', '1']);
});
