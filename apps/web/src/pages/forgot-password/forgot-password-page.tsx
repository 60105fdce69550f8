import { useNavigate } from '@tanstack/react-router';
import { api } from '../../data/api.ts';
import { session } from '../../data/session.ts';
import { AuthDetour, AuthForm } from '../../features/session/auth-form.tsx';
import { AuthLayout } from '../../features/session/auth-layout.tsx';
import { CodeField } from '../../features/session/code-field.tsx';
import { validateReset } from '../../features/session/credentials.ts';
import type { ResetValues } from '../../features/session/credentials.ts';
import { EmailField } from '../../features/session/email-field.tsx';
import { NewPasswordFields } from '../../features/session/new-password-fields.tsx';
import { refuseField } from '../../features/session/refuse-field.ts';
import type { RefusedFields } from '../../features/session/refuse-field.ts';
import { useT } from '../../i18n/i18n.ts';
import type { TextKey } from '../../i18n/areas.ts';
import { toast } from '../../ui/toast-store.ts';
import { useForm } from '../../ui/use-form.ts';

const refusedFields: RefusedFields<ResetValues> = {
  WRONG_CODE: { field: 'verificationCode', text: 'auth.errors.codeWrong' },
  PASSWORD_TOO_WEAK: { field: 'password', text: 'auth.errors.passwordWeak' },
};

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
        refuseField<ResetValues>(form, error, refusedFields);
        return;
      }
      toast.success(t('auth.reset.done'));
      // Every session of the account has ended with the old password, this browser's too.
      session.clear();
      void navigate({ to: '/login' });
    },
  });
  const { errors, values } = form;
  return (
    <AuthLayout title={t('auth.reset.title')} text={t('auth.reset.text')}>
      <AuthForm form={form} submit={t('auth.reset.submit')}>
        <EmailField bound={form.input('email')} error={errors.email} />
        <CodeField
          purpose="reset"
          email={values.email}
          bound={form.input('verificationCode')}
          error={errors.verificationCode}
          onEmailMissing={() => form.touch('email')}
        />
        <NewPasswordFields
          form={form}
          email={values.email}
          label={t('auth.newPassword')}
          confirmLabel={t('auth.confirmPassword')}
        />
      </AuthForm>
      <AuthDetour to="/login" link={t('auth.reset.back')} />
      <AuthDetour to="/undo-reset" link={t('auth.reset.undo')} />
    </AuthLayout>
  );
}
