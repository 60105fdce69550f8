import type { CallReply } from '@hunter/contract/calls';
import { useEffect, useState } from 'react';
import { api } from '../../data/api.ts';
import { useI18n, useT } from '../../i18n/i18n.ts';
import { late } from '../../ui/late.tsx';
import { Button } from '../../ui/button.tsx';
import { Percent, Sol } from '../../ui/numbers.tsx';
import { exactTime } from '../../ui/relative-time.ts';
import { RelativeTime } from '../../ui/relative-time-text.tsx';
import { KeyValue } from '../../ui/stat.tsx';
import { usePending } from '../../ui/use-pending.ts';
import { returnedOf } from './money-columns.tsx';
import { ProgressBar } from './progress-bar.tsx';
import { refreshFollows } from './refresh-follows.ts';
import { skipText } from './skip-text.ts';

type Follow = NonNullable<CallReply<'getStrategyDetail'>['myFollow']>;

const SettingsDialog = late(() => import('./settings-dialog.tsx'));
const FundsDialog = late(() => import('./funds-dialog.tsx'));

/** In a line of its own where the card is narrow. */
const wideButton = 'col-span-full sm:max-xl:col-span-1';

/** The reader's own follow beside the strategy's figures. */
export function MyFollowCard({ follow, onCancel }: { follow: Follow; onCancel: () => void }) {
  const t = useT();
  const [editing, setEditing] = useState<'settings' | 'funds' | null>(null);
  const { status, progress } = follow;
  const hasSteps = progress.total > 0;
  const progressText =
    status === 'closing'
      ? t('strategy.mine.closing', progress)
      : hasSteps
        ? t('strategy.mine.opening', progress)
        : t('strategy.mine.committing');
  return (
    <section className="card border-accent/50! p-4" data-testid="my-follow" data-status={status}>
      <div className="mb-2 flex items-center justify-between">
        <h2>{t('strategy.mine.title')}</h2>
        <Percent value={follow.changeRate} className="text-xl font-bold" />
      </div>
      {(status === 'opening' || status === 'closing') && (
        <div className="mb-2 flex flex-col gap-2" aria-live="polite">
          {(hasSteps || status === 'opening') && <p className="num text-sm text-accent-text">{progressText}</p>}
          {hasSteps && <ProgressBar {...progress} label={progressText} />}
          {status === 'closing' && progress.done === progress.total && (
            <p className="text-sm text-muted">{t('strategy.mine.returning')}</p>
          )}
        </div>
      )}
      {(follow.closedBy === 'stop-loss' || follow.closedBy === 'take-profit') && (
        <p className="mb-2 text-sm text-warn">{t(`strategy.mine.closedBy.${follow.closedBy}`)}</p>
      )}
      <Figures follow={follow} />
      <NotBought follow={follow} />
      {editing === 'settings' && <SettingsDialog follow={follow} onClose={() => setEditing(null)} />}
      {editing === 'funds' && <FundsDialog follow={follow} onClose={() => setEditing(null)} />}
      {status === 'active' && follow.paused && (
        <p className="mt-3 text-sm text-warn">{t('strategy.protection.paused')}</p>
      )}
      <div className="mt-3 grid grid-cols-2 gap-2">
        {status === 'active' && <CopyControls follow={follow} onEdit={setEditing} />}
        <Button
          tone="ghost"
          className={`${wideButton} only:col-span-full`}
          disabled={status === 'closing' || status === 'closed'}
          onClick={onCancel}
        >
          {t('strategy.actions.cancel')}
        </Button>
      </div>
    </section>
  );
}

/** What was put in and what became of it. */
function Figures({ follow }: { follow: Follow }) {
  const t = useT();
  const returned = returnedOf(follow);
  const mode = t(`strategy.follow.modes.${follow.mode}`);
  return (
    <div className="grid sm:max-xl:grid-cols-2 sm:max-xl:gap-x-10">
      <KeyValue label={t('strategy.mine.mode')}>
        {follow.mode === 'position' ? t('strategy.mine.multiplier', { mode, multiplier: follow.multiplier }) : mode}
      </KeyValue>
      <KeyValue label={t('strategy.mine.put')}>
        <Sol value={follow.amount} />
      </KeyValue>
      <KeyValue label={t('strategy.mine.worth')}>
        <Sol value={follow.equity} className="font-semibold" />
      </KeyValue>
      {returned !== null && (
        <KeyValue label={t('strategy.mine.returned')}>
          <Sol value={returned} />
        </KeyValue>
      )}
      <KeyValue label={t('strategy.mine.profit')}>
        <Sol value={follow.pnl} tone />
      </KeyValue>
      <KeyValue label={t('strategy.mine.since')}>
        <RelativeTime timeMs={follow.openTime} />
      </KeyValue>
    </div>
  );
}

/** What joining left out, why, and until when it is tried; gone a day after the last try, and once nothing is bought any more. */
function NotBought({ follow: { notBought, joinUntil, status, paused } }: { follow: Follow }) {
  const { t, language } = useI18n();
  const stage = useJoinStage(joinUntil);
  if (notBought.length === 0 || joinUntil === null || stage === 'past') return null;
  if (status === 'closing' || status === 'closed') return null;
  const text = stage === 'tried' && paused ? 'paused' : stage;
  return (
    <div className="mt-3 text-sm" data-testid="not-bought">
      <p className="text-muted">{t(`strategy.mine.notBought.${text}`, { time: exactTime(joinUntil, language) })}</p>
      <ul className="mt-1 flex flex-col gap-0.5">
        {notBought.map(({ tokenContractAddress, tokenSymbol, reason }) => (
          <li key={tokenContractAddress}>
            <bdi className="font-semibold">{tokenSymbol}</bdi> <span className="text-muted">{skipText(reason, t)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

const DAY_MS = 86_400_000;

/** Changes by itself while the card is looked at. */
function useJoinStage(joinUntil: number | null): 'tried' | 'over' | 'past' {
  const [nowMs, setNowMs] = useState(() => Date.now());
  const leftMs = (joinUntil ?? 0) - nowMs;
  const nextMs = [leftMs, leftMs + DAY_MS].find((ms) => ms > 0);
  useEffect(() => {
    if (nextMs === undefined) return undefined;
    const timer = setTimeout(() => setNowMs(Date.now()), nextMs);
    return () => clearTimeout(timer);
  }, [nextMs]);
  return leftMs > 0 ? 'tried' : leftMs > -DAY_MS ? 'over' : 'past';
}

type CopyControlsProps = { follow: Follow; onEdit: (what: 'settings' | 'funds') => void };

function CopyControls({ follow, onEdit }: CopyControlsProps) {
  const t = useT();
  const [pending, run] = usePending();
  const { slug, paused } = follow;
  const toggle = () =>
    run(async () => {
      await api.call('updateFollow', { slug, paused: !paused });
      await refreshFollows(slug);
    });
  return (
    <>
      <Button tone="ghost" onClick={() => onEdit('settings')}>
        {t('strategy.protection.edit')}
      </Button>
      <Button tone="ghost" pending={pending} onClick={() => void toggle()}>
        {t(paused ? 'strategy.protection.resume' : 'strategy.protection.pause')}
      </Button>
      <Button tone="ghost" className={wideButton} onClick={() => onEdit('funds')}>
        {t('strategy.funds.title')}
      </Button>
    </>
  );
}
