// @vitest-environment happy-dom
import { act, renderHook } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { liveClock } from '../live-clock.ts';
import { useLivePrice, useLiveUsdPerSol } from './live-prices.ts';
import { stream } from './stream.ts';

/** Tells the tick to whoever has subscribed, at once. */
function ticking(): (tick: { price: string; priceSol?: string }) => void {
  let tell: (tick: object) => void = () => {};
  vi.spyOn(liveClock, 'atNext').mockImplementation((_lane, run) => {
    run();
    return () => {};
  });
  vi.spyOn(stream, 'subscribe').mockImplementation((_channel, _key, { onData }) => {
    tell = (tick) => act(() => onData(tick as never));
    return () => {};
  });
  return (tick) => tell(tick);
}

it('does not render a price that is not seen, and has the newest one when it is', () => {
  const told = ticking();
  const tick = (price: string) => told({ price });
  let renders = 0;
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

it('knows the dollars per SOL of the last trade, and renders when they change', () => {
  const tick = ticking();
  let renders = 0;
  const { result } = renderHook(() => {
    renders += 1;
    return useLiveUsdPerSol('rated');
  });
  expect(result.current).toBeUndefined();
  tick({ price: '0.000300000000000001', priceSol: '0.0000015' });
  expect(result.current).toBe(200);
  const before = renders;
  tick({ price: '0.0004', priceSol: '0.000002' });
  expect(renders).toBe(before);
  tick({ price: '0.0003015', priceSol: '0.0000015' });
  expect(result.current).toBe(201);
  tick({ price: '0', priceSol: '0' });
  expect(result.current).toBeUndefined();
});
