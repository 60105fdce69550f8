import { promptFactors } from '../../data/factors.ts';
import { useI18n } from '../../i18n/i18n.ts';
import { joinSentences } from '../../i18n/join-sentences.ts';
import { Button } from '../../ui/button.tsx';
import { QueryError } from '../../ui/error-state.tsx';
import { ExactAmount } from '../../ui/exact-amount.tsx';
import { FactorPrompt } from '../../ui/factor-prompt.tsx';
import { TextField } from '../../ui/fields.tsx';
import { exactTime } from '../../ui/relative-time.ts';
import { KeyValue } from '../../ui/stat.tsx';
import { Warning } from '../../ui/warning.tsx';
import { useConfirmation } from './use-confirmation.ts';
import type { FactorQuestion, Review } from './use-confirmation.ts';
import { rentLabel } from './withdrawal.ts';
import type { Withdrawal } from './withdrawal.ts';

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
  const { form, factors, isReady, factorQuestion, failed } = useConfirmation(review, onResult, onSending);
  if (factorQuestion) return <FactorStep review={review} {...factorQuestion} />;
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
        <Button type="submit" size="l" className="flex-1" pending={form.pending} disabled={!isReady}>
          {t('account.withdrawDialog.submit')}
        </Button>
      </div>
    </form>
  );
}

function FactorStep({ review, factors, busy, onFactor, onBack }: { review: Review } & FactorQuestion) {
  const { t } = useI18n();
  const { id, toWallet: destination, baseUnits: amount } = review;
  const asset = review.tokenContractAddress ?? 'SOL';
  return (
    <div className="flex flex-col gap-4">
      <ReviewFacts review={review} />
      <Notes review={review} />
      <FactorPrompt
        {...promptFactors(factors)}
        intent={{ kind: 'withdrawal', asset, destination, amount, id }}
        busy={busy}
        onFactor={onFactor}
      />
      <Button tone="ghost" size="l" disabled={busy} onClick={onBack}>
        {t('account.withdrawDialog.back')}
      </Button>
    </div>
  );
}

function ReviewFacts({ review }: { review: Review }) {
  const { t } = useI18n();
  return (
    <div className="rounded-m border border-line px-3.5 py-2">
      <KeyValue label={t('account.withdrawDialog.sends')}>
        {/* To the last digit: this is what will be signed. */}
        <span className="font-semibold break-all">
          <ExactAmount value={review.amount} /> <bdi>{review.tokenSymbol}</bdi>
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
