import { useId } from 'react';
import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

/** What the field gives its input, so that label, error and hint belong to it for everyone. */
export type FieldInputProps = { id: string; 'aria-invalid'?: true; 'aria-describedby'?: string };

export type FieldProps = {
  label: ReactNode;
  error?: string | null | undefined;
  hint?: ReactNode;
  /** At the end of the label's line, e.g. a link or the balance. */
  aside?: ReactNode;
  /** Keeps one line free for the error, so that a form does not grow when one appears. */
  reserveError?: boolean;
  className?: string;
  children: (input: FieldInputProps) => ReactNode;
};

export function Field({ label, error, hint, aside, reserveError = false, className, children }: FieldProps) {
  const id = useId();
  const errorId = `${id}-error`;
  const hintId = `${id}-hint`;
  const describedBy = [error && errorId, hint && hintId].filter(Boolean).join(' ');
  return (
    <div className={classNames('flex flex-col gap-1.5', className)}>
      <div className="flex items-baseline justify-between gap-3">
        <label htmlFor={id} className="text-sm font-[550] text-muted">
          {label}
        </label>
        {aside}
      </div>
      {children({
        id,
        ...(error ? { 'aria-invalid': true as const } : {}),
        ...(describedBy ? { 'aria-describedby': describedBy } : {}),
      })}
      {error ? (
        <p id={errorId} role="alert" className="text-sm text-down">
          {error}
        </p>
      ) : (
        reserveError && (
          <p className="text-sm" aria-hidden="true">
            {'\u00a0'}
          </p>
        )
      )}
      {hint && (
        <div id={hintId} className="text-xs text-faint">
          {hint}
        </div>
      )}
    </div>
  );
}
