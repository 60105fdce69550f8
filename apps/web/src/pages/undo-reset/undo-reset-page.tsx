import { useNavigate } from '@tanstack/react-router';
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
import { toast } from '../../ui/toast-store.ts';
import { useForm } from '../../ui/use-form.ts';

export default function UndoResetPage() {
  const t = useT();
  const navigate = useNavigate();
  const form = useForm<LoginValues, TextKey>({
    initial: { email: session.rememberedEmail() ?? '', password: '' },
    validate: validateLogin,
    submit: async ({ email, password }) => {
      try {
        await api.call('undoPasswordReset', { email: email.trim(), password });
      } catch {
        // The reason is shown as a toast.
        return;
      }
      session.clear();
      toast.success(t('auth.undo.done'));
      void navigate({ to: '/unfreeze' });
    },
  });
  return (
    <AuthLayout title={t('auth.undo.title')} text={t('auth.undo.text')}>
      <AuthForm form={form} submit={t('auth.undo.submit')}>
        <EmailField bound={form.input('email')} error={form.errors.email} />
        <PasswordField
          bound={form.input('password')}
          label={t('auth.undo.oldPassword')}
          error={form.errors.password}
          autoComplete="current-password"
        />
      </AuthForm>
      <AuthDetour to="/login" link={t('auth.reset.back')} />
    </AuthLayout>
  );
}
