import { useState } from 'react';
import { ApiFailure } from '../../data/api-failure.ts';
import { attempt, isUnknown } from '../../data/attempts.ts';
import { refreshCalls } from '../../data/use-api-query.ts';
import type { Failure } from '../../data/use-money-action.ts';
import { useT } from '../../i18n/i18n.ts';
import { toast } from '../../ui/toast-store.ts';
import { capitalProblem, createRequest, durationProblem, emptyForm, nameFits } from './strategy-form.ts';
import type { StrategyForm } from './strategy-form.ts';
import { weightsProblem } from './weights.ts';

export const steps = ['about', 'coins', 'capital'] as const;
export type Step = (typeof steps)[number];

/** What was entered, the step that one is at, and the purchase at the end of the last one. */
export function useCreateStrategy(available: string | null, onCreated: (slug: string) => void) {
  const t = useT();
  const [form, setForm] = useState<StrategyForm>(emptyForm);
  const [step, setStep] = useState<Step>('about');
  const [checked, setChecked] = useState<ReadonlySet<Step>>(new Set());
  const [pending, setPending] = useState(false);
  const [failed, setFailed] = useState<Failure | null>(null);
  const [nameTaken, setNameTaken] = useState(false);

  const ready: Record<Step, boolean> = {
    about: nameFits(form.name) && durationProblem(form) === null && !nameTaken,
    coins: weightsProblem(form.coins) === null,
    capital: capitalProblem(form, available) === null,
  };

  function set(change: Partial<StrategyForm>): void {
    setForm((old) => ({ ...old, ...change }));
    setFailed(null);
    if (change.name !== undefined) setNameTaken(false);
  }

  async function goOn(): Promise<void> {
    setChecked((old) => new Set(old).add(step));
    if (!ready[step] || pending) return;
    const next = steps[steps.indexOf(step) + 1];
    if (next) return setStep(next);
    setPending(true);
    setFailed(null);
    try {
      const { slug, orders } = await attempt('createStrategy', createRequest(form));
      const unbought = orders.filter(({ status }) => status === 'failed' || status === 'dead').length;
      if (unbought > 0) toast.error(t('create.partly', { count: unbought }));
      else toast.success(t('create.success'));
      refresh();
      onCreated(slug);
    } catch (error) {
      setPending(false);
      if (isUnknown(error)) refresh();
      if (error instanceof ApiFailure && error.refusal === 'NAME_TAKEN') {
        setNameTaken(true);
        setStep('about');
      } else {
        setFailed(isUnknown(error) ? 'unknown' : 'failed');
      }
    }
  }

  return { form, set, step, setStep, checked, nameTaken, pending, failed, goOn };
}

function refresh(): void {
  void refreshCalls('getStrategyList', 'getMyAccount', 'getMyPositions', 'getMyTradeRecord');
}
