import { useId } from 'react';
import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

/** A choice of one among few, all visible. Radio buttons underneath: arrow keys and screen readers work by themselves. */
export function SegmentedControl<Key extends string>({
  label,
  value,
  onChange,
  options,
  fill = false,
  className,
}: {
  label: string;
  value: Key;
  onChange: (key: Key) => void;
  options: readonly { key: Key; label: ReactNode; disabled?: boolean }[];
  /** Spreads the options over the whole width. */
  fill?: boolean;
  className?: string;
}) {
  const name = useId();
  return (
    <div
      role="radiogroup"
      aria-label={label}
      className={classNames(
        'inline-flex max-w-full gap-0.5 overflow-x-auto rounded-[9px] border border-line bg-bg p-[3px] scroll-thin',
        fill && 'w-full',
        className,
      )}
    >
      {options.map((option) => (
        <label
          key={option.key}
          className={classNames(
            'relative cursor-pointer rounded-md px-[11px] py-1 text-center text-sm font-[550] whitespace-nowrap text-muted hover:text-text has-checked:bg-line has-checked:text-text has-focus-visible:outline-2 has-focus-visible:outline-accent-text has-disabled:cursor-not-allowed has-disabled:opacity-50 pointer-coarse:py-2',
            fill && 'flex-1',
          )}
        >
          <input
            type="radio"
            name={name}
            value={option.key}
            checked={option.key === value}
            disabled={option.disabled}
            onChange={() => onChange(option.key)}
            className="absolute inset-0 m-0 cursor-pointer opacity-0"
          />
          {option.label}
        </label>
      ))}
    </div>
  );
}
