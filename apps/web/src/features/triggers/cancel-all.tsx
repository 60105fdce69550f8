import { useState } from 'react';
import { api } from '../../data/api.ts';
import { useT } from '../../i18n/i18n.ts';
import { late } from '../../ui/late.tsx';
import { Button } from '../../ui/button.tsx';
import { toast } from '../../ui/toast-store.ts';
import { refreshTriggers } from './use-triggers.ts';

const ConfirmDialog = late(async () => ({ default: (await import('../../ui/confirm-dialog.tsx')).ConfirmDialog }));

/** Cancels all triggers of the user, or those of one token, after a question. */
export function CancelAllButton({
  token,
}: {
  token?: { tokenContractAddress: string; tokenSymbol: string } | undefined;
}) {
  const t = useT();
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button size="s" tone="ghost" onClick={() => setAsking(true)}>
        {t('triggers.list.cancelAll')}
      </Button>
      {asking && (
        <ConfirmDialog
          open
          title={
            token
              ? t('triggers.cancelAllDialog.titleOf', { symbol: token.tokenSymbol })
              : t('triggers.cancelAllDialog.title')
          }
          text={t('triggers.cancelAllDialog.text')}
          confirmLabel={t('triggers.cancelAllDialog.confirm')}
          cancelLabel={t('triggers.cancelDialog.keep')}
          tone="sell"
          onConfirm={async () => {
            const request = token ? { tokenContractAddress: token.tokenContractAddress } : {};
            const { canceled } = await api.call('cancelAllTriggers', request);
            toast.success(t('triggers.cancelAllDialog.done', { count: canceled }));
            refreshTriggers();
            setAsking(false);
          }}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}
