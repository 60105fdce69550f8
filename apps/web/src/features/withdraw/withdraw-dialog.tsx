import type { CallReply } from '@hunter/contract/calls';
import { useState } from 'react';
import { api } from '../../data/api.ts';
import { ApiFailure } from '../../data/api-failure.ts';
import { useUser } from '../../data/session.ts';
import { useT } from '../../i18n/i18n.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { tidyAmount } from '../../ui/sol-amount.ts';
import { useForm } from '../../ui/use-form.ts';
import { lostReview } from './lost-withdrawals.ts';
import { WithdrawFields } from './withdraw-fields.tsx';
import { SOL_ASSET, validateWithdrawal } from './withdraw-form.ts';
import type { WithdrawProblem, WithdrawValues } from './withdraw-form.ts';
import { WithdrawReview } from './withdraw-review.tsx';
import { useWithdrawableAssets } from './withdrawable-assets.ts';
import { WithdrawalResult } from './withdrawal-result.tsx';
import type { Withdrawal } from './withdrawal.ts';

/** What to send, then what that means, then what became of it. */
export default function WithdrawDialog({ onClose }: { onClose: () => void }) {
  const t = useT();
  const walletAddress = useUser((user) => user?.walletInfo?.walletAddress ?? null);
  const assets = useWithdrawableAssets();
  const [review, setReview] = useState<CallReply<'reviewWithdrawal'> | null>(null);
  const [result, setResult] = useState<Withdrawal | null>(null);
  const [sending, setSending] = useState(false);
  const chosen = (asset: string) => assets.find((one) => one.asset === asset) ?? assets[0]!;
  const form = useForm<WithdrawValues, WithdrawProblem>({
    initial: { asset: SOL_ASSET, toWallet: '', amount: '' },
    validate: (values) => validateWithdrawal(values, walletAddress, chosen(values.asset).available),
    submit: async ({ asset, toWallet, amount }) => {
      try {
        const wanted = {
          toWallet: toWallet.trim(),
          amount: tidyAmount(amount),
          ...(asset === SOL_ASSET ? {} : { tokenContractAddress: asset }),
        };
        setReview(lostReview(wanted) ?? (await api.call('reviewWithdrawal', wanted)));
      } catch (error) {
        // The reason is shown as a toast.
        const refusal = error instanceof ApiFailure ? error.refusal : null;
        if (refusal === 'WITHDRAWAL_DESTINATION') form.refuse('toWallet', 'toLost');
        if (refusal === 'INSUFFICIENT_BALANCE') form.refuse('amount', 'exceeds');
      }
    },
  });
  const symbol = review?.tokenSymbol ?? chosen(form.values.asset).symbol;
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('account.withdrawDialog.title', { symbol })}
      width={460}
      locked={form.pending || sending}
    >
      {result ? (
        <WithdrawalResult
          first={result}
          onAgain={() => {
            form.clear('amount');
            setReview(null);
            setResult(null);
          }}
          onDone={onClose}
        />
      ) : review ? (
        <WithdrawReview review={review} onBack={() => setReview(null)} onResult={setResult} onSending={setSending} />
      ) : (
        <WithdrawFields form={form} assets={assets} walletAddress={walletAddress} />
      )}
    </Dialog>
  );
}
