import { attempt } from '../../data/attempts.ts';
import { refreshFollows } from '../../features/follow/refresh-follows.ts';
import { useT } from '../../i18n/i18n.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Sol } from '../../ui/numbers.tsx';
import { KeyValue } from '../../ui/stat.tsx';
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
      {/* Whose money it is about: the creator's own, and that of those who follow. */}
      <KeyValue label={t('strategy.stats.equity')}>
        <Sol value={strategy.equity} className="font-semibold" />
      </KeyValue>
      <KeyValue label={t('strategy.stats.followers')}>{strategy.followers}</KeyValue>
      <KeyValue label={t('strategy.stats.copiedFunds')}>
        <Sol value={strategy.copyTradeFunds} />
      </KeyValue>
      <p className="mt-2 text-sm text-warn">{t('strategy.end.warning')}</p>
    </ConfirmDialog>
  );
}
