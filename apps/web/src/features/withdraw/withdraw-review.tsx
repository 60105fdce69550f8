import type { CallReply, CallRequest } from '@hunter/contract/calls';
import type { ErrorName } from '@hunter/contract/error-catalogue';
import { useRef, useState } from 'react';
import { ApiFailure } from '../../data/api-failure.ts';
import { attempt, isUnknown } from '../../data/attempts.ts';
import { promptFactors } from '../../data/factors.ts';
import { refreshCalls, useApiQuery } from '../../data/use-api-query.ts';
import { useI18n } from '../../i18n/i18n.ts';
import { joinSentences } from '../../i18n/join-sentences.ts';
import { Button } from '../../ui/button.tsx';
import { FactorPrompt } from '../../ui/factor-prompt.tsx';
import type { SecondFactor } from '../../ui/passkey.ts';
import { exactTime } from '../../ui/relative-time.ts';
import { KeyValue } from '../../ui/stat.tsx';
import { toast } from '../../ui/toast-store.ts';
import { Warning } from '../../ui/warning.tsx';
import { useForm } from '../../ui/use-form.ts';
import { rentLabel } from './withdrawal.ts';
import type { Withdrawal } from './withdrawal.ts';
import { QueryError } from '../../ui/error-state.tsx';
import { TextField } from '../../ui/fields.tsx';

type Review = CallReply<'reviewWithdrawal'>;
type Failure = 'failed' | 'unknown' | null;
type Problem = 'password' | 'wrongPassword';

/** Everything that will happen, before the password and the second factor are asked for. */
export function WithdrawReview({
  review,
  onBack,
  onResult,
  onSending,
}: {
  review: Review;
  onBack: () => void;
  onResult: (withdrawal: Withdrawal) => void;
  onSending: (sending: boolean) => void;
}) {
  const { t } = useI18n();
  const { send, busy, failed, isRetry } = useSend(review, onResult, onSending);
  /** The password, while the second factor is asked for. */
  const [confirming, setConfirming] = useState<string | null>(null);
  const needsFactor = review.factors.length > 0;
  const factors = useApiQuery('getMyFactors', {}, { quiet: true, enabled: needsFactor });
  const form = useForm<{ password: string }, Problem>({
    initial: { password: '' },
    validate: ({ password }) => (password === '' ? { password: 'password' } : {}),
    submit: async ({ password }) => {
      if (needsFactor && !isRetry()) setConfirming(password);
      else await sendWith(password);
    },
  });

  async function sendWith(password: string, factor?: SecondFactor): Promise<void> {
    const refusal = await send(password, factor);
    if (refusal === 'WRONG_PASSWORD') form.refuse('password', 'wrongPassword');
    // A wrong factor is tried again right there.
    if (refusal !== 'SECOND_FACTOR_WRONG') setConfirming(null);
  }

  if (confirming !== null && factors.data) {
    const { id, toWallet: destination, baseUnits: amount } = review;
    const asset = review.tokenContractAddress ?? 'SOL';
    return (
      <div className="flex flex-col gap-4">
        <ReviewFacts review={review} />
        <Notes review={review} />
        <FactorPrompt
          {...promptFactors(factors.data)}
          intent={{ kind: 'withdrawal', asset, destination, amount, id }}
          busy={busy}
          onFactor={(factor) => void sendWith(confirming, factor)}
        />
        <Button tone="ghost" size="l" disabled={busy} onClick={() => setConfirming(null)}>
          {t('account.withdrawDialog.back')}
        </Button>
      </div>
    );
  }
  const problem = form.errors.password;
  return (
    <form className="flex flex-col gap-4" noValidate onSubmit={form.onSubmit} data-testid="withdrawal-review">
      <ReviewFacts review={review} />
      <Notes review={review} />
      <TextField
        label={t('account.withdrawDialog.password')}
        error={problem ? t(`account.withdrawDialog.errors.${problem}`) : null}
        type="password"
        size="l"
        maxLength={256}
        {...form.input('password')}
        autoComplete="current-password"
        disabled={form.pending}
      />
      {factors.isError && !factors.data && <QueryError query={factors} height={100} />}
      {failed && <Warning text={t(failed === 'unknown' ? 'ui.noAnswer' : 'account.withdrawDialog.failed')} />}
      <div className="flex gap-2.5">
        <Button tone="ghost" size="l" disabled={form.pending} onClick={onBack}>
          {t('account.withdrawDialog.back')}
        </Button>
        <Button
          type="submit"
          size="l"
          className="flex-1"
          pending={form.pending}
          disabled={needsFactor && !factors.data}
        >
          {t('account.withdrawDialog.submit')}
        </Button>
      </div>
    </form>
  );
}

