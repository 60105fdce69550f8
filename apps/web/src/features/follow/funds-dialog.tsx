import type { CallReply } from '@hunter/contract/calls';
import { useState } from 'react';
import { attempt } from '../../data/attempts.ts';
import { useUser } from '../../data/session.ts';
import { useT } from '../../i18n/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { SegmentedControl } from '../../ui/segmented-control.tsx';
import { amountProblem, tidyAmount } from '../../ui/sol-amount.ts';
import { SolField } from '../../ui/sol-field.tsx';
import { toast } from '../../ui/toast-store.ts';
import { refreshFollows } from './refresh-follows.ts';

type Follow = CallReply<'followStrategy'>;

/** Puts more SOL into a follow that runs, or takes some out. */
export default function FundsDialog({ follow, onClose }: { follow: Follow; onClose: () => void }) {
  const t = useT();
  const wallet = useUser((user) => user?.walletInfo?.available ?? null);
  const [action, setAction] = useState<'add' | 'reduce'>('add');
  const [text, setText] = useState('');
  const [touched, setTouched] = useState(false);
  const [pending, setPending] = useState(false);
  const available = action === 'add' ? wallet : follow.equity;
  const problem = amountProblem(text, available);

  async function submit(): Promise<void> {
    setTouched(true);
    if (problem !== null || pending) return;
    setPending(true);
    try {
      await attempt('changeFollowFunds', { slug: follow.slug, action, amount: tidyAmount(text) });
      toast.success(t(`strategy.funds.done.${action}`));
      void refreshFollows(follow.slug);
      onClose();
    } catch {
      // The call has told why; what was typed stays.
    } finally {
      setPending(false);
    }
  }

  return (
    <Dialog open onClose={onClose} locked={pending} title={t('strategy.funds.title')}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
        noValidate
      >
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
          shareLabel={(share) => t('strategy.follow.chip', { share })}
          maxLabel={t('strategy.follow.max')}
          error={(touched || problem === 'exceeds') && problem ? t(`strategy.follow.errors.${problem}`) : null}
          disabled={pending}
        />
        <Button type="submit" size="l" className="w-full" pending={pending}>
          {t(`strategy.funds.${action}`)}
        </Button>
      </form>
    </Dialog>
  );
}
