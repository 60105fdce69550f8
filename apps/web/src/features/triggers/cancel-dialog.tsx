import { api } from '../../data/api.ts';
import { useT } from '../../i18n/i18n.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { toast } from '../../ui/toast-store.ts';
import { kindText } from './trigger-text.ts';
import type { Trigger } from './trigger.ts';
import { refreshTriggers } from './use-triggers.ts';

/** Asks before one trigger is canceled: a position may be left without protection. */
export default function CancelDialog({ trigger, onClose }: { trigger: Trigger; onClose: () => void }) {
  const t = useT();
  const isProtective = trigger.kind !== 'limit' && trigger.kind !== 'dca';
  return (
    <ConfirmDialog
      open
      title={t('triggers.cancelDialog.title', { name: kindText(trigger, t), symbol: trigger.tokenSymbol })}
      text={t(isProtective ? 'triggers.cancelDialog.protective' : 'triggers.cancelDialog.text')}
      confirmLabel={t('triggers.cancelDialog.confirm')}
      cancelLabel={t('triggers.cancelDialog.keep')}
      tone="sell"
      onConfirm={async () => {
        await api.call('cancelTrigger', { id: trigger.id });
        toast.success(t('triggers.list.canceled'));
        refreshTriggers();
        onClose();
      }}
      onClose={onClose}
    />
  );
}
