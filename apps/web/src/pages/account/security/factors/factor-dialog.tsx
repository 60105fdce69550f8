import { useState } from 'react';
import { ApiFailure } from '../../../../data/api-failure.ts';
import { hasFactor, type MyFactors, promptFactors } from '../../../../data/factors.ts';
import { useUser } from '../../../../data/session.ts';
import { refreshCalls } from '../../../../data/use-api-query.ts';
import { PasswordField } from '../../../../features/session/password-field.tsx';
import { refuseField } from '../../../../features/session/refuse-field.ts';
import type { TextKey } from '../../../../i18n/areas.ts';
import { useT } from '../../../../i18n/i18n.ts';
import { Button } from '../../../../ui/button.tsx';
import { Dialog } from '../../../../ui/dialog.tsx';
import { FactorPrompt } from '../../../../ui/factor-prompt.tsx';
import { TextField } from '../../../../ui/fields.tsx';
import type { SecondFactor } from '../../../../ui/passkey.ts';
import { toast } from '../../../../ui/toast-store.ts';
import { type Form, useForm } from '../../../../ui/use-form.ts';
import { type FactorAction, type NewApp, prepareChange, type Step } from './factor-change.ts';
import { RecoveryCodes } from './recovery-codes.tsx';
import { TotpStep } from './totp-step.tsx';

type Values = { password: string; name: string };

const needsName = (action: FactorAction): boolean => action.kind === 'passkey' || action.kind === 'totp';
const HOUR_MS = 3_600_000;
const refusedFields = { WRONG_PASSWORD: { field: 'password', text: 'account.security.wrongPassword' } } as const;

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
  const [step, setStep] = useState<Step | null>(null);
  const [app, setApp] = useState<NewApp | null>(null);
  const [codes, setCodes] = useState<string[] | null>(null);
  const [busy, setBusy] = useState(false);

  async function finish(last: Step, factor: SecondFactor | undefined): Promise<void> {
    setBusy(true);
    try {
      const shown = await last.run(factor);
      toast.success(t('account.security.factors.done'));
      refresh();
      if (shown === null) onClose();
      else setCodes(shown);
    } catch (error) {
      // The change is made, and its codes are lost: only the server's refusals mean that nothing happened.
      if (!(error instanceof ApiFailure)) {
        toast.hold(toast.error(t('account.security.factors.codesNotOpened')));
        refresh();
        onClose();
      }
      // The reason is shown as a toast; a wrong password is typed again.
      const isField = refuseField<Values>(form, error, refusedFields);
      if (isField) setApp(null);
      // The code of a new app goes with the factor that agreed to it, and is old by the next try.
      if (isField || action.kind === 'totp') setStep(null);
    } finally {
      setBusy(false);
    }
  }

  /** Asks for a factor where one is enrolled, or acts at once. */
  async function proceed(next: Step): Promise<void> {
    if (next.intent !== null && hasFactor(factors)) setStep(next);
    else await finish(next, undefined);
  }

  const form = useForm<Values, TextKey>({
    initial: { password: '', name: '' },
    validate: (values) => validate(action, values),
    submit: async (values) => {
      try {
        const next = await prepareChange(action, values, factors, email);
        if (next === null) toast.error(t('account.security.factors.notCreated'));
        else if ('secret' in next) setApp(next);
        else await proceed(next);
      } catch (error) {
        if (error instanceof ApiFailure) refuseField<Values>(form, error, refusedFields);
        else toast.error(t('account.security.factors.secretNotOpened'));
      }
    },
  });

  const hours = Math.round(factors.recoveryDelayMs / HOUR_MS);
  const name = action.kind === 'remove' ? action.name : '';
  return (
    <Dialog
      open
      onClose={onClose}
      title={t(codes ? 'account.security.factors.codesTitle' : `account.security.factors.titles.${action.kind}`)}
      description={codes ? undefined : t(`account.security.factors.texts.${action.kind}`, { hours, name })}
      width={460}
      // Codes are shown once: neither they nor the call that makes them may be lost to a click beside the dialog.
      locked={form.pending || busy || codes !== null}
    >
      {codes ? (
        <RecoveryCodes codes={codes} email={email} onDone={onClose} />
      ) : step?.intent ? (
        <FactorPrompt
          {...promptFactors(factors)}
          intent={step.intent}
          busy={busy}
          onFactor={(factor) => void finish(step, factor)}
        />
      ) : app ? (
        <TotpStep secret={app.secret} email={email} busy={busy} onCode={(code) => void proceed(app.stepOf(code))} />
      ) : (
        <PasswordStep action={action} form={form} busy={busy} />
      )}
    </Dialog>
  );
}

function refresh(): void {
  void refreshCalls('getMyFactors', 'getMyAuditLog');
}

function validate(action: FactorAction, values: Values): { [Name in keyof Values]?: TextKey } {
  const lacksPassword = values.password === '' && action.kind !== 'cancel-recovery';
  return {
    ...(lacksPassword ? { password: 'auth.errors.passwordRequired' } : {}),
    ...(needsName(action) && values.name.trim() === '' ? { name: 'account.security.factors.nameRequired' } : {}),
  };
}

function PasswordStep({ action, form, busy }: { action: FactorAction; form: Form<Values, TextKey>; busy: boolean }) {
  const t = useT();
  return (
    <form className="flex flex-col gap-4" noValidate onSubmit={form.onSubmit}>
      {needsName(action) && (
        <TextField
          label={t('account.security.factors.name')}
          error={form.errors.name && t(form.errors.name)}
          hint={t('account.security.factors.nameHint')}
          {...form.input('name')}
          size="l"
          maxLength={60}
          autoFocus
        />
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
  );
}
