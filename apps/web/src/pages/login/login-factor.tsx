import type { ErrorContext } from '@hunter/contract/error-catalogue';
import { useState } from 'react';
import { useT } from '../../i18n/i18n.ts';
import { FactorPrompt } from '../../ui/factor-prompt.tsx';
import { ownIntent, type SecondFactor } from '../../ui/passkey.ts';

export type WantedFactor = ErrorContext['LOGIN_FACTOR_REQUIRED'];

type LoginFactorProps = {
  wanted: WantedFactor;
  onFactor: (factor: SecondFactor) => Promise<void>;
  onBack: () => void;
};

/** The second step of a login, for accounts that ask for it. */
export default function LoginFactor({ wanted, onFactor, onBack }: LoginFactorProps) {
  const t = useT();
  const [busy, setBusy] = useState(false);
  return (
    <>
      <FactorPrompt
        {...wanted}
        intent={ownIntent('login', wanted.address, wanted.factorId)}
        busy={busy}
        onFactor={(factor) => {
          setBusy(true);
          void onFactor(factor).finally(() => setBusy(false));
        }}
      />
      <button
        type="button"
        className="mt-4 text-sm font-medium text-accent-text hover:underline"
        disabled={busy}
        onClick={onBack}
      >
        {t('auth.reset.back')}
      </button>
    </>
  );
}
