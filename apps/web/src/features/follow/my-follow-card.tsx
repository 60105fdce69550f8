import type { CallReply } from '@hunter/contract/calls';
import { useT } from '../../i18n/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { Percent, Sol } from '../../ui/numbers.tsx';
import { RelativeTime } from '../../ui/relative-time-text.tsx';
import { KeyValue } from '../../ui/stat.tsx';
import { ProgressBar } from './progress-bar.tsx';

type Follow = NonNullable<CallReply<'getStrategyDetail'>['myFollow']>;

/** The reader's own follow beside the strategy's figures. */
export function MyFollowCard({ follow, onCancel }: { follow: Follow; onCancel: () => void }) {
  const t = useT();
  const { status, progress } = follow;
  const mode = t(`strategy.follow.modes.${follow.mode}`);
  const progressText =
    status === 'opening' ? t('strategy.mine.opening', progress) : t('strategy.mine.closing', progress);
  return (
    <section className="card border-accent/50! p-4" data-testid="my-follow" data-status={status}>
      <div className="mb-2 flex items-center justify-between">
        <h2>{t('strategy.mine.title')}</h2>
        <Percent value={follow.changeRate} className="text-xl font-bold" />
      </div>
      {(status === 'opening' || status === 'closing') && (
        <div className="mb-2 flex flex-col gap-2" aria-live="polite">
          <p className="num text-sm text-accent-text">{progressText}</p>
          <ProgressBar {...progress} label={progressText} />
        </div>
      )}
      <KeyValue label={t('strategy.mine.mode')}>
        {follow.mode === 'position' ? t('strategy.mine.multiplier', { mode, multiplier: follow.multiplier }) : mode}
      </KeyValue>
      <KeyValue label={t('strategy.mine.put')}>
        <Sol value={follow.amount} />
      </KeyValue>
      <KeyValue label={t('strategy.mine.worth')}>
        <Sol value={follow.equity} className="font-semibold" />
      </KeyValue>
      <KeyValue label={t('strategy.mine.profit')}>
        <Sol value={follow.pnl} tone />
      </KeyValue>
      <KeyValue label={t('strategy.mine.since')}>
        <RelativeTime timeMs={follow.openTime} />
      </KeyValue>
      <Button
        tone="ghost"
        className="mt-3 w-full"
        disabled={status === 'closing' || status === 'closed'}
        onClick={onCancel}
      >
        {t('strategy.actions.cancel')}
      </Button>
    </section>
  );
}
