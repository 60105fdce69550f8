import { useState } from 'react';
import { api } from '../../../data/api.ts';
import { ApiFailure } from '../../../data/api-failure.ts';
import { queryClient } from '../../../data/query-client.ts';
import { useUser } from '../../../data/session.ts';
import { apiKey } from '../../../data/use-api-query.ts';
import { CodeField } from '../../../features/session/code-field.tsx';
import { codeError } from '../../../features/session/credentials.ts';
import { PasswordInput } from '../../../features/session/password-input.tsx';
import type { TextKey } from '../../../i18n/areas.ts';
import { useT } from '../../../i18n/i18n.ts';
import { Address } from '../../../ui/address.tsx';
import { Button } from '../../../ui/button.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { copyText } from '../../../ui/copy-text.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { Field } from '../../../ui/field.tsx';
import { CopyIcon, EyeIcon, EyeOffIcon } from '../../../ui/icons.tsx';
import { useForm } from '../../../ui/use-form.ts';

type Values = { password: string; verificationCode: string };
type Wallet = { address: string; privateKey: string };

/** Password and mailed code first. The key lives in this dialog's memory only and goes with it. */
export default function KeyDialog({ onClose }: { onClose: () => void }) {
  const t = useT();
  const email = useUser((user) => user?.email ?? '');
  const [wallet, setWallet] = useState<Wallet | null>(null);
  const form = useForm<Values, TextKey>({
    initial: { password: '', verificationCode: '' },
    validate: (values) => {
      const code = codeError(values.verificationCode);
      return {
        ...(values.password === '' ? { password: 'auth.errors.passwordRequired' as const } : {}),
        ...(code ? { verificationCode: code } : {}),
      };
    },
    submit: async (values) => {
      try {
        setWallet(await api.call('exportKey', values));
        void queryClient.invalidateQueries({ queryKey: apiKey('getMyAuditLog') });
      } catch (error) {
        if (!(error instanceof ApiFailure)) return;
        if (error.refusal === 'WRONG_CODE') form.refuse('verificationCode', 'auth.errors.codeWrong');
        if (error.refusal === 'WRONG_PASSWORD' || error.refusal === 'WRONG_CREDENTIALS') {
          form.refuse('password', 'account.security.wrongPassword');
        }
      }
    },
  });
  const { errors } = form;
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('account.security.keyTitle')}
      description={t('account.security.keyText')}
      width={480}
    >
      {wallet ? (
        <ShownKey wallet={wallet} />
      ) : (
        <form className="flex flex-col gap-4" noValidate onSubmit={form.onSubmit}>
          <Field label={t('auth.password')} error={errors.password && t(errors.password)}>
            {(input) => (
              <PasswordInput
                {...input}
                name="password"
                autoComplete="current-password"
                value={form.values.password}
                onChange={(event) => form.set('password', event.target.value)}
              />
            )}
          </Field>
          <CodeField
            purpose="export"
            email={email}
            value={form.values.verificationCode}
            error={errors.verificationCode && t(errors.verificationCode)}
            onValue={(code) => form.set('verificationCode', code)}
            onBlur={() => form.values.verificationCode !== '' && form.touch('verificationCode')}
            onEmailMissing={() => undefined}
          />
          <Button type="submit" size="l" pending={form.pending}>
            {t('account.security.showKey')}
          </Button>
        </form>
      )}
    </Dialog>
  );
}

function ShownKey({ wallet }: { wallet: Wallet }) {
  const t = useT();
  const [revealed, setRevealed] = useState(false);
  return (
    <div className="flex flex-col gap-4">
      <div>
        <h3 className="mb-1">{t('account.security.walletAddress')}</h3>
        <Address address={wallet.address} full />
      </div>
      <div className="relative rounded-m border border-line bg-bg p-3.5">
        {/* Until it is revealed the real key is not in the page at all: a blur alone would still be readable there. */}
        <p
          className={classNames(
            'min-h-[3.6em] font-mono text-sm leading-[1.8] break-all',
            !revealed && 'blur-[7px] select-none',
          )}
          aria-hidden={!revealed}
          data-testid="exported-key"
        >
          {revealed ? wallet.privateKey : '•'.repeat(wallet.privateKey.length)}
        </p>
        {!revealed && (
          <p className="absolute inset-0 grid place-items-center px-6 text-center text-sm text-muted">
            {t('account.security.keyHidden')}
          </p>
        )}
      </div>
      <div className="grid grid-cols-2 gap-2">
        <Button
          tone="ghost"
          icon={revealed ? <EyeOffIcon size={15} /> : <EyeIcon size={15} />}
          onClick={() => setRevealed(!revealed)}
        >
          {t(revealed ? 'account.security.hide' : 'account.security.reveal')}
        </Button>
        <Button
          tone="ghost"
          icon={<CopyIcon size={15} />}
          onClick={() => void copyText(wallet.privateKey, t('account.security.keyCopied'))}
        >
          {t('account.security.copyKey')}
        </Button>
      </div>
    </div>
  );
}
