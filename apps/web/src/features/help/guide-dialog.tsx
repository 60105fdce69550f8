import { useNavigate } from '@tanstack/react-router';
import { api } from '../../data/api.ts';
import { refreshCalls, useApiQuery } from '../../data/use-api-query.ts';
import { useT } from '../../i18n/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { QueryError } from '../../ui/error-state.tsx';
import { CheckIcon } from '../../ui/icons.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { doneCount, stepLinks, stepNames, stepsDone } from './first-steps.ts';
import type { FirstSteps, StepName } from './first-steps.ts';

/** Five steps that can be taken in any order, left, and opened again from the user's menu. */
export default function GuideDialog({ onClose }: { onClose: () => void }) {
  const t = useT();
  const query = useApiQuery('getMyFirstSteps', {}, { quiet: true });
  const steps = query.data;

  async function leave(left: boolean): Promise<void> {
    try {
      await api.call('saveMyItem', { kind: 'guide', key: 'first-hour', value: left ? 'left' : null });
      await refreshCalls('getMyFirstSteps');
      if (left) onClose();
    } catch {
      // The reason is shown as a toast.
    }
  }

  return (
    <Dialog
      open
      onClose={onClose}
      title={t('help.guide.title')}
      description={t('help.guide.text')}
      width={520}
      footer={
        steps && (
          <>
            <Button tone="ghost" onClick={() => void leave(!steps.left)}>
              {t(steps.left ? 'help.guide.show' : 'help.guide.leave')}
            </Button>
            <Button onClick={onClose}>
              {t(doneCount(steps) === stepNames.length ? 'ui.close' : 'help.guide.later')}
            </Button>
          </>
        )
      }
    >
      {query.isError && !steps ? (
        <QueryError query={query} height={200} />
      ) : steps ? (
        <Steps steps={steps} onClose={onClose} />
      ) : (
        <Skeleton height={320} />
      )}
    </Dialog>
  );
}

function Steps({ steps, onClose }: { steps: FirstSteps; onClose: () => void }) {
  const t = useT();
  const done = stepsDone(steps);
  const next = stepNames.find((name) => !done[name]);
  return (
    <>
      <p className="mb-2 text-sm text-muted" role="status">
        {t('help.guide.progress', { done: doneCount(steps), total: stepNames.length })}
      </p>
      <ol className="flex flex-col gap-2" data-testid="guide-steps">
        {stepNames.map((name, index) => (
          <Step key={name} name={name} number={index + 1} done={done[name]} isNext={name === next} onClose={onClose} />
        ))}
      </ol>
    </>
  );
}

type StepProps = { name: StepName; number: number; done: boolean; isNext: boolean; onClose: () => void };

function Step({ name, number, done, isNext, onClose }: StepProps) {
  const t = useT();
  const navigate = useNavigate();
  return (
    <li
      className={classNames(
        'flex items-start gap-3 rounded-m border px-3 py-2.5',
        isNext ? 'border-accent bg-accent-soft' : 'border-line',
      )}
      data-done={done}
    >
      <span
        className={classNames(
          'num mt-0.5 grid size-6 shrink-0 place-items-center rounded-full text-xs font-semibold',
          done ? 'bg-up-soft text-up' : 'bg-hover text-muted',
        )}
      >
        {done ? <CheckIcon size={14} /> : number}
      </span>
      <span className="min-w-0 flex-1">
        <span className="block font-semibold">
          {t(`help.guide.steps.${name}.title`)}
          {done && <span className="sr-only"> ({t('help.guide.done')})</span>}
        </span>
        <span className="block text-sm text-muted">{t(`help.guide.steps.${name}.text`)}</span>
      </span>
      {!done && (
        <Button
          size="s"
          tone={isNext ? 'accent' : 'ghost'}
          className="mt-0.5 shrink-0"
          onClick={() => {
            onClose();
            void navigate({ href: stepLinks[name] });
          }}
        >
          {t(`help.guide.steps.${name}.go`)}
        </Button>
      )}
    </li>
  );
}
