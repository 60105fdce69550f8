import type { TextKey } from '../../i18n/areas.ts';
import type { Form } from '../../ui/use-form.ts';
import { PasswordField } from './password-field.tsx';
import { StrengthMeter } from './strength-meter.tsx';

type NewPassword = { password: string; confirmPassword: string };

/** A password that is chosen now: how strong it is, and typed a second time. */
export function NewPasswordFields({
  form,
  email,
  label,
  confirmLabel,
  size = 'l',
}: {
  form: {
    values: NewPassword;
    errors: Form<NewPassword, TextKey>['errors'];
    input: Form<NewPassword, TextKey>['input'];
  };
  /** A password that holds its owner's name is weak. */
  email: string;
  label: string;
  confirmLabel: string;
  size?: 'm' | 'l';
}) {
  return (
    <>
      <PasswordField
        bound={form.input('password')}
        label={label}
        error={form.errors.password}
        autoComplete="new-password"
        size={size}
        hint={<StrengthMeter password={form.values.password} email={email} />}
      />
      <PasswordField
        bound={form.input('confirmPassword')}
        label={confirmLabel}
        error={form.errors.confirmPassword}
        autoComplete="new-password"
        size={size}
      />
    </>
  );
}
