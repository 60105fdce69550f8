import { type MyFactors, promptFactors } from '../../../../data/factors.ts';
import { useUser } from '../../../../data/session.ts';
import { PasswordField } from '../../../../features/session/password-field.tsx';
import type { TextKey } from '../../../../i18n/areas.ts';
import { useT } from '../../../../i18n/i18n.ts';
import { Button } from '../../../../ui/button.tsx';
import { Dialog } from '../../../../ui/dialog.tsx';
import { FactorPrompt } from '../../../../ui/factor-prompt.tsx';
import { TextField } from '../../../../ui/fields.tsx';
import type { Form } from '../../../../ui/use-form.ts';
import type { FactorAction } from './factor-change.ts';
import { RecoveryCodes } from './recovery-codes.tsx';
import { TotpStep } from './totp-step.tsx';
import { needsName, useFactorChange, type Values } from './use-factor-change.ts';

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
  const { form, app, step, codes, busy, proceed, finish } = useFactorChange(action, factors, onClose);
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
        />
      )}
      {action.kind !== 'cancel-recovery' && (
        <PasswordField
          bound={form.input('password')}
          label={t('auth.password')}
          error={form.errors.password}
          autoComplete="current-password"
        />
      )}
      <Button type="submit" size="l" pending={form.pending || busy}>
        {t(`account.security.factors.submits.${action.kind}`)}
      </Button>
    </form>
  );
}
