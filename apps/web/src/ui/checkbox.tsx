import type { ComponentProps, ReactNode } from 'react';
import { classNames } from './class-names.ts';

type CheckboxProps = Omit<ComponentProps<'input'>, 'type' | 'onChange'> & {
  label: ReactNode;
  onChecked: (checked: boolean) => void;
};

export function Checkbox({ label, onChecked, className, ...rest }: CheckboxProps) {
  return (
    <label className={classNames('flex cursor-pointer items-start gap-2.5 pointer-coarse:py-1', className)}>
      <span className="relative mt-px grid size-[18px] shrink-0 place-items-center">
        <input
          {...rest}
          type="checkbox"
          onChange={(event) => onChecked(event.target.checked)}
          className="peer absolute inset-0 size-full cursor-pointer appearance-none rounded-[5px] border border-line-strong bg-bg checked:border-accent checked:bg-accent aria-[invalid=true]:border-down"
        />
        <svg
          viewBox="0 0 16 16"
          className="pointer-events-none relative hidden size-3 text-on-accent peer-checked:block"
          fill="none"
          stroke="currentColor"
          strokeWidth="2.4"
          strokeLinecap="round"
          strokeLinejoin="round"
          aria-hidden="true"
        >
          <path d="m3 8.5 3.4 3.4L13 4.8" />
        </svg>
      </span>
      <span>{label}</span>
    </label>
  );
}
