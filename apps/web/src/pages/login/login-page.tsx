import { getRouteApi, Link, useRouter } from '@tanstack/react-router';
import { api } from '../../data/api.ts';
import { session, useUser } from '../../data/session.ts';
import { AuthLayout } from '../../features/session/auth-layout.tsx';
import { validateLogin } from '../../features/session/credentials.ts';
import { PasswordInput } from '../../features/session/password-input.tsx';
import { useT } from '../../i18n/i18n.ts';
import type { TextKey } from '../../i18n/areas.ts';
import { safeRedirect } from '../../safe-redirect.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { TextInput } from '../../ui/text-input.tsx';
import { useForm } from '../../ui/use-form.ts';
import { mayTakeFocus } from '../../ui/may-take-focus.ts';

const route = getRouteApi('/login');

export default function LoginPage() {
  const t = useT();
  const router = useRouter();
  const user = useUser();
  const { redirect } = route.useSearch();
  const goOn = () => router.history.push(safeRedirect(redirect));

  const form = useForm<{ email: string; password: string }, TextKey>({
    initial: { email: session.rememberedEmail() ?? '', password: '' },
    validate: validateLogin,
    submit: async ({ email, password }) => {
      try {
        session.setUser(await api.call('login', { email: email.trim(), password }));
      } catch {
        // The reason is shown as a toast. The password is typed again, the address is probably right.
        form.set('password', '');
        return;
      }
      goOn();
    },
  });
  const errorOf = (field: 'email' | 'password') => form.errors[field] && t(form.errors[field]);

  return (
    <AuthLayout title={t('auth.login.title')} text={t(redirect ? 'auth.login.sent' : 'auth.login.text')}>
      {user && (
        <div className="mb-5 flex items-center justify-between gap-3 rounded-m border border-line bg-bg px-3.5 py-2.5">
          <span className="min-w-0 truncate text-muted">{t('auth.login.already', { email: user.email })}</span>
          <Button tone="ghost" size="s" onClick={goOn}>
            {t('auth.login.carryOn')}
          </Button>
        </div>
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
              autoFocus={form.values.email === '' && mayTakeFocus()}
              placeholder={t('auth.emailPlaceholder')}
              maxLength={254}
              value={form.values.email}
              onChange={(event) => form.set('email', event.target.value)}
              onBlur={() => form.values.email !== '' && form.touch('email')}
            />
          )}
        </Field>
        <Field
          label={t('auth.password')}
          error={errorOf('password')}
          aside={
            <Link to="/forgot-password" className="text-sm font-medium text-accent-text hover:underline">
              {t('auth.login.forgot')}
            </Link>
          }
        >
          {(input) => (
            <PasswordInput
              {...input}
              name="password"
              autoComplete="current-password"
              autoFocus={form.values.email !== '' && mayTakeFocus()}
              value={form.values.password}
              onChange={(event) => form.set('password', event.target.value)}
            />
          )}
        </Field>
        <Button type="submit" size="l" className="mt-1 w-full" pending={form.pending}>
          {t('auth.login.submit')}
        </Button>
      </form>
      <p className="mt-5 text-center text-muted">
        {t('auth.login.noAccount')}{' '}
        <Link to="/register" className="font-semibold text-accent-text hover:underline">
          {t('auth.login.toRegister')}
        </Link>
      </p>
    </AuthLayout>
  );
}
