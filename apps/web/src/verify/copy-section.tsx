import { useState } from 'react';
import { printUnits } from '@hunter/verify/exact';
import { readCopyProof } from '@hunter/verify/read-copy-proof';
import { Button, buttonClass } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import type { CopyAnswer } from './messages.ts';
import { RunStatus } from './run-status.tsx';
import { skipReason } from './skip-reason.ts';
import { useTexts } from './texts.ts';
import { useVerifier } from './use-verifier.ts';

export function CopySection({ rpc }: { rpc: string | null }) {
  const t = useTexts();
  const [text, setText] = useState('');
  const [wrong, setWrong] = useState<string | null>(null);
  const { run, start } = useVerifier<CopyAnswer>();
  return (
    <section className="card flex flex-col gap-3 p-4" aria-labelledby="verify-copy">
      <h2 id="verify-copy">{t('verify.copy.title')}</h2>
      <p className="text-muted">{t('verify.copy.text')}</p>
      <form
        className="flex flex-col gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          const read = readCopyProof(text);
          setWrong('wrong' in read ? read.wrong : null);
          if ('proof' in read) start({ kind: 'copy', proof: read.proof, rpc });
        }}
      >
        <Field label={t('verify.copy.label')} error={wrong === null ? null : t('verify.copy.wrong', { field: wrong })}>
          {(input) => (
            <textarea
              {...input}
              rows={5}
              spellCheck={false}
              className="w-full rounded-m border border-line-strong bg-bg p-3 font-mono text-sm focus:border-accent pointer-coarse:text-[16px]"
              value={text}
              onChange={({ target }) => setText(target.value)}
            />
          )}
        </Field>
        <div className="flex flex-wrap gap-2">
          <label
            className={`${buttonClass('ghost')} has-focus-visible:outline-2 has-focus-visible:outline-accent-text`}
          >
            {t('verify.copy.open')}
            <input
              type="file"
              accept=".json,application/json"
              className="sr-only"
              onChange={({ target }) => void target.files?.[0]?.text().then(setText)}
            />
          </label>
          <Button type="submit" pending={run.state === 'running'} disabled={text.trim() === '' || rpc === ''}>
            {t('verify.copy.start')}
          </Button>
        </div>
      </form>
      <RunStatus run={run} />
      {run.state === 'done' && <CopyResult answer={run.result} />}
    </section>
  );
}

function CopyResult({ answer: { check, proof } }: { answer: CopyAnswer }) {
  const t = useTexts();
  if (!check.ok) {
    return (
      <div role="alert" className="rounded-m bg-down-soft px-3 py-2 text-down" data-testid="copy-refused">
        <p className="font-semibold">{t(`verify.problem.${check.problem}`)}</p>
        <p className="text-sm break-all">{check.detail}</p>
      </div>
    );
  }
  const units = (amount: bigint): string =>
    t(proof.side === 'buy' ? 'verify.copy.unit.sol' : 'verify.copy.unit.tokens', {
      amount: printUnits(amount, check.decimals),
    });
  const params = {
    amount: units(check.amountIn),
    sum: units(check.sum),
    count: check.count,
    reason: skipReason(proof.reason, t),
  };
  return (
    <div role="status" className="flex flex-col gap-1" data-testid="copy-proven">
      <p className="rounded-m bg-up-soft px-3 py-2 font-semibold text-up">
        {t(proof.reason === 0 ? 'verify.copy.proven' : 'verify.copy.skipped', params)}
      </p>
      <p className="text-sm text-muted">{t('verify.copy.limits')}</p>
      <p className="font-mono text-sm break-all text-faint">{check.memo}</p>
    </div>
  );
}
