import { useState } from 'react';
import { api } from '../../../../data/api.ts';
import { hasFactor, type MyFactors, promptFactors } from '../../../../data/factors.ts';
import { queryClient } from '../../../../data/query-client.ts';
import { randomUuid } from '../../../../data/random-key.ts';
import { newSealKey, openReply, type SealKey } from '../../../../data/sealed-reply.ts';
import { useUser } from '../../../../data/session.ts';
import { apiKey } from '../../../../data/use-api-query.ts';
import { PasswordField } from '../../../../features/session/password-field.tsx';
import { refuseField } from '../../../../features/session/refuse-field.ts';
import type { TextKey } from '../../../../i18n/areas.ts';
import { useT } from '../../../../i18n/i18n.ts';
import { Button } from '../../../../ui/button.tsx';
import { Dialog } from '../../../../ui/dialog.tsx';
import { FactorPrompt } from '../../../../ui/factor-prompt.tsx';
import { Field } from '../../../../ui/field.tsx';
import { createPasskey, type Intent, ownIntent, type SecondFactor } from '../../../../ui/passkey.ts';
import { TextInput } from '../../../../ui/text-input.tsx';
import { toast } from '../../../../ui/toast-store.ts';
import { useForm } from '../../../../ui/use-form.ts';
import { RecoveryCodes } from './recovery-codes.tsx';
import { TotpStep } from './totp-step.tsx';

export type FactorAction =
  | { kind: 'passkey' }
  | { kind: 'totp' }
  | { kind: 'remove'; id: string; name: string }
  | { kind: 'codes' }
  | { kind: 'login-rule'; on: boolean }
  | { kind: 'recover' }
  | { kind: 'cancel-recovery' }
  | { kind: 'finish-recovery' };

type Values = { password: string; name: string };
type CodesReply = { recoveryCodes: string[] | { publicKey: string; box: string } | null };

/** What is left to do once a factor has agreed; `intent` is null where none has to. */
type Agreed = { intent: Intent | null; run: (factor: SecondFactor | undefined) => Promise<void> };

const needsName = (action: FactorAction): boolean => action.kind === 'passkey' || action.kind === 'totp';
const HOUR_MS = 3_600_000;

