import { Percent, Sol } from './numbers.tsx';
import type { NumberValue } from './numbers.tsx';

/** A gain or loss in a table: the rate above the amount. */
export function Profit({ percent, sol }: { percent: NumberValue; sol: NumberValue }) {
  return (
    <span className="flex flex-col items-end leading-tight">
      <Percent value={percent} />
      <Sol value={sol} tone className="text-xs" />
    </span>
  );
}
