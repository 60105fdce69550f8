import { useState } from 'react';
import { api } from '../../../data/api.ts';
import { ApiFailure } from '../../../data/api-failure.ts';
import { queryClient } from '../../../data/query-client.ts';
import { useUser } from '../../../data/session.ts';
import { apiKey } from '../../../data/use-api-query.ts';
import { newPasswordErrors } from '../../../features/session/credentials.ts';
import { PasswordInput } from '../../../features/session/password-input.tsx';
import { StrengthMeter } from '../../../features/session/strength-meter.tsx';
import type { TextKey } from '../../../i18n/areas.ts';
import { useT } from '../../../i18n/i18n.ts';
import { Button } from '../../../ui/button.tsx';
import { Field } from '../../../ui/field.tsx';
import { toast } from '../../../ui/toast-store.ts';
import { useForm } from '../../../ui/use-form.ts';

type Values = { oldPassword: string; password: string; confirmPassword: string };

const empty: Values = { oldPassword: '', password: '', confirmPassword: '' };

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
        void queryClient.invalidateQueries({ queryKey: apiKey('getMySessions') });
        void queryClient.invalidateQueries({ queryKey: apiKey('getMyAuditLog') });
        onDone();
      } catch (error) {
        if (!(error instanceof ApiFailure)) return;
        if (error.refusal === 'WRONG_PASSWORD' || error.refusal === 'WRONG_CREDENTIALS') {
          form.refuse('oldPassword', 'account.security.wrongPassword');
        }
        if (error.refusal === 'PASSWORD_TOO_WEAK') form.refuse('password', 'auth.errors.passwordWeak');
      }
    },
  });
  const field = (name: keyof Values, label: TextKey, autoComplete: string, hint?: React.ReactNode) => (
    <Field label={t(label)} error={form.errors[name] && t(form.errors[name])} hint={hint}>
      {(input) => (
        <PasswordInput
          {...input}
          size="m"
          name={name}
          autoComplete={autoComplete}
          value={form.values[name]}
          onChange={(event) => form.set(name, event.target.value)}
          onBlur={() => form.values[name] !== '' && form.touch(name)}
        />
      )}
    </Field>
  );
  return (
    <form className="flex max-w-[440px] flex-col gap-3" noValidate onSubmit={form.onSubmit} data-testid="password-form">
      {field('oldPassword', 'account.security.oldPassword', 'current-password')}
      {field(
        'password',
        'account.security.newPassword',
        'new-password',
        <StrengthMeter password={form.values.password} email={email} />,
      )}
      {field('confirmPassword', 'account.security.confirmPassword', 'new-password')}
      <Button type="submit" tone="ghost" className="self-start" pending={form.pending}>
        {t('account.security.change')}
      </Button>
    </form>
  );
}
