import type { ErrorContext } from '@hunter/contract/error-catalogue';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { ApiFailure } from '../../data/api-failure.ts';
import { api } from '../../data/api.ts';
import { session } from '../../data/session.ts';
import { AuthDetour, AuthForm } from '../../features/session/auth-form.tsx';
import { AuthLayout } from '../../features/session/auth-layout.tsx';
import { CodeField } from '../../features/session/code-field.tsx';
import { codeError, validateLogin } from '../../features/session/credentials.ts';
import { EmailField } from '../../features/session/email-field.tsx';
import { PasswordField } from '../../features/session/password-field.tsx';
import { refuseField } from '../../features/session/refuse-field.ts';
import type { RefusedFields } from '../../features/session/refuse-field.ts';
import type { TextKey } from '../../i18n/areas.ts';
import { useT } from '../../i18n/i18n.ts';
import { FactorPrompt } from '../../ui/factor-prompt.tsx';
import { ownIntent, type SecondFactor } from '../../ui/passkey.ts';
import { toast } from '../../ui/toast-store.ts';
import { useForm } from '../../ui/use-form.ts';

type Values = { email: string; password: string; verificationCode: string };

const refusedFields: RefusedFields<Values> = {
  WRONG_CODE: { field: 'verificationCode', text: 'auth.errors.codeWrong' },
};

type WantedFactor = ErrorContext['LOGIN_FACTOR_REQUIRED'];

/** Where a second factor is enrolled it takes the place of the mailed code, which may then be left empty. */
export default function UnfreezePage() {
  const t = useT();
  const navigate = useNavigate();
  const [wanted, setWanted] = useState<WantedFactor | null>(null);
  const [busy, setBusy] = useState(false);
  const form = useForm<Values, TextKey>({
    initial: { email: session.rememberedEmail() ?? '', password: '', verificationCode: '' },
    validate: (values) => {
      const code = values.verificationCode === '' ? null : codeError(values.verificationCode);
      return { ...validateLogin(values), ...(code ? { verificationCode: code } : {}) };
    },
    submit: (values) => unfreeze(values, {}),
  });

  async function unfreeze(
    { email, password, verificationCode }: Values,
    confirmed: { factorId?: string; factor?: SecondFactor },
  ): Promise<void> {
    setBusy(true);
    try {
      const code = verificationCode === '' ? {} : { verificationCode };
      await api.call('unfreezeAccount', { email: email.trim(), password, ...code, ...confirmed });
    } catch (error) {
      const reason = error instanceof ApiFailure && error.refusal === 'LOGIN_FACTOR_REQUIRED' ? error.reason : null;
      if (reason?.kind === 'envelope') setWanted(reason.data as WantedFactor);
      else refuseField<Values>(form, error, refusedFields);
      return;
    } finally {
      setBusy(false);
    }
    toast.success(t('auth.unfreeze.done'));
    void navigate({ to: '/login' });
  }

  const { errors, values } = form;
  return (
    <AuthLayout title={t('auth.unfreeze.title')} text={t('auth.unfreeze.text')}>
      {wanted ? (
        <FactorPrompt
          {...wanted}
          intent={ownIntent('unfreeze', wanted.address, wanted.factorId)}
          busy={busy}
          onFactor={(factor) => void unfreeze(form.values, { factorId: wanted.factorId, factor })}
        />
      ) : (
        <AuthForm form={form} submit={t('auth.unfreeze.submit')}>
          <EmailField bound={form.input('email')} error={errors.email} />
          <PasswordField
            bound={form.input('password')}
            label={t('auth.password')}
            error={errors.password}
            autoComplete="current-password"
          />
          <CodeField
            purpose="unfreeze"
            email={values.email}
            bound={form.input('verificationCode')}
            error={errors.verificationCode}
            onEmailMissing={() => form.touch('email')}
          />
        </AuthForm>
      )}
      <AuthDetour to="/undo-reset" link={t('auth.reset.undo')} />
    </AuthLayout>
  );
}
