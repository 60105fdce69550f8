// Confirming a withdrawal: the password, then the second factor where there is one, then the withdrawal itself.
import type { CallReply } from '@hunter/contract/calls';
import type { ErrorName } from '@hunter/contract/error-catalogue';
import { useState } from 'react';
import { ApiFailure } from '../../data/api-failure.ts';
import { attempt, isUnknown } from '../../data/attempts.ts';
import type { MyFactors } from '../../data/factors.ts';
import { refreshCalls, useApiQuery } from '../../data/use-api-query.ts';
import type { Failure } from '../../data/use-money-action.ts';
import { useI18n } from '../../i18n/i18n.ts';
import type { SecondFactor } from '../../ui/passkey.ts';
import { toast } from '../../ui/toast-store.ts';
import { useForm } from '../../ui/use-form.ts';
import { forgetLost, keepLost, lostRequest } from './lost-withdrawals.ts';
import type { Withdrawal } from './withdrawal.ts';

export type Review = CallReply<'reviewWithdrawal'>;
export type FactorQuestion = {
  factors: MyFactors;
  busy: boolean;
  onFactor: (factor: SecondFactor) => void;
  onBack: () => void;
};
type Problem = 'password' | 'wrongPassword';

export function useConfirmation(
  review: Review,
  onResult: (withdrawal: Withdrawal) => void,
  onSending: (sending: boolean) => void,
) {
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

  const factorQuestion: FactorQuestion | null =
    confirming !== null && factors.data
      ? {
          factors: factors.data,
          busy,
          onFactor: (factor) => void sendWith(confirming, factor),
          onBack: () => setConfirming(null),
        }
      : null;
  return { form, factors, isReady: !needsFactor || factors.data !== undefined, factorQuestion, failed };
}

/** `send` answers why it was refused, or null. */
function useSend(
  review: Review,
  onResult: (withdrawal: Withdrawal) => void,
  onSending: (sending: boolean) => void,
): {
  send: (password: string, factor?: SecondFactor) => Promise<ErrorName | null>;
  busy: boolean;
  failed: Failure | null;
  isRetry: () => boolean;
} {
  const { t } = useI18n();
  const [failed, setFailed] = useState<Failure | null>(() => (lostRequest(review.id) ? 'unknown' : null));
  const [busy, setBusy] = useState(false);

  async function send(password: string, factor?: SecondFactor): Promise<ErrorName | null> {
    setFailed(null);
    onSending(true);
    setBusy(true);
    const { id, toWallet, amount, tokenContractAddress } = review;
    const startedMs = Date.now();
    // The same request again, after an answer that never came, is the same withdrawal.
    const request = lostRequest(id) ?? {
      id,
      toWallet,
      amount,
      password,
      ...(tokenContractAddress === null ? {} : { tokenContractAddress }),
      ...(factor === undefined ? {} : { factor }),
    };
    try {
      const withdrawal = await attempt('withdrawal', request, [id]);
      forgetLost(id);
      const { status } = withdrawal;
      if (status === 'failed') toast.error(t('account.withdrawDialog.failed'));
      else if (status === 'confirmed' || status === 'finalized') toast.success(t('account.withdrawDialog.success'));
      onResult(withdrawal);
      return null;
    } catch (error) {
      if (isUnknown(error)) keepLost(review, request, startedMs);
      else forgetLost(id);
      setFailed(isUnknown(error) ? 'unknown' : 'failed');
      return error instanceof ApiFailure ? error.refusal : null;
    } finally {
      onSending(false);
      setBusy(false);
      void refreshCalls('getMyWithdrawals', 'getMyAccount', 'getMyPositions');
    }
  }
  return { send, busy, failed, isRetry: () => lostRequest(review.id) !== null };
}
