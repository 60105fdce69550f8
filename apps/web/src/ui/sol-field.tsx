import { formatSol } from '@hunter/domain/format/format-sol';
import type { ReactNode } from 'react';
import { useT } from '../i18n/i18n.ts';
import { Field } from './field.tsx';
import { shareOfSol } from './sol-amount.ts';
import { TextInput } from './text-input.tsx';

const shares = [25, 50, 75, 100] as const;

type SolFieldProps = {
  label: string;
  value: string;
  onValue: (text: string) => void;
  onBlur?: () => void;
  available: string | null;
  availableText: (amount: string) => string;
  /** What "Max" fills in, where it is not simply the whole balance. */
  max?: string | undefined;
  error?: string | null | undefined;
  hint?: ReactNode;
  disabled?: boolean;
};

/** An amount of SOL with chips for shares of the balance. Any text may be typed; the form says what is wrong with it. */
export function SolField({
  label,
  value,
  onValue,
  onBlur,
  available,
  availableText,
  max,
  error,
  hint,
  disabled = false,
}: SolFieldProps) {
  return (
    <Field
      label={label}
      error={error}
      hint={hint}
      aside={
        <span className="num text-sm text-muted" data-testid="available">
          {available === null ? '\u00a0' : availableText(formatSol(available))}
        </span>
      }
    >
      {(input) => (
        <div className="flex flex-col gap-2">
          <TextInput
            {...input}
            size="l"
            type="text"
            inputMode="decimal"
            autoComplete="off"
            maxLength={40}
            inputClassName="num text-xl font-semibold"
            placeholder="0.0"
            value={value}
            disabled={disabled}
            onChange={(event) => onValue(event.target.value)}
            onBlur={onBlur}
            after={<span className="text-sm font-[550] text-muted">SOL</span>}
          />
          <ShareChips label={label} available={available} max={max} disabled={disabled} onValue={onValue} />
        </div>
      )}
    </Field>
  );
}

type ShareChipsProps = Pick<SolFieldProps, 'label' | 'available' | 'max' | 'onValue'> & { disabled: boolean };

function ShareChips({ label, available, max, disabled, onValue }: ShareChipsProps) {
  const t = useT();
  return (
    <div className="grid grid-cols-4 gap-1.5">
      {shares.map((share) => {
        const name = share === 100 ? t('ui.max') : `${share}%`;
        const amount = share === 100 && max !== undefined ? max : shareOfSol(available ?? '0', share);
        return (
          <button
            key={share}
            type="button"
            // For those who do not see where it stands.
            aria-label={`${label} ${name}`}
            disabled={disabled || available === null}
            className="num h-[30px] rounded-lg border border-line text-sm font-[550] text-muted transition-colors hover:not-disabled:border-line-strong hover:not-disabled:bg-hover hover:not-disabled:text-text disabled:opacity-50 pointer-coarse:h-10"
            onClick={() => onValue(amount)}
          >
            {name}
          </button>
        );
      })}
    </div>
  );
}
