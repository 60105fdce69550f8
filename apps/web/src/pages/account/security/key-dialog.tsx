import { useState } from 'react';
import { api } from '../../../data/api.ts';
import { queryClient } from '../../../data/query-client.ts';
import { useUser } from '../../../data/session.ts';
import { apiKey } from '../../../data/use-api-query.ts';
import { CodeField } from '../../../features/session/code-field.tsx';
import { codeError } from '../../../features/session/credentials.ts';
import { HiddenKey } from '../../../features/session/hidden-key.tsx';
import { PasswordField } from '../../../features/session/password-field.tsx';
import { refuseField } from '../../../features/session/refuse-field.ts';
import type { RefusedFields } from '../../../features/session/refuse-field.ts';
import type { TextKey } from '../../../i18n/areas.ts';
import { useT } from '../../../i18n/i18n.ts';
import { Address } from '../../../ui/address.tsx';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { useForm } from '../../../ui/use-form.ts';

type Values = { password: string; verificationCode: string };
type Wallet = { address: string; privateKey: string };

const refusedFields: RefusedFields<Values> = {
  WRONG_CODE: { field: 'verificationCode', text: 'auth.errors.codeWrong' },
  WRONG_PASSWORD: { field: 'password', text: 'account.security.wrongPassword' },
  WRONG_CREDENTIALS: { field: 'password', text: 'account.security.wrongPassword' },
};

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
        refuseField<Values>(form, error, refusedFields);
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
          <PasswordField
            bound={form.input('password')}
            label={t('auth.password')}
            error={errors.password}
            autoComplete="current-password"
          />
          <CodeField
            purpose="export"
            email={email}
            bound={form.input('verificationCode')}
            error={errors.verificationCode}
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
  return (
    <div className="flex flex-col gap-4">
      <div>
        <h3 className="mb-1">{t('account.security.walletAddress')}</h3>
        <Address address={wallet.address} full />
      </div>
      <div>
        <HiddenKey privateKey={wallet.privateKey} />
      </div>
    </div>
  );
}