/** Password first; then whatever makes the change; then an enrolled factor agrees to exactly that. */
export default function FactorDialog({
  action,
  factors,
  onClose,
}: {
  action: FactorAction;
  factors: MyFactors;
  onClose: () => void;
}) {
  const t = useT();
  const email = useUser((user) => user?.email ?? '');
  const { address, rpId } = factors;
  const [agreed, setAgreed] = useState<Agreed | null>(null);
  const [totp, setTotp] = useState<{ secret: string; confirm: (code: string) => Promise<void> } | null>(null);
  const [codes, setCodes] = useState<string[] | null>(null);
  const [busy, setBusy] = useState(false);

  async function finish(step: Agreed, factor: SecondFactor | undefined): Promise<void> {
    setBusy(true);
    try {
      await step.run(factor);
      for (const call of ['getMyFactors', 'getMyAuditLog'] as const) {
        void queryClient.invalidateQueries({ queryKey: apiKey(call) });
      }
    } catch (error) {
      // The reason is shown as a toast; a wrong password is typed again.
      const isField = refuseField<Values>(form, error, refusedFields);
      if (isField) setTotp(null);
      // The code of a new app goes with the factor that agreed to it, and is old by the next try.
      if (isField || action.kind === 'totp') setAgreed(null);
    } finally {
      setBusy(false);
    }
  }

  /** Asks for a factor where one is enrolled, or acts at once. */
  function proceed(step: Agreed): Promise<void> {
    if (step.intent === null || !hasFactor(factors)) return finish(step, undefined);
    setAgreed(step);
    return Promise.resolve();
  }

  async function showCodes(key: SealKey | null, { recoveryCodes }: CodesReply): Promise<void> {
    toast.success(t('account.security.factors.done'));
    if (recoveryCodes === null) return onClose();
    setAgreed(null);
    setTotp(null);
    setCodes(
      Array.isArray(recoveryCodes)
        ? recoveryCodes
        : (await openReply(key, recoveryCodes, 'recovery-codes', address)).split('\n'),
    );
  }

  function done(): void {
    toast.success(t('account.security.factors.done'));
    onClose();
  }

  async function begin({ password, name }: Values): Promise<void> {
    const key = await newSealKey();
    const sealing = key === null ? {} : { sealTo: key.sealTo };
    const id = randomUuid();
    const withFactor = (factor: SecondFactor | undefined) => ({ password, ...(factor && { factor }) });
    switch (action.kind) {
      case 'passkey': {
        const existing = factors.passkeys.map((passkey) => passkey.id);
        const created = await createPasskey(ownIntent('register-passkey', address, id), {
          rpId,
          email,
          existing,
        }).catch(() => null);
        if (created === null) {
          toast.error(t('account.security.factors.notCreated'));
          return;
        }
        const { credentialId, ...made } = created;
        return proceed({
          intent: ownIntent('enrol', address, credentialId),
          run: async (factor) => {
            const request = { ...withFactor(factor), ...made, ...sealing, id, name: name.trim() };
            await showCodes(key, await api.call('enrolPasskey', request));
          },
        });
      }
      case 'totp': {
        const started = await api.call('startTotp', { password, ...sealing });
        const secret = await openReply(key, started.secret, 'totp-secret', address);
        const confirm = (code: string): Promise<void> =>
          proceed({
            intent: ownIntent('enrol', address, started.id),
            run: async (factor) => {
              const request = { ...withFactor(factor), ...sealing, id: started.id, code, name: name.trim() };
              await showCodes(key, await api.call('confirmTotp', request));
            },
          });
        return setTotp({ secret, confirm });
      }
      case 'remove':
        return proceed({
          intent: ownIntent('remove', address, action.id),
          run: async (factor) => {
            await api.call('removeFactor', { ...withFactor(factor), id: action.id });
            done();
          },
        });
      case 'codes':
        return proceed({
          intent: ownIntent('codes', address, id),
          run: async (factor) =>
            showCodes(key, await api.call('renewRecoveryCodes', { ...withFactor(factor), ...sealing, id })),
        });
      case 'login-rule':
        return proceed({
          intent: ownIntent('login-rule', address, id, action.on ? 'on' : 'off'),
          run: async (factor) => {
            await api.call('setLoginRule', { ...withFactor(factor), id, on: action.on });
            done();
          },
        });
      case 'recover':
      case 'cancel-recovery':
      case 'finish-recovery':
        return proceed({
          intent: null,
          run: async () => {
            if (action.kind === 'recover') await api.call('startRecovery', { password });
            else if (action.kind === 'finish-recovery') await api.call('finishRecovery', { password });
            else await api.call('cancelRecovery', {});
            done();
          },
        });
    }
  }

  const form = useForm<Values, TextKey>({
    initial: { password: '', name: '' },
    validate: (values) => ({
      ...(values.password === '' && action.kind !== 'cancel-recovery'
        ? { password: 'auth.errors.passwordRequired' as const }
        : {}),
      ...(needsName(action) && values.name.trim() === ''
        ? { name: 'account.security.factors.nameRequired' as const }
        : {}),
    }),
    submit: async (values) => {
      try {
        await begin(values);
      } catch (error) {
        refuseField<Values>(form, error, refusedFields);
      }
    },
  });

  const hours = Math.round(factors.recoveryDelayMs / HOUR_MS);
  return (
    <Dialog
      open
      onClose={onClose}
      title={t(`account.security.factors.titles.${action.kind}`)}
      description={
        codes ? undefined : t(`account.security.factors.texts.${action.kind}`, { hours, name: nameOf(action) })
      }
      width={460}
    >
      {codes ? (
        <RecoveryCodes codes={codes} email={email} onDone={onClose} />
      ) : agreed?.intent ? (
        <FactorPrompt
          {...promptFactors(factors)}
          intent={agreed.intent}
          busy={busy}
          onFactor={(factor) => void finish(agreed, factor)}
        />
      ) : totp ? (
        <TotpStep secret={totp.secret} email={email} busy={busy} onCode={(code) => void totp.confirm(code)} />
      ) : (
        <form className="flex flex-col gap-4" noValidate onSubmit={form.onSubmit}>
          {needsName(action) && (
            <Field
              label={t('account.security.factors.name')}
              error={form.errors.name && t(form.errors.name)}
              hint={t('account.security.factors.nameHint')}
            >
              {(input) => <TextInput {...input} {...form.input('name')} size="l" maxLength={60} autoFocus />}
            </Field>
          )}
          {action.kind !== 'cancel-recovery' && (
            <PasswordField
              bound={form.input('password')}
              label={t('auth.password')}
              error={form.errors.password}
              autoComplete="current-password"
              autoFocus={!needsName(action)}
            />
          )}
          <Button type="submit" size="l" pending={form.pending || busy}>
            {t(`account.security.factors.submits.${action.kind}`)}
          </Button>
        </form>
      )}
    </Dialog>
  );
}

function nameOf(action: FactorAction): string {
  return action.kind === 'remove' ? action.name : '';
}

const refusedFields = {
  WRONG_PASSWORD: { field: 'password', text: 'account.security.wrongPassword' },
} as const;
