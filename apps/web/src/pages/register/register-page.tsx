import { Link, useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useId, useState } from 'react';
import { api } from '../../data/api.ts';
import { ApiFailure } from '../../data/api-failure.ts';
import { useAppConfig } from '../../data/app-config.ts';
import { session } from '../../data/session.ts';
import { AuthLayout } from '../../features/session/auth-layout.tsx';
import { CodeField } from '../../features/session/code-field.tsx';
import { validateRegister } from '../../features/session/credentials.ts';
import type { RegisterValues } from '../../features/session/credentials.ts';
import { keepNewWallet } from '../../features/session/new-wallet.ts';
import { PasswordInput } from '../../features/session/password-input.tsx';
import { StrengthMeter } from '../../features/session/strength-meter.tsx';
import { useI18n } from '../../i18n/i18n.ts';
import type { TextKey } from '../../i18n/areas.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { Field } from '../../ui/field.tsx';
import { InfoIcon } from '../../ui/icons.tsx';
import { TextInput } from '../../ui/text-input.tsx';
import { useForm } from '../../ui/use-form.ts';
import { refusedField } from './refused-field.ts';
import { mayTakeFocus } from '../../ui/may-take-focus.ts';

const TermsDialog = lazy(() => import('./terms-dialog.tsx'));

export default function RegisterPage() {
  const { t } = useI18n();
  const navigate = useNavigate();
  const config = useAppConfig();
  const agreementErrorId = useId();
  const [termsOpen, setTermsOpen] = useState(false);

  const form = useForm<RegisterValues, TextKey>({
    initial: { email: '', password: '', confirmPassword: '', verificationCode: '', inviteCode: '', agreement: false },
    validate: validateRegister,
    submit: async (values) => {
      try {
        const { wallet, ...user } = await api.call('register', {
          ...values,
          email: values.email.trim(),
          inviteCode: values.inviteCode.trim(),
        });
        keepNewWallet(wallet);
        session.setUser(user);
      } catch (error) {
        const field = error instanceof ApiFailure ? refusedField(error.refusal) : null;
        if (field) form.refuse(field.field, field.text);
        return;
      }
      void navigate({ to: '/register-success', replace: true });
    },
  });
  const { values } = form;
  const errorOf = (field: keyof RegisterValues) => form.errors[field] && t(form.errors[field]);
  const touchFilled = (field: keyof RegisterValues) => () => {
    if (values[field] !== '') form.touch(field);
  };

  return (
    <AuthLayout title={t('auth.register.title')} text={t('auth.register.text')}>
      {config?.mode === 'local' && (
        <LocalHints
          inviteCode={config.inviteCode}
          onUseInvite={(code) => form.set('inviteCode', code)}
          used={values.inviteCode === config.inviteCode}
        />
      )}
      <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-4">
        <Field label={t('auth.email')} error={errorOf('email')}>
          {(input) => (
            <TextInput
              {...input}
              size="l"
              type="email"
              name="email"
              autoComplete="username"
              autoFocus={mayTakeFocus()}
              placeholder={t('auth.emailPlaceholder')}
              maxLength={254}
              value={values.email}
              onChange={(event) => form.set('email', event.target.value)}
              onBlur={touchFilled('email')}
            />
          )}
        </Field>
        <Field
          label={t('auth.password')}
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
        <CodeField
          purpose="register"
          email={values.email}
          value={values.verificationCode}
          error={errorOf('verificationCode')}
          onValue={(code) => form.set('verificationCode', code)}
          onBlur={touchFilled('verificationCode')}
          onEmailMissing={() => form.touch('email')}
        />
        <Field label={t('auth.invite')} error={errorOf('inviteCode')}>
          {(input) => (
            <TextInput
              {...input}
              size="l"
              name="inviteCode"
              autoComplete="off"
              maxLength={40}
              value={values.inviteCode}
              onChange={(event) => form.set('inviteCode', event.target.value)}
              onBlur={touchFilled('inviteCode')}
            />
          )}
        </Field>
        <div className="flex flex-col gap-1.5">
          <Checkbox
            name="agreement"
            checked={values.agreement}
            onChecked={(checked) => form.set('agreement', checked)}
            aria-invalid={form.errors.agreement ? true : undefined}
            aria-describedby={form.errors.agreement ? agreementErrorId : undefined}
            label={
              <>
                {t('auth.register.agreePrefix')}{' '}
                <button
                  type="button"
                  className="font-semibold text-accent-text hover:underline"
                  onClick={() => setTermsOpen(true)}
                >
                  {t('auth.register.terms')}
                </button>
              </>
            }
          />
          {form.errors.agreement && (
            <p id={agreementErrorId} role="alert" className="text-sm text-down">
              {errorOf('agreement')}
            </p>
          )}
        </div>
        <Button type="submit" size="l" className="mt-1 w-full" pending={form.pending}>
          {t('auth.register.submit')}
        </Button>
      </form>
      <p className="mt-5 text-center text-muted">
        {t('auth.register.haveAccount')}{' '}
        <Link to="/login" className="font-semibold text-accent-text hover:underline">
          {t('auth.register.toLogin')}
        </Link>
      </p>
      {termsOpen && (
        <Suspense fallback={null}>
          <TermsDialog
            onClose={() => setTermsOpen(false)}
            onAccept={() => {
              form.set('agreement', true);
              setTermsOpen(false);
            }}
          />
        </Suspense>
      )}
    </AuthLayout>
  );
}

/** What somebody who runs Hunter on the own machine needs and cannot know. */
function LocalHints({
  inviteCode,
  used,
  onUseInvite,
}: {
  inviteCode: string | null;
  used: boolean;
  onUseInvite: (code: string) => void;
}) {
  const { t } = useI18n();
  return (
    <div className="mb-5 flex gap-3 rounded-m border border-dashed border-warn/50 bg-warn-soft px-3.5 py-3 text-sm">
      <InfoIcon size={16} className="mt-px shrink-0 text-warn" />
      <div className="flex flex-col gap-1">
        <b className="font-semibold">{t('auth.local.title')}</b>
        {inviteCode && (
          <span>
            {t('auth.local.invite')} <code className="font-mono font-semibold">{inviteCode}</code>
            {!used && (
              <>
                {' · '}
                <button
                  type="button"
                  className="font-semibold text-accent-text hover:underline"
                  onClick={() => onUseInvite(inviteCode)}
                >
                  {t('auth.local.useInvite')}
                </button>
              </>
            )}
          </span>
        )}
        <span className="text-muted">{t('auth.local.gift')}</span>
      </div>
    </div>
  );
}
