import { useState } from 'react';
import { ApiFailure } from '../../data/api-failure.ts';
import { attempt, isUnknown } from '../../data/attempts.ts';
import { useUser } from '../../data/session.ts';
import { refreshCalls } from '../../data/use-api-query.ts';
import { useT } from '../../i18n/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Form } from '../../ui/form.tsx';
import { CheckIcon } from '../../ui/icons.tsx';
import { amountProblem, tidyAmount } from '../../ui/sol-amount.ts';
import { SolField } from '../../ui/sol-field.tsx';
import { toast } from '../../ui/toast-store.ts';
import { Warning } from '../../ui/warning.tsx';
import { AboutStep } from './about-step.tsx';
import { BuyPreview } from './buy-preview.tsx';
import { capitalProblem, createRequest, durationProblem, emptyForm, nameFits } from './strategy-form.ts';
import type { StrategyForm } from './strategy-form.ts';
import { targetCoins, weightsProblem } from './weights.ts';
import { WeightsEditor } from './weights-editor.tsx';

const steps = ['about', 'coins', 'capital'] as const;
type Step = (typeof steps)[number];
type Failure = 'failed' | 'unknown' | null;

/** Three steps: what it is, what it holds, how much goes in. Nothing is bought before the last one is confirmed. */
export default function CreateDialog({
  onClose,
  onCreated,
}: {
  onClose: () => void;
  onCreated: (slug: string) => void;
}) {
  const t = useT();
  const available = useUser((user) => user?.walletInfo?.available ?? null);
  const [form, setForm] = useState<StrategyForm>(emptyForm);
  const [step, setStep] = useState<Step>('about');
  const [checked, setChecked] = useState<ReadonlySet<Step>>(new Set());
  const [pending, setPending] = useState(false);
  const [failed, setFailed] = useState<Failure>(null);
  const [nameTaken, setNameTaken] = useState(false);

  const at = steps.indexOf(step);
  const capital = tidyAmount(form.capital);
  const problem = capitalProblem(form, available);
  const ready: Record<Step, boolean> = {
    about: nameFits(form.name) && durationProblem(form) === null && !nameTaken,
    coins: weightsProblem(form.coins) === null,
    capital: problem === null,
  };

  function set(change: Partial<StrategyForm>): void {
    setForm((old) => ({ ...old, ...change }));
    setFailed(null);
    if (change.name !== undefined) setNameTaken(false);
  }

  async function goOn(): Promise<void> {
    setChecked((old) => new Set(old).add(step));
    if (!ready[step] || pending) return;
    const next = steps[at + 1];
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

  return (
    <Dialog
      open
      onClose={onClose}
      locked={pending}
      width={560}
      title={t('create.title')}
      footer={
        <>
          {at > 0 && (
            <Button tone="ghost" className="mr-auto" disabled={pending} onClick={() => setStep(steps[at - 1] as Step)}>
              {t('create.back')}
            </Button>
          )}
          <Button type="submit" form="create-strategy" pending={pending}>
            {step !== 'capital'
              ? t('create.next')
              : problem === null
                ? t('create.submit', { amount: capital })
                : t('create.submitEmpty')}
          </Button>
        </>
      }
    >
      <StepLine step={step} onStep={setStep} locked={pending} />
      <Form id="create-strategy" className="min-h-72" onSubmit={() => void goOn()}>
        {step === 'about' && <AboutStep form={form} set={set} checked={checked.has('about')} nameTaken={nameTaken} />}
        {step === 'coins' && <WeightsEditor coins={form.coins} onCoins={(coins) => set({ coins })} />}
        {step === 'capital' && (
          <CapitalStep
            form={form}
            set={set}
            available={available}
            checked={checked.has('capital')}
            pending={pending}
            failed={failed}
          />
        )}
      </Form>
    </Dialog>
  );
}

function CapitalStep({
  form,
  set,
  available,
  checked,
  pending,
  failed,
}: {
  form: StrategyForm;
  set: (change: Partial<StrategyForm>) => void;
  available: string | null;
  checked: boolean;
  pending: boolean;
  failed: Failure;
}) {
  const t = useT();
  const capital = tidyAmount(form.capital);
  const problem = capitalProblem(form, available);
  const shown = problem !== null && (checked || problem === 'exceeds');
  return (
    <div className="flex flex-col gap-4">
      <SolField
        label={t('create.capital')}
        value={form.capital}
        onValue={(text) => set({ capital: text })}
        available={available}
        availableText={(amount) => t('create.available', { amount })}
        hint={t('create.capitalHint')}
        error={shown ? t(`create.errors.${problem === 'required' ? 'amount' : problem}`) : null}
        disabled={pending}
      />
      <BuyPreview capital={amountProblem(capital, null) === null ? capital : null} coins={targetCoins(form.coins)} />
      {pending && (
        <p role="status" className="text-sm text-accent-text">
          {form.coins.length > 0 ? t('create.working', { count: form.coins.length }) : t('create.workingSol')}
        </p>
      )}
      {failed && <Warning text={failed === 'unknown' ? t('ui.noAnswer') : t('create.failed')} />}
    </div>
  );
}

function refresh(): void {
  void refreshCalls('getStrategyList', 'getMyAccount', 'getMyPositions', 'getMyTradeRecord');
}

/** Where one is; a step that was passed can be returned to. */
function StepLine({ step, onStep, locked }: { step: Step; onStep: (step: Step) => void; locked: boolean }) {
  const t = useT();
  const at = steps.indexOf(step);
  return (
    <nav aria-label={t('create.steps.label')} className="mb-4">
      <ol className="grid grid-cols-3 gap-2">
        {steps.map((key, index) => (
          <li key={key}>
            <button
              type="button"
              disabled={locked || index > at}
              aria-current={index === at ? 'step' : undefined}
              className={classNames(
                'flex w-full flex-col gap-1.5 rounded text-left text-sm font-[550]',
                index === at ? 'text-text' : 'text-faint',
              )}
              onClick={() => onStep(key)}
            >
              <span className={classNames('h-1 w-full rounded-full', index <= at ? 'bg-accent' : 'bg-hover')} />
              <span className="flex items-center gap-1.5">
                {index < at && <CheckIcon size={13} className="text-accent-text" />}
                {t(`create.steps.${key}`)}
              </span>
            </button>
          </li>
        ))}
      </ol>
    </nav>
  );
}
