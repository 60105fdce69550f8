import type { ComponentProps, ReactNode } from 'react';
import { classNames } from './class-names.ts';
import { useDisabled } from './keep-focus.ts';
import { Ring } from './ring.tsx';

export type ButtonTone = 'accent' | 'ghost' | 'plain' | 'buy' | 'sell';
type ButtonSize = 's' | 'm' | 'l';

type ButtonProps = ComponentProps<'button'> & {
  tone?: ButtonTone;
  size?: ButtonSize;
  /** The action runs: the button keeps its width, shows a ring and takes no clicks. */
  pending?: boolean;
  icon?: ReactNode;
};

const tones: Record<ButtonTone, string> = {
  accent: 'bg-accent text-on-accent hover:not-aria-disabled:bg-accent-strong',
  ghost: 'border border-line-strong text-text hover:not-aria-disabled:bg-hover',
  plain: 'text-muted hover:not-aria-disabled:bg-hover hover:not-aria-disabled:text-text',
  buy: 'bg-up-solid text-white hover:not-aria-disabled:brightness-110',
  sell: 'bg-down-solid text-white hover:not-aria-disabled:brightness-110',
};
const sizes: Record<ButtonSize, string> = {
  s: 'h-[30px] px-[11px] text-sm rounded-lg pointer-coarse:h-10',
  m: 'h-[38px] px-4 rounded-[9px] pointer-coarse:h-11',
  l: 'h-11 px-5 text-md rounded-[10px]',
};

/** The look alone, for links that act as buttons. */
export function buttonClass(tone: ButtonTone = 'accent', size: ButtonSize = 'm', className?: string): string {
  return classNames(
    'inline-flex shrink-0 items-center justify-center gap-2 font-semibold whitespace-nowrap select-none transition-colors aria-disabled:opacity-50 aria-disabled:cursor-not-allowed',
    tones[tone],
    sizes[size],
    className,
  );
}

export function Button({ tone, size, pending = false, icon, className, children, disabled, ...rest }: ButtonProps) {
  const isOff = disabled === true || pending;
  const state = useDisabled(isOff, rest);
  return (
    <button
      type="button"
      {...rest}
      className={classNames(buttonClass(tone, size, className), 'relative')}
      {...state}
      aria-busy={pending || undefined}
      onClick={(event) => {
        // Also keeps a form from being sent.
        if (isOff) event.preventDefault();
        else rest.onClick?.(event);
      }}
    >
      <span className={classNames('inline-flex items-center gap-2', pending && 'invisible')}>
        {icon}
        {children}
      </span>
      {pending && (
        <span className="absolute inset-0 grid place-items-center">
          <Ring size={18} />
        </span>
      )}
    </button>
  );
}

type IconButtonProps = ComponentProps<'button'> & {
  /** Said to assistive technology and shown on hover, because the icon alone says nothing. */
  label: string;
};

export function IconButton({ label, className, children, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      title={label}
      aria-label={label}
      {...rest}
      className={classNames(
        'grid size-[34px] shrink-0 place-items-center rounded-[9px] text-muted transition-colors hover:bg-hover hover:text-text disabled:cursor-not-allowed disabled:opacity-50 pointer-coarse:size-10',
        className,
      )}
    >
      {children}
    </button>
  );
}
