import type { Progress } from '@hunter/verify/verify-strategy';
import type { Answer, Failure } from './messages.ts';
import { useTexts } from './texts.ts';
import type { Run } from './use-verifier.ts';

/** How far it is, or what failed. */
export function RunStatus({ run }: { run: Run<Answer> }) {
  return (
    <div aria-live="polite">
      {run.state === 'running' && <Running progress={run.progress} />}
      {run.state === 'failed' && <Failed failure={run.failure} />}
    </div>
  );
}

function Running({ progress }: { progress: Progress | null }) {
  const t = useTexts();
  const total = progress?.total ?? null;
  return (
    <div className="flex flex-col gap-1.5">
      <p className="text-sm text-muted">
        {progress === null
          ? t('verify.progress.start')
          : t(`verify.progress.${progress.stage}`, { done: progress.done, total: total ?? 0 })}
      </p>
      <progress
        className="h-1.5 w-full accent-[var(--accent)]"
        aria-label={t('verify.title')}
        {...(progress && total !== null ? { value: progress.done, max: total } : {})}
      />
    </div>
  );
}

function Failed({ failure }: { failure: Failure }) {
  const t = useTexts();
  return (
    <p role="alert" className="rounded-m bg-down-soft px-3 py-2 text-sm break-words text-down">
      {t(`verify.failed.${failure.where}`, { detail: failure.detail })}
    </p>
  );
}
