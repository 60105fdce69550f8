import { useT } from '../../i18n/i18n.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';

export default function LeaveDialog({ onStay, onLeave }: { onStay: () => void; onLeave: () => void }) {
  const t = useT();
  return (
    <ConfirmDialog
      open
      title={t('newWallet.leaveTitle')}
      text={t('newWallet.leaveText')}
      confirmLabel={t('newWallet.leave')}
      cancelLabel={t('newWallet.stay')}
      tone="sell"
      onConfirm={onLeave}
      onClose={onStay}
    />
  );
}
