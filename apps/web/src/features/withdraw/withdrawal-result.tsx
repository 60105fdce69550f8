import { api } from '../../data/api.ts';
import { useApiQuery } from '../../data/use-api-query.ts';
import { useI18n } from '../../i18n/i18n.ts';
import { joinSentences } from '../../i18n/join-sentences.ts';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { CheckIcon, WarningIcon } from '../../ui/icons.tsx';
import { ClockIcon } from '../../ui/page-icons.tsx';
import { ExactAmount } from '../../ui/exact-amount.tsx';
import { exactTime } from '../../ui/relative-time.ts';
import { Ring } from '../../ui/ring.tsx';
import { KeyValue } from '../../ui/stat.tsx';
import { toast } from '../../ui/toast-store.ts';
import { TxHash } from '../../ui/tx-hash.tsx';
import { usePending } from '../../ui/use-pending.ts';
import { rentLabel } from './withdrawal.ts';
import type { Withdrawal, WithdrawnAmount } from './withdrawal.ts';

const steps = ['requested', 'sent', 'confirmed', 'finalized'] as const;
const reached: Record<Withdrawal['status'], number> = {
  requested: 1,
  held: 1,
  resending: 1,
  sent: 2,
  confirmed: 3,
  finalized: 4,
  failed: 1,
  cancelled: 1,
};

/** What became of a withdrawal, from the request to the final block. */
export function WithdrawalResult({
  first,
  onAgain,
  onDone,
}: {
  first: Withdrawal;
  onAgain: () => void;
  onDone: () => void;
}) {
  const { t } = useI18n();
  const [canceling, run] = usePending();
  const over = (status: Withdrawal['status']) => ['finalized', 'failed', 'cancelled'].includes(status);
  const list = useApiQuery('getMyWithdrawals', { pageNo: 1, pageSize: 20 }, { refetchIntervalMs: 2_000 });
  const withdrawal = list.data?.lists.find((row) => row.id === first.id) ?? first;
  const { status } = withdrawal;
  const done = reached[status];
  const good = done >= 3;
  const bad = status === 'failed' || status === 'cancelled';

  const cancel = () =>
    run(async () => {
      await api.call('cancelWithdrawal', { id: withdrawal.id });
      toast.success(t('account.withdrawDialog.canceled'));
      await list.refetch();
    });

  return (
    <div className="flex flex-col gap-4" data-testid="withdrawal-result" data-status={status}>
      <Outcome withdrawal={withdrawal} bad={bad} good={good} />
      {!bad && <Steps done={done} />}
      <div className="rounded-m border border-line px-3.5 py-2">
        <div className="py-[5px] text-sm">
          <p className="text-muted">
            {t('account.withdrawDialog.sentTo')}
            {withdrawal.label !== null && <bdi className="ml-1.5 font-semibold text-text">{withdrawal.label}</bdi>}
          </p>
          <p className="font-mono break-all">{withdrawal.toWallet}</p>
        </div>
        <KeyValue label={t('account.withdrawDialog.hash')}>
          <TxHash hash={withdrawal.txHash} />
        </KeyValue>
        <KeyValue label={t('account.withdrawDialog.gasFee')}>
          <span data-testid="gas-fee">{withdrawal.gasFee === null ? '-' : `${withdrawal.gasFee} SOL`}</span>
        </KeyValue>
        {withdrawal.accountRent !== null && (
          <KeyValue label={t(rentLabel(withdrawal))}>{withdrawal.accountRent} SOL</KeyValue>
        )}
      </div>
      <div className="flex gap-2.5">
        {status === 'held' ? (
          <Button tone="ghost" className="flex-1" pending={canceling} onClick={() => void cancel()}>
            {t('account.withdrawDialog.cancel')}
          </Button>
        ) : (
          <Button tone="ghost" className="flex-1" disabled={!over(status) && !good} onClick={onAgain}>
            {t('account.withdrawDialog.again')}
          </Button>
        )}
        <Button className="flex-1" onClick={onDone}>
          {t('account.withdrawDialog.done')}
        </Button>
      </div>
    </div>
  );
}

function Outcome({ withdrawal, bad, good }: { withdrawal: Withdrawal; bad: boolean; good: boolean }) {
  const { t, language } = useI18n();
  const { status } = withdrawal;
  return (
    <div className="flex flex-col items-center gap-2 py-2 text-center" role="status">
      <span
        className={classNames(
          'grid size-12 place-items-center rounded-full',
          bad || status === 'held' ? 'bg-warn-soft text-warn' : 'bg-accent-soft text-accent-text',
        )}
      >
        {bad ? (
          <WarningIcon size={24} />
        ) : status === 'held' ? (
          <ClockIcon size={24} />
        ) : good ? (
          <CheckIcon size={24} />
        ) : (
          <Ring size={22} />
        )}
      </span>
      <p className="text-2xl font-bold">
        <Amount of={withdrawal} />
      </p>
      <p className="font-semibold">
        {status === 'failed'
          ? t('account.withdrawDialog.failed')
          : status === 'cancelled'
            ? t('account.withdrawDialog.canceled')
            : status === 'held'
              ? t('account.withdrawDialog.held', { time: exactTime(withdrawal.heldUntil ?? 0, language) })
              : good
                ? t('account.withdrawDialog.success')
                : t(`account.withdrawDialog.status.${status}`)}
      </p>
      {status === 'held' && (
        <p className="text-sm text-muted">
          {joinSentences([
            ...(withdrawal.holdReason ? [t(`account.withdrawDialog.holdReason.${withdrawal.holdReason}`)] : []),
            t('account.withdrawDialog.heldText'),
          ])}
        </p>
      )}
    </div>
  );
}

/** To the last digit, as it was reviewed and signed. */
export function Amount({ of: { amount, tokenSymbol } }: { of: WithdrawnAmount }) {
  return (
    <span className="break-all">
      <ExactAmount value={amount} /> <bdi>{tokenSymbol}</bdi>
    </span>
  );
}

function Steps({ done }: { done: number }) {
  const { t } = useI18n();
  return (
    <ol className="grid grid-cols-4 gap-2" aria-label={t('account.withdrawDialog.steps.label')}>
      {steps.map((step, index) => (
        <li key={step} className="flex flex-col gap-1.5" aria-current={index + 1 === done ? 'step' : undefined}>
          <span className={classNames('h-1 rounded-full', index < done ? 'bg-accent' : 'bg-hover')} />
          <span className={classNames('text-xs', index < done ? 'text-text' : 'text-faint')}>
            {t(`account.withdrawDialog.steps.${step}`)}
          </span>
        </li>
      ))}
    </ol>
  );
}
