import { useState } from 'react';
import type { FormEvent } from 'react';
import { useT } from '../i18n/i18n.ts';
import { Button } from './button.tsx';
import { canUsePasskeys, type Intent, type SecondFactor, signIntent } from './passkey.ts';
import { TextField } from './fields.tsx';

type FactorPromptProps = {
  /** What the user has enrolled. */
  factors: readonly ('totp' | 'passkey')[];
  rpId: string;
  credentialIds: readonly string[];
  /** What a passkey signs: nothing else can be done with it. */
  intent: Intent;
  /** The factor is being used. */
  busy: boolean;
  /** Why the last one was refused. */
  error?: string | null;
  onFactor: (factor: SecondFactor) => void;
};

const CODE_LENGTH = 6;

/** Asks for a second factor: one touch of a passkey, or a code. A form of its own, so it stands outside of others. */
export function FactorPrompt({ factors, rpId, credentialIds, intent, busy, error, onFactor }: FactorPromptProps) {
  const t = useT();
  const [isRecovery, setRecovery] = useState(false);
  const [isWaiting, setWaiting] = useState(false);
  const [failed, setFailed] = useState(false);
  const hasPasskey = factors.includes('passkey');
  const isPasskeyHere = hasPasskey && canUsePasskeys(rpId);
  const hasCode = factors.includes('totp') && !isRecovery;

  async function touch(): Promise<void> {
    setWaiting(true);
    setFailed(false);
    try {
      onFactor(await signIntent(intent, { rpId, credentialIds }));
    } catch {
      setFailed(true);
    } finally {
      setWaiting(false);
    }
  }

  const shownError = failed ? t('ui.factor.notUsed') : error;
  return (
    <div className="flex flex-col gap-4" data-testid="factor-prompt">
      {isPasskeyHere && (
        <Button
          size="l"
          pending={isWaiting || (busy && !hasCode && !isRecovery)}
          disabled={busy}
          onClick={() => void touch()}
        >
          {t('ui.factor.usePasskey')}
        </Button>
      )}
      {hasPasskey && !isPasskeyHere && (
        <p className="text-sm text-muted">{t('ui.factor.passkeyAt', { domain: rpId })}</p>
      )}
      {isPasskeyHere && (hasCode || isRecovery) && (
        <p className="text-center text-sm text-faint">{t('ui.factor.or')}</p>
      )}
      {(hasCode || isRecovery) && (
        <CodeForm key={String(isRecovery)} kind={isRecovery ? 'recovery' : 'totp'} busy={busy} onFactor={onFactor} />
      )}
      {shownError && (
        <p role="alert" className="text-sm text-down">
          {shownError}
        </p>
      )}
      <button
        type="button"
        className="self-start text-sm font-medium text-accent-text hover:underline"
        onClick={() => setRecovery(!isRecovery)}
      >
        {t(isRecovery ? 'ui.factor.noRecovery' : 'ui.factor.recovery')}
      </button>
    </div>
  );
}

function CodeForm({
  kind,
  busy,
  onFactor,
}: {
  kind: 'totp' | 'recovery';
  busy: boolean;
  onFactor: (factor: SecondFactor) => void;
}) {
  const t = useT();
  const [code, setCode] = useState('');
  const isTotp = kind === 'totp';
  const isWhole = isTotp ? code.length === CODE_LENGTH : code.trim() !== '';

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (!isWhole || busy) return;
    onFactor({ kind, code: code.trim() });
    // Each code counts once, so there is no use in leaving it there.
    setCode('');
  }

  return (
    <form className="flex flex-col gap-3" noValidate onSubmit={submit}>
      <TextField
        label={t(isTotp ? 'ui.factor.code' : 'ui.factor.recoveryCode')}
        size="l"
        value={code}
        onChange={({ target: { value } }) =>
          setCode(isTotp ? value.replace(/\D/g, '').slice(0, CODE_LENGTH) : value.slice(0, 40))
        }
        inputMode={isTotp ? 'numeric' : 'text'}
        autoComplete={isTotp ? 'one-time-code' : 'off'}
        autoFocus
        inputClassName="num tracking-[0.12em]"
      />
      <Button type="submit" size="l" tone="ghost" pending={busy} disabled={!isWhole}>
        {t('ui.factor.confirm')}
      </Button>
    </form>
  );
}
