import type { ComponentProps, ReactNode } from 'react';
import { classNames } from './class-names.ts';
import { useDisabled } from './keep-focus.ts';

export type TextInputProps = Omit<ComponentProps<'input'>, 'prefix' | 'size'> & {
  before?: ReactNode;
  after?: ReactNode;
  size?: 'm' | 'l';
  inputClassName?: string;
};

export function TextInput({
  before,
  after,
  size = 'm',
  className,
  inputClassName,
  disabled = false,
  ...rest
}: TextInputProps) {
  const state = useDisabled(disabled, rest);
  return (
    <div
      className={classNames(
        'flex w-full min-w-0 items-center gap-2 rounded-m border border-line-strong bg-bg px-3 transition-colors',
        'focus-within:border-accent focus-within:ring-3 focus-within:ring-accent-soft',
        'has-[[aria-invalid=true]]:border-down has-[[aria-disabled=true]]:opacity-60',
        size === 'l' ? 'h-11' : 'h-[38px] pointer-coarse:h-11',
        className,
      )}
    >
      {before}
      {/* 16 px on touch screens: below that, iOS zooms the page when the input gets the focus. */}
      <input
        {...rest}
        {...state}
        readOnly={rest.readOnly || disabled}
        className={classNames(
          'h-full min-w-0 flex-1 bg-transparent text-text outline-none placeholder:text-faint pointer-coarse:text-[16px]',
          size === 'l' ? 'text-md' : 'text-base',
          inputClassName,
        )}
      />
      {after}
    </div>
  );
}
