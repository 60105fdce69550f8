// @vitest-environment happy-dom
import { render } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { liveClock, paces } from '../live-clock.ts';
import { Flash } from './flash.tsx';

function show(value: string) {
  const { container, rerender } = render(<Flash value={value}>{value}</Flash>);
  const light = () => (container.firstElementChild as HTMLElement).dataset['flash'];
  return { light, change: (to: string) => rerender(<Flash value={to}>{to}</Flash>) };
}

describe('a value that changes', () => {
  it('lights up in the colour of its direction, until the beat after the next', () => {
    vi.useFakeTimers();
    try {
      const { light, change } = show('1.5');
      expect(light()).toBeUndefined();
      change('1.6');
      expect(light()).toBe('up');
      vi.advanceTimersByTime(paces[0].beatMs);
      expect(light()).toBe('up');
      vi.advanceTimersByTime(paces[0].beatMs);
      expect(light()).toBeUndefined();
      change('1.4');
      expect(light()).toBe('down');
    } finally {
      vi.useRealTimers();
    }
  });

  it('stays as it is where nothing changed, or on a slow machine', () => {
    const { light, change } = show('1.5');
    change('1.50');
    expect(light()).toBeUndefined();
    const isSlow = vi.spyOn(liveClock, 'isSlow').mockReturnValue(true);
    change('2');
    expect(light()).toBeUndefined();
    isSlow.mockRestore();
  });
});
