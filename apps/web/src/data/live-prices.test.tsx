// @vitest-environment happy-dom
import { act, renderHook } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { liveClock } from '../live-clock.ts';
import { useLivePrice } from './live-prices.ts';
import { stream } from './stream.ts';

it('does not render a price that is not seen, and has the newest one when it is', () => {
  let tick: (price: string) => void = () => {};
  let renders = 0;
  vi.spyOn(liveClock, 'atNext').mockImplementation((_lane, run) => {
    run();
    return () => {};
  });
  vi.spyOn(stream, 'subscribe').mockImplementation((_channel, _key, { onData }) => {
    tick = (price) => act(() => onData({ price } as never));
    return () => {};
  });
  const { result, rerender } = renderHook(
    ({ isSeen }) => {
      renders += 1;
      return useLivePrice('mint', isSeen)?.price;
    },
    { initialProps: { isSeen: true } },
  );
  tick('1');
  expect(result.current).toBe('1');
  rerender({ isSeen: false });
  const before = renders;
  tick('2');
  expect(renders).toBe(before);
  rerender({ isSeen: true });
  expect(result.current).toBe('2');
});

it('subscribes once to the price of a token, until the last of its figures is gone', () => {
  const left = vi.fn();
  const subscribe = vi.spyOn(stream, 'subscribe').mockReset().mockReturnValue(left);
  const first = renderHook(() => useLivePrice('shared'));
  const second = renderHook(() => useLivePrice('shared'));
  expect(subscribe).toHaveBeenCalledOnce();
  first.unmount();
  expect(left).not.toHaveBeenCalled();
  second.unmount();
  expect(left).toHaveBeenCalledOnce();
});
