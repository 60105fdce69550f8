import { useI18n, useT } from '../../i18n/i18n.ts';
import { Address } from '../../ui/address.tsx';
import { buttonClass } from '../../ui/button.tsx';
import { ChainToken } from '../../ui/chain-token.tsx';
import { ExactAmount } from '../../ui/exact-amount.tsx';
import { ChevronDownIcon } from '../../ui/icons.tsx';
import { useTheme } from '../../ui/theme.ts';
import type { ChainTransaction } from './chain-transaction.ts';

type Details = NonNullable<ChainTransaction['details']>;
type Instruction = Details['instructions'][number];

/** Texts that the transaction carries. One of ours is explained, with the way to check it. */
export function Memos({ memos }: { memos: Details['memos'] }) {
  const { t, language } = useI18n();
  const theme = useTheme();
  if (memos.length === 0) return null;
  return (
    <section className="card mb-3.5 px-4 py-3 sm:px-5">
      <h2 className="mb-1.5">{t('chain.tx.memos')}</h2>
      {memos.map(({ text, kind }, index) => (
        <div key={index} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-1">
          <div className="min-w-0">
            <p className="font-mono text-sm break-all">{text}</p>
            {kind === 'round' && <p className="mt-1 text-sm text-muted">{t('chain.tx.round')}</p>}
          </div>
          {kind === 'round' && (
            // A document of its own, which knows language and theme by its address only.
            <a href={`/verify?lng=${language}&theme=${theme}`} className={buttonClass('ghost', 's')}>
              {t('chain.tx.verify')}
            </a>
          )}
        </div>
      ))}
    </section>
  );
}

export function Instructions({ instructions }: { instructions: readonly Instruction[] }) {
  const t = useT();
  return (
    <section className="card mb-3.5 px-4 py-3 sm:px-5">
      <h2 className="mb-1.5">{t('chain.tx.instructions')}</h2>
      <ol>
        {instructions.map((instruction, index) => (
          <li key={index} className="border-b border-line/55 last:border-0">
            <details className="group py-2">
              <summary className="flex cursor-pointer flex-wrap items-center gap-x-2.5 gap-y-1 rounded pointer-coarse:min-h-9 [&::-webkit-details-marker]:hidden">
                <ChevronDownIcon size={14} className="-rotate-90 text-faint group-open:rotate-0" />
                <span className="num w-5 text-faint">{index + 1}</span>
                <span className="font-semibold">{instruction.programName ?? t('chain.tx.unknownProgram')}</span>
                {instruction.name !== null && <span className="text-muted">{instruction.name}</span>}
                {instruction.amount !== null && (
                  <span className="ml-auto inline-flex items-center gap-2">
                    <ExactAmount
                      value={instruction.amount}
                      unit={instruction.token ? (instruction.token.tokenSymbol ?? '') : 'SOL'}
                    />
                  </span>
                )}
              </summary>
              <Contents instruction={instruction} />
            </details>
          </li>
        ))}
      </ol>
    </section>
  );
}

function Contents({ instruction: { program, token, accounts, data } }: { instruction: Instruction }) {
  const t = useT();
  return (
    <div className="mt-2 ml-7 flex flex-col gap-2 text-sm">
      <span className="flex flex-wrap items-center gap-2">
        <span className="text-faint">{t('chain.address.programName')}</span> <Address address={program} full />
      </span>
      {token && (
        <span className="flex flex-wrap items-center gap-2">
          <span className="text-faint">{t('chain.tx.token')}</span> <ChainToken token={token} />
        </span>
      )}
      {accounts.length > 0 && (
        <div>
          <p className="text-faint">{t('chain.tx.accounts')}</p>
          <ol className="ml-5 list-decimal marker:text-faint">
            {accounts.map((account, index) => (
              <li key={index}>
                <Address address={account} />
              </li>
            ))}
          </ol>
        </div>
      )}
      {data !== '' && (
        <div>
          <p className="text-faint">{t('chain.tx.data')}</p>
          <p className="font-mono break-all">{data}</p>
        </div>
      )}
    </div>
  );
}

export function Logs({ logs }: { logs: readonly string[] }) {
  const t = useT();
  if (logs.length === 0) return null;
  return (
    <details className="card px-4 py-3 sm:px-5">
      <summary className="cursor-pointer font-semibold pointer-coarse:min-h-9">
        {t('chain.tx.logs', { count: logs.length })}
      </summary>
      <pre
        className="mt-2 max-h-96 overflow-auto font-mono text-xs whitespace-pre-wrap break-all scroll-thin"
        tabIndex={0}
      >
        {logs.join('\n')}
      </pre>
    </details>
  );
}
