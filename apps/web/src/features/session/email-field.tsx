import { useT } from '../../i18n/i18n.ts';
import type { TextKey } from '../../i18n/areas.ts';
import { Field } from '../../ui/field.tsx';
import { TextInput } from '../../ui/text-input.tsx';
import type { BoundInput } from '../../ui/use-form.ts';

/** The address that names an account. Password managers take it as the user's name. */
export function EmailField({
  bound,
  error,
  autoFocus = false,
}: {
  bound: BoundInput;
  error: TextKey | undefined;
  autoFocus?: boolean;
}) {
  const t = useT();
  return (
    <Field label={t('auth.email')} error={error && t(error)}>
      {(input) => (
        <TextInput
          {...input}
          {...bound}
          size="l"
          type="email"
          autoComplete="username"
          autoFocus={autoFocus}
          placeholder={t('auth.emailPlaceholder')}
          maxLength={254}
        />
      )}
    </Field>
  );
}
