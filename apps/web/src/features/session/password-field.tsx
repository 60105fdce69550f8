import type { ReactNode } from 'react';
import { useT } from '../../i18n/i18n.ts';
import type { TextKey } from '../../i18n/areas.ts';
import { Field } from '../../ui/field.tsx';
import type { BoundInput } from '../../ui/use-form.ts';
import { PasswordInput } from './password-input.tsx';

export function PasswordField({
  bound,
  label,
  error,
  autoComplete,
  size = 'l',
  autoFocus = false,
  hint,
  aside,
}: {
  bound: BoundInput;
  label: string;
  error: TextKey | undefined;
  autoComplete: 'current-password' | 'new-password';
  size?: 'm' | 'l';
  autoFocus?: boolean;
  hint?: ReactNode;
  aside?: ReactNode;
}) {
  const t = useT();
  return (
    <Field label={label} error={error && t(error)} hint={hint} aside={aside}>
      {(input) => <PasswordInput {...input} {...bound} size={size} autoComplete={autoComplete} autoFocus={autoFocus} />}
    </Field>
  );
}
