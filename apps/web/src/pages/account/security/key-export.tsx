import { useState } from 'react';
import { api } from '../../../data/api.ts';
import { refreshCalls, useApiQuery } from '../../../data/use-api-query.ts';
import { useI18n } from '../../../i18n/i18n.ts';
import { late } from '../../../ui/late.tsx';
import { exactTime } from '../../../ui/relative-time.ts';
import { Button } from '../../../ui/button.tsx';
import { toast } from '../../../ui/toast-store.ts';

const KeyDialog = late(() => import('./key-dialog.tsx'));

export function KeyExport() {
  const { t } = useI18n();
  const [open, setOpen] = useState(false);
  return (
    <>
      <Waiting />
      <Button tone="ghost" onClick={() => setOpen(true)}>
        {t('account.security.showKey')}
      </Button>
      {open && <KeyDialog onClose={() => setOpen(false)} />}
    </>
  );
}

/** The key of a large wallet is shown after a delay, in which its owner can cancel it. */
function Waiting() {
  const { t, language } = useI18n();
  const { data } = useApiQuery('getMyFactors', {}, { quiet: true });
  const readyAt = data?.exportReadyAt ?? null;
  if (readyAt === null) return null;

  async function cancel(): Promise<void> {
    try {
      await api.call('cancelKeyExport', {});
    } catch {
      // The reason is shown as a toast.
      return;
    }
    toast.success(t('account.security.keyCanceled'));
    void refreshCalls('getMyFactors', 'getMyAuditLog');
  }

  return (
    <div className="flex flex-wrap items-center gap-3" data-testid="key-waits">
      <span className="text-muted">{t('account.security.keyWaits', { time: exactTime(readyAt, language) })}</span>
      <Button tone="ghost" size="s" onClick={() => void cancel()}>
        {t('account.security.keyCancel')}
      </Button>
    </div>
  );
}
