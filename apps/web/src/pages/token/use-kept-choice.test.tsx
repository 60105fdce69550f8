// @vitest-environment happy-dom
import { act, renderHook } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { useKeptChoice } from './use-kept-choice.ts';

it('changes at once, keeps the newest of quick choices after the paint, and follows the address', () => {
  vi.useFakeTimers();
  try {
    const keep = vi.fn();
    const { result, rerender } = renderHook(({ kept }) => useKeptChoice(kept, keep), {
      initialProps: { kept: 'trades' },
    });
    act(() => result.current[1]('holders'));
    act(() => result.current[1]('orders'));
    expect(result.current[0]).toBe('orders');
    expect(keep).not.toHaveBeenCalled();
    vi.runAllTimers();
    expect(keep.mock.calls).toEqual([['orders']]);
    rerender({ kept: 'orders' });
    rerender({ kept: 'notices' });
    expect(result.current[0]).toBe('notices');
  } finally {
    vi.useRealTimers();
  }
});
