import { useState } from 'react';
import { ApiFailure } from '../../../data/api-failure.ts';
import { api } from '../../../data/api.ts';
import { useUser } from '../../../data/session.ts';
import { hasFactor, promptFactors } from '../../../data/factors.ts';
import { randomUuid } from '../../../data/random-key.ts';
import { newSealKey, openReply } from '../../../data/sealed-reply.ts';
import { refreshCalls, useApiQuery } from '../../../data/use-api-query.ts';
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
import { FactorPrompt } from '../../../ui/factor-prompt.tsx';
import type { SecondFactor } from '../../../ui/passkey.ts';
import { toast } from '../../../ui/toast-store.ts';
import { type Form, useForm } from '../../../ui/use-form.ts';

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
  const [confirming, setConfirming] = useState<{ values: Values; id: string } | null>(null);
  const [busy, setBusy] = useState(false);
  const factors = useApiQuery('getMyFactors', {}, { quiet: true });
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
      if (factors.data && hasFactor(factors.data)) setConfirming({ values, id: randomUuid() });
      else await show(values, {});
    },
  });

  async function show(values: Values, confirmed: { id?: string; factor?: SecondFactor }): Promise<void> {
    setBusy(true);
    try {
      const key = await newSealKey();
      const request = { ...values, ...confirmed, ...(key && { sealTo: key.sealTo }) };
      const { address, privateKey } = await api.call('exportKey', request);
      setWallet({ address, privateKey: await openReply(key, privateKey, 'private-key', address) });
      void refreshCalls('getMyAuditLog');
    } catch (error) {
      // A wrong factor is tried again right there; what is about a field of the form leads back to it.
      const isFactor = error instanceof ApiFailure && error.refusal === 'SECOND_FACTOR_WRONG';
      setConfirming((before) => (before && isFactor ? { ...before, id: randomUuid() } : null));
      if (error instanceof ApiFailure && error.refusal === 'KEY_EXPORT_DELAYED') {
        void refreshCalls('getMyFactors');
        onClose();
      }
      // Whatever is not the server's refusal is a key that did not open.
      if (error instanceof ApiFailure) refuseField<Values>(form, error, refusedFields);
      else toast.error(t('account.security.keyNotOpened'));
    } finally {
      setBusy(false);
    }
  }

  return (
    <Dialog
      open
      onClose={onClose}
      title={t('account.security.keyTitle')}
      description={t(wallet ? 'account.security.keyShownText' : 'account.security.keyText')}
      width={480}
      locked={busy}
    >
      {wallet ? (
        <ShownKey wallet={wallet} />
      ) : confirming && factors.data ? (
        <FactorPrompt
          {...promptFactors(factors.data)}
          intent={{ kind: 'export', asset: 'SOL', destination: factors.data.address, amount: '0', id: confirming.id }}
          busy={busy}
          onFactor={(factor) => void show(confirming.values, { id: confirming.id, factor })}
        />
      ) : (
        <KeyRequest form={form} email={email} isReady={!factors.isPending} />
      )}
    </Dialog>
  );
}

/** What the account is asked for before its key is shown. */
function KeyRequest({ form, email, isReady }: { form: Form<Values, TextKey>; email: string; isReady: boolean }) {
  const t = useT();
  const { errors } = form;
  return (
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
      <Button type="submit" size="l" pending={form.pending} disabled={!isReady}>
        {t('account.security.showKey')}
      </Button>
    </form>
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
      <div className="flex flex-col gap-2">
        <HiddenKey privateKey={wallet.privateKey} />
      </div>
    </div>
  );
}
