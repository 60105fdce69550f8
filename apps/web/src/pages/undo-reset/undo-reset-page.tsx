import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../data/api.ts';
import { session } from '../../data/session.ts';
import { AuthDetour, AuthForm } from '../../features/session/auth-form.tsx';
import { AuthLayout } from '../../features/session/auth-layout.tsx';
import { validateLogin } from '../../features/session/credentials.ts';
import type { LoginValues } from '../../features/session/credentials.ts';
import { EmailField } from '../../features/session/email-field.tsx';
import { PasswordField } from '../../features/session/password-field.tsx';
import type { TextKey } from '../../i18n/areas.ts';
import { useT } from '../../i18n/i18n.ts';
import { FactorPrompt } from '../../ui/factor-prompt.tsx';
import { ownIntent, type SecondFactor } from '../../ui/passkey.ts';
import { toast } from '../../ui/toast-store.ts';
import { useForm } from '../../ui/use-form.ts';
import { usePending } from '../../ui/use-pending.ts';

export default function UndoResetPage() {
  const t = useT();
  const navigate = useNavigate();
  const [byFactor, setByFactor] = useState(false);
  const [busy, run] = usePending();
  const form = useForm<LoginValues, TextKey>({
    initial: { email: session.rememberedEmail() ?? '', password: '' },
    validate: validateLogin,
    submit: ({ password }) => undo({ password }),
  });

  const undo = (proof: { password: string } | { factor: SecondFactor }) =>
    run(async () => {
      await api.call('undoPasswordReset', { email: form.values.email.trim(), ...proof });
      session.clear();
      toast.success(t('mailed.undo.done'));
      void navigate({ to: '/unfreeze' });
    });

  return (
    <AuthLayout title={t('mailed.undo.title')} text={t('mailed.undo.text')}>
      {byFactor ? (
        <div className="flex flex-col gap-4">
          <EmailField bound={form.input('email')} error={form.errors.email} />
          {/* A passkey would need to know whose it is, and nobody is told that before he has proven himself. */}
          <FactorPrompt
            factors={['totp']}
            rpId=""
            credentialIds={[]}
            intent={ownIntent('unfreeze', '', '')}
            busy={busy}
            onFactor={(factor) => void undo({ factor })}
          />
        </div>
      ) : (
        <AuthForm form={form} submit={t('mailed.undo.submit')}>
          <EmailField bound={form.input('email')} error={form.errors.email} />
          <PasswordField
            bound={form.input('password')}
            label={t('mailed.undo.oldPassword')}
            error={form.errors.password}
            autoComplete="current-password"
          />
        </AuthForm>
      )}
      <button
        type="button"
        className="mt-4 self-start text-sm font-medium text-accent-text hover:underline"
        onClick={() => setByFactor(!byFactor)}
      >
        {t(byFactor ? 'mailed.undo.withPassword' : 'mailed.undo.withFactor')}
      </button>
      <AuthDetour to="/login" link={t('auth.reset.back')} />
    </AuthLayout>
  );
}
