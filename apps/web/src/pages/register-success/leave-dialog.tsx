import { useT } from '../../i18n/i18n.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';

export default function LeaveDialog({ onStay, onLeave }: { onStay: () => void; onLeave: () => void }) {
  const t = useT();
  return (
    <ConfirmDialog
      open
      title={t('auth.success.leaveTitle')}
      text={t('auth.success.leaveText')}
      confirmLabel={t('auth.success.leave')}
      cancelLabel={t('auth.success.stay')}
      tone="sell"
      onConfirm={onLeave}
      onClose={onStay}
    />
  );
}
