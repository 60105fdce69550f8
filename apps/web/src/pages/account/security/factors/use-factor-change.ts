import { useState } from 'react';
import { ApiFailure } from '../../../../data/api-failure.ts';
import { hasFactor, type MyFactors } from '../../../../data/factors.ts';
import { useUser } from '../../../../data/session.ts';
import { refreshCalls } from '../../../../data/use-api-query.ts';
import { refuseField } from '../../../../features/session/refuse-field.ts';
import type { TextKey } from '../../../../i18n/areas.ts';
import { useT } from '../../../../i18n/i18n.ts';
import type { SecondFactor } from '../../../../ui/passkey.ts';
import { toast } from '../../../../ui/toast-store.ts';
import { useForm } from '../../../../ui/use-form.ts';
import { type FactorAction, type NewApp, prepareChange, type Step } from './factor-change.ts';

export type Values = { password: string; name: string };

export const needsName = (action: FactorAction): boolean => action.kind === 'passkey' || action.kind === 'totp';
const refusedFields = { WRONG_PASSWORD: { field: 'password', text: 'account.security.wrongPassword' } } as const;

/** How far a change of the factors has come: what stands in its way next, and the new codes once it is made. */
export function useFactorChange(action: FactorAction, factors: MyFactors, onClose: () => void) {
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

  return { form, app, step, codes, busy, proceed, finish };
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
