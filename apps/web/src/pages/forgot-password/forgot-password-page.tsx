import { Link, useNavigate } from '@tanstack/react-router';
import { api } from '../../data/api.ts';
import { ApiFailure } from '../../data/api-failure.ts';
import { session } from '../../data/session.ts';
import { AuthLayout } from '../../features/session/auth-layout.tsx';
import { CodeField } from '../../features/session/code-field.tsx';
import { validateReset } from '../../features/session/credentials.ts';
import type { ResetValues } from '../../features/session/credentials.ts';
import { PasswordInput } from '../../features/session/password-input.tsx';
import { StrengthMeter } from '../../features/session/strength-meter.tsx';
import { useT } from '../../i18n/i18n.ts';
import type { TextKey } from '../../i18n/areas.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { TextInput } from '../../ui/text-input.tsx';
import { toast } from '../../ui/toast-store.ts';
import { useForm } from '../../ui/use-form.ts';

export default function ForgotPasswordPage() {
  const t = useT();
  const navigate = useNavigate();
  const form = useForm<ResetValues, TextKey>({
    initial: { email: session.rememberedEmail() ?? '', password: '', confirmPassword: '', verificationCode: '' },
    validate: validateReset,
    submit: async (values) => {
      try {
        await api.call('resetPassword', { ...values, email: values.email.trim() });
      } catch (error) {
        const refusal = error instanceof ApiFailure ? error.refusal : null;
        if (refusal === 'WRONG_CODE') form.refuse('verificationCode', 'auth.errors.codeWrong');
        if (refusal === 'PASSWORD_TOO_WEAK') form.refuse('password', 'auth.errors.passwordWeak');
        return;
      }
      toast.success(t('auth.reset.done'));
      // Every session of the account has ended with the old password, this browser's too.
      session.clear();
      void navigate({ to: '/login' });
    },
  });
  const { values } = form;
  const errorOf = (field: keyof ResetValues) => form.errors[field] && t(form.errors[field]);
  const touchFilled = (field: keyof ResetValues) => () => {
    if (values[field] !== '') form.touch(field);
  };
  return (
    <AuthLayout title={t('auth.reset.title')} text={t('auth.reset.text')}>
      <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-4">
        <Field label={t('auth.email')} error={errorOf('email')}>
          {(input) => (
            <TextInput
              {...input}
              size="l"
              type="email"
              name="email"
              autoComplete="username"
              placeholder={t('auth.emailPlaceholder')}
              maxLength={254}
              value={values.email}
              onChange={(event) => form.set('email', event.target.value)}
              onBlur={touchFilled('email')}
            />
          )}
        </Field>
        <CodeField
          purpose="reset"
          email={values.email}
          value={values.verificationCode}
          error={errorOf('verificationCode')}
          onValue={(code) => form.set('verificationCode', code)}
          onBlur={touchFilled('verificationCode')}
          onEmailMissing={() => form.touch('email')}
        />
        <Field
          label={t('auth.newPassword')}
          error={errorOf('password')}
          hint={<StrengthMeter password={values.password} email={values.email} />}
        >
          {(input) => (
            <PasswordInput
              {...input}
              name="password"
              autoComplete="new-password"
              value={values.password}
              onChange={(event) => form.set('password', event.target.value)}
              onBlur={touchFilled('password')}
            />
          )}
        </Field>
        <Field label={t('auth.confirmPassword')} error={errorOf('confirmPassword')}>
          {(input) => (
            <PasswordInput
              {...input}
              name="confirmPassword"
              autoComplete="new-password"
              value={values.confirmPassword}
              onChange={(event) => form.set('confirmPassword', event.target.value)}
              onBlur={touchFilled('confirmPassword')}
            />
          )}
        </Field>
        <Button type="submit" size="l" className="mt-1 w-full" pending={form.pending}>
          {t('auth.reset.submit')}
        </Button>
      </form>
      <p className="mt-5 text-center">
        <Link to="/login" className="font-semibold text-accent-text hover:underline">
          {t('auth.reset.back')}
        </Link>
      </p>
    </AuthLayout>
  );
}
