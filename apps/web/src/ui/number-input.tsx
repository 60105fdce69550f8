import { useState } from 'react';
import { useT } from '../i18n/i18n.ts';
import { classNames } from './class-names.ts';
import { cleanDecimalText, hasTooManyDecimals } from './decimal-text.ts';
import type { Unit } from './decimal-text.ts';
import { TextInput } from './text-input.tsx';
import type { TextInputProps } from './text-input.tsx';

export type NumberInputProps = Omit<TextInputProps, 'onChange' | 'value' | 'type'> & {
  value: string;
  onValue: (text: string) => void;
  /** Digits allowed after the point; more are not taken, and the field says so. */
  decimals?: number;
  /** May be pasted with the number. */
  unit?: Unit | undefined;
};

/** Decimal text, not a number: what is typed reaches the server exactly. No spinner, no scroll-wheel accidents. */
export function NumberInput({ value, onValue, decimals = 9, unit, size = 'l', ...rest }: NumberInputProps) {
  const t = useT();
  const [refused, setRefused] = useState<string | null>(null);

  function refusal(typed: string, isPasted: boolean): string | null {
    if (hasTooManyDecimals(typed, decimals, unit)) {
      return decimals === 0 ? t('ui.wholeNumber') : t('ui.decimalsMax', { max: decimals });
    }
    return isPasted ? t('ui.notNumber') : null;
  }

  return (
    <TextInput
      size={size}
      inputClassName={size === 'l' ? 'num text-xl font-semibold' : 'num'}
      autoComplete="off"
      {...rest}
      className={classNames('relative', rest.className)}
      type="text"
      inputMode="decimal"
      value={value}
      onChange={(event) => {
        const text = cleanDecimalText(event.target.value, decimals, unit);
        const { inputType } = event.nativeEvent as InputEvent;
        setRefused(text === null ? refusal(event.target.value, inputType === 'insertFromPaste') : null);
        if (text !== null) onValue(text);
      }}
      onBlur={(event) => {
        setRefused(null);
        rest.onBlur?.(event);
      }}
      after={
        <>
          {rest.after}
          {/* Over what is below, because it goes with the next key. */}
          {refused !== null && (
            <span
              role="alert"
              className="absolute top-full left-0 z-10 mt-1 rounded-lg border border-line-strong bg-raised px-2.5 py-1 text-sm text-down shadow-pop"
            >
              {refused}
            </span>
          )}
        </>
      }
    />
  );
}
