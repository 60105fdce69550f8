import { useState } from 'react';
import { ApiFailure } from '../../data/api-failure.ts';
import { attempt, isUnknown } from '../../data/attempts.ts';
import { queryClient } from '../../data/query-client.ts';
import { useUser } from '../../data/session.ts';
import { apiKey } from '../../data/use-api-query.ts';
import { useT } from '../../i18n/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { tidyAmount } from '../../ui/sol-amount.ts';
import { SolField } from '../../ui/sol-field.tsx';
import { TextInput } from '../../ui/text-input.tsx';
import { toast } from '../../ui/toast-store.ts';
import { Warning } from '../../ui/warning.tsx';
import { useForm } from '../../ui/use-form.ts';
import { validateWithdrawal } from './withdraw-form.ts';
import type { WithdrawProblem, WithdrawValues } from './withdraw-form.ts';
import { WithdrawalList } from './withdrawal-list.tsx';
import { WithdrawalResult } from './withdrawal-result.tsx';
import type { Withdrawal } from './withdrawal.ts';

export default function WithdrawDialog({ onClose }: { onClose: () => void }) {
  const t = useT();
  const wallet = useUser((user) => user?.walletInfo ?? null);
  const [result, setResult] = useState<Withdrawal | null>(null);
  const [failed, setFailed] = useState<Failure>(null);
  const form = useForm<WithdrawValues, WithdrawProblem>({
    initial: { toWallet: '', amount: '', password: '' },
    validate: (values) => validateWithdrawal(values, wallet),
    submit: async (values) => {
      setFailed(null);
      const request = {
        toWallet: values.toWallet.trim(),
        amount: tidyAmount(values.amount),
        password: values.password,
      };
      try {
        // The same destination and amount again, after an answer that never came, is the same withdrawal.
        const withdrawal = await attempt('withdrawal', request, [request.toWallet, request.amount]);
        setResult(withdrawal);
        const { status } = withdrawal;
        if (status === 'failed') toast.error(t('account.withdrawDialog.failed'));
        else if (status === 'confirmed' || status === 'finalized') toast.success(t('account.withdrawDialog.success'));
      } catch (error) {
        const refusal = error instanceof ApiFailure ? error.refusal : null;
        if (refusal === 'WRONG_PASSWORD') form.refuse('password', 'wrongPassword');
        if (refusal === 'WITHDRAWAL_DESTINATION') form.refuse('toWallet', 'toLost');
        setFailed(isUnknown(error) ? 'unknown' : 'failed');
      }
      for (const call of ['getMyWithdrawals', 'getMyAccount'] as const) {
        void queryClient.invalidateQueries({ queryKey: apiKey(call) });
      }
    },
  });
  return (
    <Dialog open onClose={onClose} title={t('account.withdrawDialog.title')} width={460} locked={form.pending}>
      {result ? (
        <WithdrawalResult
          first={result}
          onAgain={() => {
            form.clear('amount');
            form.clear('password');
            setResult(null);
          }}
          onDone={onClose}
        />
      ) : (
        <WithdrawForm form={form} failed={failed} />
      )}
    </Dialog>
  );
}

type Failure = 'failed' | 'unknown' | null;
type Form = ReturnType<typeof useForm<WithdrawValues, WithdrawProblem>>;

function WithdrawForm({ form, failed }: { form: Form; failed: Failure }) {
  const t = useT();
  const wallet = useUser((user) => user?.walletInfo ?? null);
  const error = (field: keyof WithdrawValues) => {
    const problem = form.errors[field];
    return problem ? t(`account.withdrawDialog.errors.${problem}`) : null;
  };
  return (
    <form className="flex flex-col gap-4" noValidate onSubmit={form.onSubmit}>
      <div>
        <h3 className="mb-1">{t('account.withdrawDialog.from')}</h3>
        <p className="rounded-m bg-hover px-3 py-2 font-mono text-sm break-all text-muted" data-testid="from-wallet">
          {wallet?.walletAddress ?? '-'}
        </p>
      </div>
      <Field
        label={t('account.withdrawDialog.to')}
        error={error('toWallet')}
        aside={<span className="text-xs text-faint">{t('account.withdrawDialog.network')}</span>}
      >
        {(input) => (
          <TextInput
            {...input}
            {...form.input('toWallet')}
            size="l"
            inputClassName="font-mono text-sm!"
            autoComplete="off"
            spellCheck={false}
            maxLength={60}
            placeholder={t('account.withdrawDialog.toPlaceholder')}
            disabled={form.pending}
          />
        )}
      </Field>
      <SolField
        label={t('account.withdrawDialog.amount')}
        value={form.values.amount}
        onValue={(text) => form.set('amount', text)}
        onBlur={() => form.values.amount !== '' && form.touch('amount')}
        available={wallet?.withdrawable ?? null}
        max={wallet?.withdrawable}
        availableText={(amount) => t('account.withdrawDialog.withdrawable', { amount })}
        shareLabel={(share) => t('account.withdrawDialog.chip', { share })}
        maxLabel={t('account.withdrawDialog.max')}
        error={error('amount')}
        hint={t('account.withdrawDialog.locked')}
        disabled={form.pending}
      />
      <Field label={t('account.withdrawDialog.password')} error={error('password')}>
        {(input) => (
          <TextInput
            {...input}
            {...form.input('password')}
            type="password"
            size="l"
            autoComplete="current-password"
            maxLength={256}
            disabled={form.pending}
          />
        )}
      </Field>
      {failed && <Warning text={t(failed === 'unknown' ? 'ui.noAnswer' : 'account.withdrawDialog.failed')} />}
      <Button type="submit" size="l" className="w-full" pending={form.pending}>
        {t('account.withdrawDialog.submit')}
      </Button>
      <WithdrawalList />
    </form>
  );
}
