import type { CallReply } from '@hunter/contract/calls';
import { useState } from 'react';
import { attempt } from '../../data/attempts.ts';
import { useUser } from '../../data/session.ts';
import { useT } from '../../i18n/i18n.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { SegmentedControl } from '../../ui/segmented-control.tsx';
import { amountProblem, shareOfSol, tidyAmount } from '../../ui/sol-amount.ts';
import { SolField } from '../../ui/sol-field.tsx';
import { toast } from '../../ui/toast-store.ts';
import { refreshFollows } from './refresh-follows.ts';

type Follow = CallReply<'followStrategy'>;

/** Percent of a follow that may be taken out, and what "Max" takes: the price may fall until the server looks at it. */
const REDUCE = { most: 90, max: 89 };

/** Puts more SOL into a follow that runs, or takes some out. */
export default function FundsDialog({ follow, onClose }: { follow: Follow; onClose: () => void }) {
  const t = useT();
  const wallet = useUser((user) => user?.walletInfo?.available ?? null);
  const [action, setAction] = useState<'add' | 'reduce'>('add');
  const [text, setText] = useState('');
  const available = action === 'add' ? wallet : follow.equity;
  const reduced = action === 'reduce' ? follow.equity : null;
  const problem = amountProblem(text, reduced === null ? available : shareOfSol(reduced, REDUCE.most));
  const problemText =
    problem === 'exceeds' && reduced !== null
      ? t('strategy.funds.tooMuch')
      : problem && t(`strategy.follow.errors.${problem}`);
  return (
    <FormDialog
      title={t('strategy.funds.title')}
      submitLabel={t(`strategy.funds.${action}`)}
      disabled={problem !== null}
      onSubmit={async () => {
        await attempt('changeFollowFunds', { slug: follow.slug, action, amount: tidyAmount(text) });
        toast.success(t(`strategy.funds.done.${action}`));
        void refreshFollows(follow.slug);
      }}
      onClose={onClose}
    >
      {(pending) => (
        <>
          <SegmentedControl
            label={t('strategy.funds.title')}
            value={action}
            onChange={setAction}
            fill
            options={(['add', 'reduce'] as const).map((key) => ({
              key,
              label: t(`strategy.funds.${key}`),
              disabled: pending,
            }))}
          />
          <p className="min-h-[2.9em] text-sm text-muted">{t(`strategy.funds.text.${action}`)}</p>
          <SolField
            label={t('strategy.follow.amount')}
            value={text}
            onValue={setText}
            available={available}
            availableText={(shown) => t(`strategy.funds.available.${action}`, { amount: shown })}
            max={reduced === null ? undefined : shareOfSol(reduced, REDUCE.max)}
            error={text === '' ? null : problemText}
            disabled={pending}
          />
        </>
      )}
    </FormDialog>
  );
}
