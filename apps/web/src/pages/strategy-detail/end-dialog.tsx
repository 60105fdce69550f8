import { attempt } from '../../data/attempts.ts';
import { refreshFollows } from '../../features/follow/refresh-follows.ts';
import { useT } from '../../i18n/i18n.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { toast } from '../../ui/toast-store.ts';
import type { StrategyDetail } from './strategy-detail.ts';

export default function EndDialog({ strategy, onClose }: { strategy: StrategyDetail; onClose: () => void }) {
  const t = useT();
  return (
    <ConfirmDialog
      open
      title={<bdi>{t('strategy.end.title', { name: strategy.name })}</bdi>}
      text={t(strategy.autoClear ? 'strategy.end.clear' : 'strategy.end.keep')}
      confirmLabel={t('strategy.end.submit')}
      tone="sell"
      onClose={onClose}
      onConfirm={async () => {
        await attempt('closeStrategy', { slug: strategy.slug });
        toast.success(t('strategy.end.done'));
        void refreshFollows(strategy.slug);
        onClose();
      }}
    >
      <p className="text-sm text-warn">{t('strategy.end.warning')}</p>
    </ConfirmDialog>
  );
}
