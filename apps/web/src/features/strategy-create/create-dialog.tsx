import { useUser } from '../../data/session.ts';
import type { Failure } from '../../data/use-money-action.ts';
import { useT } from '../../i18n/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Form } from '../../ui/form.tsx';
import { CheckIcon } from '../../ui/icons.tsx';
import { amountProblem, tidyAmount } from '../../ui/sol-amount.ts';
import { SolField } from '../../ui/sol-field.tsx';
import { Warning } from '../../ui/warning.tsx';
import { AboutStep } from './about-step.tsx';
import { BuyPreview } from './buy-preview.tsx';
import { capitalProblem } from './strategy-form.ts';
import type { StrategyForm } from './strategy-form.ts';
import { steps, useCreateStrategy } from './use-create-strategy.ts';
import type { Step } from './use-create-strategy.ts';
import { targetCoins } from './weights.ts';
import { WeightsEditor } from './weights-editor.tsx';

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
  const { form, set, step, setStep, checked, nameTaken, pending, failed, goOn } = useCreateStrategy(
    available,
    onCreated,
  );
  const at = steps.indexOf(step);
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
              : capitalProblem(form, available) === null
                ? t('create.submit', { amount: tidyAmount(form.capital) })
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
  failed: Failure | null;
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
