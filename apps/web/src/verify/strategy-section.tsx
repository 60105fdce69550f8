import { useEffect, useState } from 'react';
import type { Figure } from '@hunter/verify/report';
import { Button } from '../ui/button.tsx';
import { classNames } from '../ui/class-names.ts';
import { Field } from '../ui/field.tsx';
import { TextInput } from '../ui/text-input.tsx';
import type { StrategyAnswer } from './messages.ts';
import { RunStatus } from './run-status.tsx';
import { summarise } from './summary.ts';
import { useTexts } from './texts.ts';
import { useVerifier } from './use-verifier.ts';

export function StrategySection({ slug: first, rpc }: { slug: string; rpc: string | null }) {
  const t = useTexts();
  const [slug, setSlug] = useState(first);
  const [missing, setMissing] = useState(false);
  const { run, start, stop } = useVerifier<StrategyAnswer>();
  const running = run.state === 'running';
  // Whoever comes from a strategy's page has asked already.
  useEffect(() => {
    if (first !== '') start({ kind: 'strategy', slug: first, rpc: null });
    // oxlint-disable-next-line react/exhaustive-deps -- Once, when the page opens.
  }, []);
  return (
    <section className="card flex flex-col gap-3 p-4" aria-labelledby="verify-strategy">
      <h2 id="verify-strategy">{t('verify.strategy.title')}</h2>
      <form
        className="flex flex-wrap items-start gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          setMissing(slug.trim() === '');
          if (slug.trim() !== '') start({ kind: 'strategy', slug: slug.trim(), rpc });
        }}
      >
        <Field
          className="min-w-0 flex-1 basis-56"
          label={t('verify.strategy.label')}
          hint={t('verify.strategy.hint')}
          error={missing ? t('verify.strategy.required') : null}
        >
          {(input) => (
            <TextInput
              {...input}
              value={slug}
              autoComplete="off"
              spellCheck={false}
              onChange={({ target }) => setSlug(target.value)}
            />
          )}
        </Field>
        {running ? (
          <Button tone="ghost" className="mt-[25px]" onClick={stop}>
            {t('verify.strategy.stop')}
          </Button>
        ) : (
          <Button type="submit" className="mt-[25px]" disabled={rpc === ''}>
            {t('verify.strategy.start')}
          </Button>
        )}
      </form>
      <RunStatus run={run} />
      {run.state === 'done' && <Result answer={run.result} />}
    </section>
  );
}

const outcomeTones = {
  none: 'bg-warn-soft text-warn',
  same: 'bg-up-soft text-up',
  different: 'bg-down-soft text-down',
} as const;

function Result({ answer }: { answer: StrategyAnswer }) {
  const t = useTexts();
  const { outcome, count } = summarise(answer.figures);
  return (
    <div className="flex flex-col gap-3" data-testid="verify-result">
      <p role="status" className={classNames('rounded-m px-3 py-2 font-semibold', outcomeTones[outcome])}>
        {t(`verify.summary.${outcome}`, { count })}
      </p>
      {answer.figures.some(({ key }) => key === 'otherSwaps') && (
        <p className="rounded-m bg-warn-soft px-3 py-2 text-sm text-warn">{t('verify.limits.shared')}</p>
      )}
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 text-sm">
        <dt className="text-muted">{t('verify.strategy.label')}</dt>
        <dd>
          <a className="text-accent-text underline" href={`/strategies/${encodeURIComponent(answer.slug)}`}>
            {answer.name}
          </a>
        </dd>
        <dt className="text-muted">{t('verify.strategy.wallet')}</dt>
        <dd className="font-mono break-all">{answer.wallet}</dd>
      </dl>
      <FigureTable figures={answer.figures} />
      <p className="text-sm text-muted">
        {t('verify.strategy.command')}{' '}
        <code className="font-mono break-all text-text">{`npm run verify -- ${answer.slug}`}</code>
      </p>
    </div>
  );
}

function FigureTable({ figures }: { figures: readonly Figure[] }) {
  const t = useTexts();
  const cell = 'px-1 py-2 text-right align-baseline sm:px-2';
  const figure = `${cell} break-all`;
  return (
    <table className="w-full text-sm" aria-label={t('verify.table.label')}>
      <thead>
        <tr className="border-b border-line text-muted">
          <th className="w-[30%] py-2 pr-1 text-left font-[550] sm:w-auto">{t('verify.table.figure')}</th>
          <th className={`${cell} font-[550]`}>{t('verify.table.published')}</th>
          <th className={`${cell} font-[550]`}>{t('verify.table.chain')}</th>
          <th className={`${cell} font-[550] max-sm:sr-only`}>{t('verify.table.verdict')}</th>
        </tr>
      </thead>
      <tbody>
        {figures.map(({ key, subject, published, recomputed, verdict }) => (
          <tr
            key={`${key} ${subject}`}
            className={classNames('border-b border-line last:border-0', verdict === 'different' && 'bg-down-soft')}
            data-figure={key}
            data-verdict={verdict}
          >
            <th scope="row" className="py-2 pr-1 text-left font-normal break-words">
              {subject !== null && (
                <span className="mr-1.5 font-[550]" title={subject}>
                  {subject.length > 16 ? `${subject.slice(0, 8)}…` : subject}
                </span>
              )}
              {t(`verify.figure.${key}`)}
              {verdict !== 'same' && (
                <span className="block text-faint sm:hidden">{t(`verify.verdict.${verdict}`)}</span>
              )}
            </th>
            <td className={figure}>{published ?? '-'}</td>
            <td className={figure}>{recomputed ?? '-'}</td>
            <td className={classNames(cell, 'max-sm:sr-only', verdict === 'different' ? 'text-down' : 'text-muted')}>
              {t(`verify.verdict.${verdict}`)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
