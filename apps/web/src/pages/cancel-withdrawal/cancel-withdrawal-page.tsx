import type { CallReply } from '@hunter/contract/calls';
import { useEffect, useState } from 'react';
import { api } from '../../data/api.ts';
import { mailToken } from '../../data/mail-token.ts';
import { AuthDetour } from '../../features/session/auth-form.tsx';
import { AuthLayout } from '../../features/session/auth-layout.tsx';
import { useI18n } from '../../i18n/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { exactTime } from '../../ui/relative-time.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { KeyValue } from '../../ui/stat.tsx';
import { usePending } from '../../ui/use-pending.ts';
import { Warning } from '../../ui/warning.tsx';

type Withdrawal = CallReply<'getMailedWithdrawal'>;

/** Opening the link of a mail only shows the withdrawal; the button cancels it. */
export default function CancelWithdrawalPage() {
  const { t } = useI18n();
  const [token] = useState(() => mailToken(globalThis.location.hash));
  const [found, setFound] = useState<Withdrawal | 'loading' | 'none'>(token === null ? 'none' : 'loading');
  const [pending, run] = usePending();

  useEffect(() => {
    if (token === null) return;
    api.call('getMailedWithdrawal', { token }).then(setFound, () => setFound('none'));
  }, [token]);

  const cancel = () => run(async () => setFound(await api.call('cancelMailedWithdrawal', { token: token! })));

  if (typeof found === 'object' && found.status === 'cancelled') {
    return (
      <AuthLayout title={t('mailed.cancel.done')} text={t('mailed.cancel.doneText')}>
        <Facts withdrawal={found} />
        <AuthDetour to="/login" link={t('auth.reset.back')} />
      </AuthLayout>
    );
  }
  const isHeld = typeof found === 'object' && found.status === 'held';
  return (
    <AuthLayout title={t('mailed.cancel.title')} {...(isHeld ? { text: t('mailed.cancel.text') } : {})}>
      {found === 'loading' ? (
        <Skeleton height={120} />
      ) : found === 'none' ? (
        <Warning text={t('mailed.freeze.noLink')} />
      ) : (
        <div className="flex flex-col gap-4">
          <Facts withdrawal={found} />
          {isHeld ? (
            <Button size="l" className="w-full" pending={pending} onClick={() => void cancel()}>
              {t('mailed.cancel.submit')}
            </Button>
          ) : (
            <Warning text={t('mailed.cancel.over')} />
          )}
        </div>
      )}
    </AuthLayout>
  );
}

function Facts({ withdrawal }: { withdrawal: Withdrawal }) {
  const { t, language } = useI18n();
  return (
    <div className="rounded-m border border-line px-3.5 py-2">
      <KeyValue label={t('mailed.cancel.amount')}>
        <span className="font-semibold">
          {withdrawal.amount} <bdi>{withdrawal.tokenSymbol}</bdi>
        </span>
      </KeyValue>
      <div className="py-[5px] text-sm">
        <p className="text-muted">{t('mailed.cancel.to')}</p>
        <p className="font-mono break-all">{withdrawal.toWallet}</p>
      </div>
      {withdrawal.heldUntil !== null && (
        <KeyValue label={t('mailed.cancel.until')}>{exactTime(withdrawal.heldUntil, language)}</KeyValue>
      )}
    </div>
  );
}
