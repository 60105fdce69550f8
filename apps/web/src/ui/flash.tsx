import { useState } from 'react';
import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

type Value = string | null | undefined;

/**
 * Lights up behind a value that rose or fell. The key starts the animation anew for each change; the colour alone changes,
 * so nothing around it moves.
 */
export function Flash({ value, className, children }: { value: Value; className?: string; children: ReactNode }) {
  const [seen, setSeen] = useState<{ value: Value; direction: string | null; count: number }>({
    value,
    direction: null,
    count: 0,
  });
  if (seen.value !== value) {
    const difference = Number(value) - Number(seen.value);
    const direction = difference > 0 ? 'animate-flash-up' : difference < 0 ? 'animate-flash-down' : null;
    setSeen({ value, direction, count: seen.count + 1 });
  }
  return (
    <span key={seen.count} className={classNames('-mx-1 rounded px-1', seen.direction, className)}>
      {children}
    </span>
  );
}
