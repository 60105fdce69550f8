import type { ComponentProps } from 'react';
import { classNames } from './class-names.ts';
import { ChevronDownIcon } from './icons.tsx';

export type SelectProps<Key extends string> = Omit<ComponentProps<'select'>, 'value' | 'onChange' | 'size'> & {
  value: Key;
  onValue: (key: Key) => void;
  options: readonly { key: Key; label: string; disabled?: boolean }[];
};

/** The browser's own list: it works with every keyboard, on every phone, and cannot be cut off by its container. */
export function Select<Key extends string>({ value, onValue, options, className, ...rest }: SelectProps<Key>) {
  return (
    <span className={classNames('relative inline-flex', className)}>
      <select
        {...rest}
        value={value}
        onChange={(event) => onValue(event.target.value as Key)}
        className="h-[34px] w-full cursor-pointer appearance-none truncate rounded-[9px] border border-line bg-bg pr-8 pl-3 font-[550] text-text hover:border-line-strong focus-visible:border-accent disabled:opacity-60 pointer-coarse:h-11"
      >
        {options.map((option) => (
          <option key={option.key} value={option.key} disabled={option.disabled} className="bg-raised text-text">
            {option.label}
          </option>
        ))}
      </select>
      <ChevronDownIcon
        size={14}
        className="pointer-events-none absolute top-1/2 right-2.5 -translate-y-1/2 text-faint"
      />
    </span>
  );
}
