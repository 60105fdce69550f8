import { useNavigate } from '@tanstack/react-router';
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
import { toast } from '../../ui/toast-store.ts';
import { useForm } from '../../ui/use-form.ts';

type Values = { email: string; password: string; verificationCode: string };

const refusedFields: RefusedFields<Values> = {
  WRONG_CODE: { field: 'verificationCode', text: 'auth.errors.codeWrong' },
};

export default function UnfreezePage() {
  const t = useT();
  const navigate = useNavigate();
  const form = useForm<Values, TextKey>({
    initial: { email: session.rememberedEmail() ?? '', password: '', verificationCode: '' },
    validate: (values) => {
      const code = codeError(values.verificationCode);
      return { ...validateLogin(values), ...(code ? { verificationCode: code } : {}) };
    },
    submit: async (values) => {
      try {
        await api.call('unfreezeAccount', { ...values, email: values.email.trim() });
      } catch (error) {
        refuseField<Values>(form, error, refusedFields);
        return;
      }
      toast.success(t('auth.unfreeze.done'));
      void navigate({ to: '/login' });
    },
  });
  const { errors, values } = form;
  return (
    <AuthLayout title={t('auth.unfreeze.title')} text={t('auth.unfreeze.text')}>
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
      <AuthDetour to="/undo-reset" link={t('auth.undo.link')} />
    </AuthLayout>
  );
}
