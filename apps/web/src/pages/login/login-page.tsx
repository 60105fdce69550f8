import { getRouteApi, Link, useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { ApiFailure } from '../../data/api-failure.ts';
import { api } from '../../data/api.ts';
import { session, useUser } from '../../data/session.ts';
import { AuthDetour, AuthForm } from '../../features/session/auth-form.tsx';
import { AuthLayout } from '../../features/session/auth-layout.tsx';
import { validateLogin } from '../../features/session/credentials.ts';
import type { LoginValues } from '../../features/session/credentials.ts';
import { EmailField } from '../../features/session/email-field.tsx';
import { PasswordField } from '../../features/session/password-field.tsx';
import { useT } from '../../i18n/i18n.ts';
import type { TextKey } from '../../i18n/areas.ts';
import { safeRedirect } from '../../safe-redirect.ts';
import { late } from '../../ui/late.tsx';
import { Button } from '../../ui/button.tsx';
import { mayTakeFocus } from '../../ui/may-take-focus.ts';
import type { SecondFactor } from '../../ui/passkey.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { toast } from '../../ui/toast-store.ts';
import { useForm } from '../../ui/use-form.ts';
import type { WantedFactor } from './login-factor.tsx';

// Most people are in with their password alone.
const LoginFactor = late(() => import('./login-factor.tsx'), { fallback: <Skeleton height={96} /> });

const route = getRouteApi('/login');

export default function LoginPage() {
  const t = useT();
  const router = useRouter();
  const user = useUser();
  const search = route.useSearch();
  const { redirect } = search;
  const goOn = () => router.history.push(safeRedirect(redirect));

  const [frozen, setFrozen] = useState(false);
  const [wanted, setWanted] = useState<WantedFactor | null>(null);
  const form = useForm<LoginValues, TextKey>({
    initial: { email: session.rememberedEmail() ?? '', password: '' },
    validate: validateLogin,
    submit: (values) => logIn(values, {}),
  });

  async function logIn(
    { email, password }: LoginValues,
    confirmed: { factorId?: string; factor?: SecondFactor },
  ): Promise<void> {
    try {
      session.setUser(await api.call('login', { email: email.trim(), password, ...confirmed }));
      toast.dismissErrors();
    } catch (error) {
      // The reason is shown as a toast. A wrong password is typed again, the address is probably right.
      const refusal = error instanceof ApiFailure ? error.refusal : null;
      if (refusal === 'WRONG_CREDENTIALS') form.clear('password');
      setFrozen(refusal === 'ACCOUNT_FROZEN');
      // What it says about the factor, the server alone has written.
      if (refusal === 'LOGIN_FACTOR_REQUIRED') setWanted((error as { reason: { data: WantedFactor } }).reason.data);
      return;
    }
    goOn();
  }

  return (
    <AuthLayout title={t('auth.login.title')} text={t(redirect ? 'auth.login.sent' : 'auth.login.text')}>
      {user && <CarryOn email={user.email} onCarryOn={goOn} />}
      {wanted ? (
        <LoginFactor
          wanted={wanted}
          onFactor={(factor) => logIn(form.values, { factorId: wanted.factorId, factor })}
          onBack={() => setWanted(null)}
        />
      ) : (
        <AuthForm form={form} submit={t('auth.login.submit')}>
          <EmailField
            bound={form.input('email')}
            error={form.errors.email}
            autoFocus={form.values.email === '' && mayTakeFocus()}
          />
          <PasswordField
            bound={form.input('password')}
            label={t('auth.password')}
            error={form.errors.password}
            autoComplete="current-password"
            autoFocus={form.values.email !== '' && mayTakeFocus()}
            aside={
              <Link to="/forgot-password" className="text-sm font-medium text-accent-text hover:underline">
                {t('auth.login.forgot')}
              </Link>
            }
          />
        </AuthForm>
      )}
      {frozen && <AuthDetour to="/unfreeze" question={t('auth.unfreeze.frozen')} link={t('auth.unfreeze.submit')} />}
      <ToRegister search={search} />
    </AuthLayout>
  );
}

function ToRegister({ search }: { search: { redirect?: string } }) {
  const t = useT();
  return (
    <AuthDetour to="/register" search={search} question={t('auth.login.noAccount')} link={t('auth.login.toRegister')} />
  );
}

function CarryOn({ email, onCarryOn }: { email: string; onCarryOn: () => void }) {
  const t = useT();
  return (
    <div className="mb-5 flex items-center justify-between gap-3 rounded-m border border-line bg-bg px-3.5 py-2.5">
      <span className="min-w-0 truncate text-muted">{t('auth.login.already', { email })}</span>
      <Button tone="ghost" size="s" onClick={onCarryOn}>
        {t('auth.login.carryOn')}
      </Button>
    </div>
  );
}
