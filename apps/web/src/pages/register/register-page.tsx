import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useId, useState } from 'react';
import { api } from '../../data/api.ts';
import { newSealKey, openReply } from '../../data/sealed-reply.ts';
import { useAppConfig } from '../../data/app-config.ts';
import { session } from '../../data/session.ts';
import { AuthDetour, AuthForm } from '../../features/session/auth-form.tsx';
import { AuthLayout } from '../../features/session/auth-layout.tsx';
import { CodeField } from '../../features/session/code-field.tsx';
import { validateRegister } from '../../features/session/credentials.ts';
import type { RegisterValues } from '../../features/session/credentials.ts';
import { EmailField } from '../../features/session/email-field.tsx';
import { keepNewWallet } from '../../features/session/new-wallet.ts';
import { NewPasswordFields } from '../../features/session/new-password-fields.tsx';
import { refuseField } from '../../features/session/refuse-field.ts';
import type { RefusedFields } from '../../features/session/refuse-field.ts';
import { safeRedirect } from '../../safe-redirect.ts';
import { loadAreas, useI18n } from '../../i18n/i18n.ts';
import type { Translate } from '../../i18n/i18n.ts';
import type { TextKey } from '../../i18n/areas.ts';
import { late } from '../../ui/late.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { Field } from '../../ui/field.tsx';
import { InfoIcon } from '../../ui/icons.tsx';
import { mayTakeFocus } from '../../ui/may-take-focus.ts';
import { TextInput } from '../../ui/text-input.tsx';
import { toast } from '../../ui/toast-store.ts';
import { useForm } from '../../ui/use-form.ts';

const TermsDialog = late(() => import('./terms-dialog.tsx'), { texts: ['terms'] });

const refusedFields: RefusedFields<RegisterValues> = {
  WRONG_CODE: { field: 'verificationCode', text: 'auth.errors.codeWrong' },
  WRONG_INVITE: { field: 'inviteCode', text: 'auth.errors.inviteWrong' },
  PASSWORDS_DIFFER: { field: 'confirmPassword', text: 'auth.errors.passwordsDiffer' },
  PASSWORD_TOO_WEAK: { field: 'password', text: 'auth.errors.passwordWeak' },
  AGREEMENT_REQUIRED: { field: 'agreement', text: 'auth.errors.agreementRequired' },
};

const route = getRouteApi('/register');

export default function RegisterPage() {
  const { t } = useI18n();
  const search = route.useSearch();
  const navigate = useNavigate();
  const config = useAppConfig();
  const form = useForm<RegisterValues, TextKey>({
    initial: { email: '', password: '', confirmPassword: '', verificationCode: '', inviteCode: '', agreement: false },
    validate: validateRegister,
    submit: async (values) => {
      try {
        await register(values, safeRedirect(search.redirect), t);
      } catch (error) {
        refuseField<RegisterValues>(form, error, refusedFields);
        return;
      }
      void navigate({ to: '/register-success', replace: true });
    },
  });
  const { errors, values } = form;

  return (
    <AuthLayout title={t('auth.register.title')} text={t('auth.register.text')}>
      {config?.mode === 'local' && (
        <LocalHints
          inviteCode={config.inviteCode}
          onUseInvite={(code) => form.set('inviteCode', code)}
          used={values.inviteCode === config.inviteCode}
        />
      )}
      <AuthForm form={form} submit={t('auth.register.submit')}>
        <EmailField bound={form.input('email')} error={errors.email} autoFocus={mayTakeFocus()} />
        <NewPasswordFields
          form={form}
          email={values.email}
          label={t('auth.password')}
          confirmLabel={t('auth.confirmPassword')}
        />
        <CodeField
          purpose="register"
          email={values.email}
          bound={form.input('verificationCode')}
          error={errors.verificationCode}
          onEmailMissing={() => form.touch('email')}
        />
        <Field label={t('auth.invite')} error={errors.inviteCode && t(errors.inviteCode)}>
          {(input) => <TextInput {...input} {...form.input('inviteCode')} size="l" autoComplete="off" maxLength={40} />}
        </Field>
        <Agreement
          checked={values.agreement}
          error={errors.agreement}
          onChecked={(checked) => form.set('agreement', checked)}
        />
      </AuthForm>
      <AuthDetour
        to="/login"
        search={search}
        question={t('auth.register.haveAccount')}
        link={t('auth.register.toLogin')}
      />
    </AuthLayout>
  );
}

/** Opens the account; the key of its wallet is kept for the next page, which shows it. */
async function register(values: RegisterValues, goOn: string, t: Translate): Promise<void> {
  const key = await newSealKey();
  const { wallet, ...user } = await api.call('register', {
    ...values,
    ...(key && { sealTo: key.sealTo }),
    email: values.email.trim(),
    inviteCode: values.inviteCode.trim(),
  });
  const { address } = wallet;
  await openReply(key, wallet.privateKey, 'private-key', address).then(
    (privateKey) => keepNewWallet({ address, privateKey, goOn }),
    // The account is there all the same, and its key can be shown again.
    async () => {
      await loadAreas(['newWallet']);
      toast.hold(toast.error(t('newWallet.notOpened')));
    },
  );
  session.setUser(user);
}

function Agreement({
  checked,
  error,
  onChecked,
}: {
  checked: boolean;
  error: TextKey | undefined;
  onChecked: (checked: boolean) => void;
}) {
  const { t } = useI18n();
  const errorId = useId();
  const [termsOpen, setTermsOpen] = useState(false);
  return (
    <div className="flex flex-col gap-1.5">
      <Checkbox
        name="agreement"
        checked={checked}
        onChecked={onChecked}
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? errorId : undefined}
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
      {error && (
        <p id={errorId} role="alert" className="text-sm text-down">
          {t(error)}
        </p>
      )}
      {termsOpen && (
        <TermsDialog
          onClose={() => setTermsOpen(false)}
          onAccept={() => {
            onChecked(true);
            setTermsOpen(false);
          }}
        />
      )}
    </div>
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
