import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ApiFailure } from '../../data/api-failure.ts';
import { useApiQuery } from '../../data/use-api-query.ts';
import { useI18n, useT } from '../../i18n/i18n.ts';
import { Address } from '../../ui/address.tsx';
import { Chip } from '../../ui/chip.tsx';
import type { ChipTone } from '../../ui/chip.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { copyText } from '../../ui/copy-text.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { ExactAmount } from '../../ui/exact-amount.tsx';
import { Page } from '../../ui/page.tsx';
import { exactTime } from '../../ui/relative-time.ts';
import { RelativeTime } from '../../ui/relative-time-text.tsx';
import { shortAddress } from '../../ui/short-address.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { KeyValue } from '../../ui/stat.tsx';
import { BalanceChanges } from './balance-changes.tsx';
import { Instructions, Logs, Memos } from './instructions.tsx';
import type { ChainTransaction } from './chain-transaction.ts';

const route = getRouteApi('/tx/$signature');

/** A transaction that is not final yet, or not there yet, may change: it is asked for again. */
const WAITING_MS = 2_000;
const SETTLED_MS = 300_000;

const statusTones: Record<ChainTransaction['status'], ChipTone> = {
  success: 'up',
  failed: 'down',
  pruned: 'plain',
  unknown: 'warn',
};

export default function TransactionPage() {
  const { signature } = route.useParams();
  return <TransactionView key={signature} signature={signature} />;
}

export function TransactionView({ signature }: { signature: string }) {
  const t = useT();
  const first = useApiQuery('getChainTransaction', { signature }, { quiet: true });
  const isFinal = first.data?.confirmation === 'finalized' || first.data?.status === 'pruned';
  const { data, error, isError, refetch } = useApiQuery(
    'getChainTransaction',
    { signature },
    { refetchIntervalMs: isFinal || first.isError ? SETTLED_MS : WAITING_MS },
  );
  const invalid = error instanceof ApiFailure && error.refusal === 'INVALID_INPUT';
  return (
    <Page
      title={t('shell.titles.transaction')}
      text={
        <span className="inline-flex min-w-0 items-center gap-1">
          <span className="font-mono text-sm break-all">{signature}</span>
          <CopyButton
            label={t('ui.copyHash', { hash: shortAddress(signature) })}
            onCopy={() => copyText(signature, t('ui.hashCopied'))}
          />
        </span>
      }
    >
      {isError && !data ? (
        <div className="card">
          {invalid ? (
            <EmptyState height={320} text={t('chain.tx.invalid')} />
          ) : (
            <ErrorState height={320} title={t('chain.tx.loadFailed')} error={error} onRetry={() => void refetch()} />
          )}
        </div>
      ) : (
        <>
          <section className="card mb-3.5 px-4 py-3 sm:px-5" aria-label={t('shell.titles.transaction')}>
            {data ? (
              // A value stays near its name on a wide screen.
              <div className="grid items-start lg:grid-cols-2 lg:gap-x-12 lg:[&>p]:col-span-full">
                <Summary transaction={data} />
              </div>
            ) : (
              <Skeleton height={88} />
            )}
          </section>
          {data?.details && (
            <>
              <Memos memos={data.details.memos} />
              <BalanceChanges details={data.details} />
              <Instructions instructions={data.details.instructions} />
              <Logs logs={data.details.logs} />
            </>
          )}
        </>
      )}
    </Page>
  );
}

function Summary({ transaction }: { transaction: ChainTransaction }) {
  const { t, language } = useI18n();
  const { status, confirmation, error, slot, time, details } = transaction;
  const note: ReactNode =
    status === 'unknown' ? t('chain.tx.unknown') : status === 'pruned' ? t('chain.tx.pruned') : null;
  return (
    <>
      <KeyValue label={t('chain.tx.status')}>
        <span className="inline-flex flex-wrap justify-end gap-2">
          <Chip tone={statusTones[status]}>{t(`chain.tx.statuses.${status}`)}</Chip>
          {confirmation && <Chip>{t(`chain.tx.confirmations.${confirmation}`)}</Chip>}
        </span>
      </KeyValue>
      {note && <p className="py-1.5 text-sm text-muted">{note}</p>}
      {error && (
        <KeyValue label={t('chain.tx.error')}>
          <span className="break-words text-down">
            {error.instruction === null
              ? error.reason
              : t('chain.tx.errorAt', { instruction: error.instruction, reason: error.reason })}
          </span>
        </KeyValue>
      )}
      {time !== null && (
        <KeyValue label={t('chain.tx.time')}>
          {exactTime(time, language)} · <RelativeTime timeMs={time} />
        </KeyValue>
      )}
      {slot !== null && <KeyValue label={t('chain.tx.slot')}>{slot}</KeyValue>}
      {details && (
        <>
          <KeyValue label={t('chain.tx.fee')}>
            <ExactAmount value={details.fee} unit="SOL" />
          </KeyValue>
          <KeyValue label={t('chain.tx.signers')}>
            <span className="flex flex-col items-end">
              {details.signers.map((signer) => (
                <Address key={signer} address={signer} wallet />
              ))}
            </span>
          </KeyValue>
        </>
      )}
    </>
  );
}
