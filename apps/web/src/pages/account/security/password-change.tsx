import { useState } from 'react';
import { api } from '../../../data/api.ts';
import { useUser } from '../../../data/session.ts';
import { refreshCalls } from '../../../data/use-api-query.ts';
import { newPasswordErrors } from '../../../features/session/credentials.ts';
import { NewPasswordFields } from '../../../features/session/new-password-fields.tsx';
import { PasswordField } from '../../../features/session/password-field.tsx';
import { refuseField } from '../../../features/session/refuse-field.ts';
import type { RefusedFields } from '../../../features/session/refuse-field.ts';
import type { TextKey } from '../../../i18n/areas.ts';
import { useT } from '../../../i18n/i18n.ts';
import { Button } from '../../../ui/button.tsx';
import { toast } from '../../../ui/toast-store.ts';
import { useForm } from '../../../ui/use-form.ts';

type Values = { oldPassword: string; password: string; confirmPassword: string };

const empty: Values = { oldPassword: '', password: '', confirmPassword: '' };

const refusedFields: RefusedFields<Values> = {
  WRONG_PASSWORD: { field: 'oldPassword', text: 'account.security.wrongPassword' },
  WRONG_CREDENTIALS: { field: 'oldPassword', text: 'account.security.wrongPassword' },
  PASSWORD_TOO_WEAK: { field: 'password', text: 'auth.errors.passwordWeak' },
};

function validate(values: Values): { [Field in keyof Values]?: TextKey } {
  const { password, confirmPassword } = newPasswordErrors(values);
  return {
    ...(values.oldPassword === '' ? { oldPassword: 'auth.errors.passwordRequired' as const } : {}),
    ...(password ? { password } : {}),
    ...(confirmPassword ? { confirmPassword } : {}),
  };
}

export function PasswordChange() {
  // A new form after each change: nothing of the passwords stays behind.
  const [round, setRound] = useState(0);
  return <PasswordForm key={round} onDone={() => setRound(round + 1)} />;
}

function PasswordForm({ onDone }: { onDone: () => void }) {
  const t = useT();
  const email = useUser((user) => user?.email ?? '');
  const form = useForm<Values, TextKey>({
    initial: empty,
    validate,
    submit: async (values) => {
      try {
        await api.call('changePassword', values);
        toast.success(t('account.security.changed'));
        void refreshCalls('getMySessions', 'getMyAuditLog');
        onDone();
      } catch (error) {
        refuseField<Values>(form, error, refusedFields);
      }
    },
  });
  return (
    <form className="flex max-w-[440px] flex-col gap-3" noValidate onSubmit={form.onSubmit} data-testid="password-form">
      <PasswordField
        bound={form.input('oldPassword')}
        label={t('account.security.oldPassword')}
        error={form.errors.oldPassword}
        autoComplete="current-password"
        size="m"
      />
      <NewPasswordFields
        form={form}
        email={email}
        label={t('account.security.newPassword')}
        confirmLabel={t('account.security.confirmPassword')}
        size="m"
      />
      <Button type="submit" tone="ghost" className="self-start" pending={form.pending}>
        {t('account.security.change')}
      </Button>
    </form>
  );
}