/** `send` answers why it was refused, or null. */
function useSend(
  review: Review,
  onResult: (withdrawal: Withdrawal) => void,
  onSending: (sending: boolean) => void,
): {
  send: (password: string, factor?: SecondFactor) => Promise<ErrorName | null>;
  busy: boolean;
  failed: Failure;
  isRetry: () => boolean;
} {
  const { t } = useI18n();
  const [failed, setFailed] = useState<Failure>(null);
  const [busy, setBusy] = useState(false);
  // The same request again, after an answer that never came, is the same withdrawal.
  const unanswered = useRef<CallRequest<'withdrawal'> | null>(null);

  async function send(password: string, factor?: SecondFactor): Promise<ErrorName | null> {
    setFailed(null);
    onSending(true);
    setBusy(true);
    const { id, toWallet, amount, tokenContractAddress } = review;
    const request = unanswered.current ?? {
      id,
      toWallet,
      amount,
      password,
      ...(tokenContractAddress === null ? {} : { tokenContractAddress }),
      ...(factor === undefined ? {} : { factor }),
    };
    try {
      const withdrawal = await attempt('withdrawal', request, [id]);
      const { status } = withdrawal;
      if (status === 'failed') toast.error(t('account.withdrawDialog.failed'));
      else if (status === 'confirmed' || status === 'finalized') toast.success(t('account.withdrawDialog.success'));
      onResult(withdrawal);
      return null;
    } catch (error) {
      unanswered.current = isUnknown(error) ? request : null;
      setFailed(isUnknown(error) ? 'unknown' : 'failed');
      return error instanceof ApiFailure ? error.refusal : null;
    } finally {
      onSending(false);
      setBusy(false);
      void refreshCalls('getMyWithdrawals', 'getMyAccount', 'getMyPositions');
    }
  }
  return { send, busy, failed, isRetry: () => unanswered.current !== null };
}

function ReviewFacts({ review }: { review: Review }) {
  const { t } = useI18n();
  return (
    <div className="rounded-m border border-line px-3.5 py-2">
      <KeyValue label={t('account.withdrawDialog.sends')}>
        {/* To the last digit: this is what will be signed. */}
        <span className="font-semibold break-all">
          {review.amount} <bdi>{review.tokenSymbol}</bdi>
        </span>
      </KeyValue>
      <div className="py-[5px] text-sm">
        <p className="text-muted">
          {t('account.withdrawDialog.to')}
          {review.label !== null && <bdi className="ml-1.5 font-semibold text-text">{review.label}</bdi>}
        </p>
        <p className="font-mono break-all" data-testid="review-address">
          {review.toWallet}
        </p>
      </div>
      {review.tokenContractAddress !== null && (
        <div className="py-[5px] text-sm">
          <p className="text-muted">{t('account.withdrawDialog.mint')}</p>
          <p className="font-mono break-all">{review.tokenContractAddress}</p>
        </div>
      )}
      <KeyValue label={t('account.withdrawDialog.gasFee')}>{review.fee} SOL</KeyValue>
      {review.accountRent !== null && <KeyValue label={t(rentLabel(review))}>{review.accountRent} SOL</KeyValue>}
    </div>
  );
}

function Notes({ review }: { review: Review }) {
  const { t, language } = useI18n();
  const { heldUntil, holdReason } = review;
  const notes = [
    ...(review.firstUse ? [t('account.withdrawDialog.firstUse')] : []),
    ...(review.accountRent === null ? [] : [t('account.withdrawDialog.newAccount')]),
    ...(review.warnings.includes('transfer-fee') ? [t('account.withdrawDialog.transferFee')] : []),
    ...(heldUntil === null
      ? []
      : [
          joinSentences([
            t('account.withdrawDialog.willBeHeld', { time: exactTime(heldUntil, language) }),
            ...(holdReason ? [t(`account.withdrawDialog.holdReason.${holdReason}`)] : []),
          ]),
        ]),
  ];
  if (notes.length === 0) return null;
  return (
    <ul className="flex flex-col gap-1.5 rounded-m bg-warn-soft px-3 py-2 text-sm text-warn" data-testid="review-notes">
      {notes.map((note) => (
        <li key={note}>{note}</li>
      ))}
    </ul>
  );
}
