import { useLayoutEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import { liveClock } from '../live-clock.ts';
import { classNames } from './class-names.ts';

type Value = string | null | undefined;

/**
 * Lights up behind a value that rose or fell, until the beat after the next. The colour alone changes, so nothing around it
 * moves. It is set on the element and not faded: a fade would repaint every frame in between, and a render for the light
 * to go out would cost as much as the change itself. Slow machines do without it: it paints each change twice.
 */
export function Flash({ value, className, children }: { value: Value; className?: string; children: ReactNode }) {
  const element = useRef<HTMLSpanElement>(null);
  const shown = useRef(value);
  useLayoutEffect(() => {
    const { current: place } = element;
    const difference = Number(value) - Number(shown.current);
    shown.current = value;
    if (!place || !difference || liveClock.isSlow()) return undefined;
    place.dataset['flash'] = difference > 0 ? 'up' : 'down';
    return liveClock.atNext('prices', () => void delete place.dataset['flash'], 1);
  }, [value]);
  return (
    <span
      ref={element}
      className={classNames('-mx-1 rounded px-1 data-[flash=down]:bg-down-soft data-[flash=up]:bg-up-soft', className)}
    >
      {children}
    </span>
  );
}
