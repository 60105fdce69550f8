import { useEffect, useState } from 'react';
import { useT } from '../../i18n/i18n.ts';
import { classNames } from '../../ui/class-names.ts';
import { durationText, timeSince, timeUntil } from './duration.ts';
import type { Duration } from './duration.ts';
import type { Strategy } from './strategy.ts';

const SOON_MS = 86_400_000;

/** How long a strategy runs: its whole duration, or what is left of it once less than a day remains. */
export function RunningTime({
  duration,
  endTime,
  running,
  always = false,
  className,
}: {
  duration: Duration | null;
  endTime: number | null;
  running: boolean;
  /** Counts down from the beginning, not only on the last day. */
  always?: boolean;
  className?: string;
}) {
  const t = useT();
  const [nowMs, setNowMs] = useState(() => Date.now());
  const counts = running && endTime !== null && (always || endTime - nowMs < SOON_MS);
  useEffect(() => {
    if (!counts) return undefined;
    const timer = setInterval(() => setNowMs(Date.now()), 10_000);
    return () => clearInterval(timer);
  }, [counts]);
  if (duration === null)
    return <span className={classNames('whitespace-nowrap', className)}>{t('strategies.card.openEnded')}</span>;
  if (!counts || endTime === null)
    return <span className={classNames('num', className)}>{durationText(duration, t)}</span>;
  return (
    <span className={classNames('num', endTime - nowMs < SOON_MS && 'text-warn', className)}>
      {t('strategies.card.endsIn', { time: durationText(timeUntil(endTime, nowMs), t) })}
    </span>
  );
}

/** From publishing until now, or until the end. */
export function Age({ strategy }: { strategy: Pick<Strategy, 'publishTime' | 'endTime' | 'status'> }) {
  const t = useT();
  const [nowMs, setNowMs] = useState(() => Date.now());
  const ended = strategy.status === 'ended';
  useEffect(() => {
    if (ended) return undefined;
    const timer = setInterval(() => setNowMs(Date.now()), 60_000);
    return () => clearInterval(timer);
  }, [ended]);
  const untilMs = ended && strategy.endTime !== null ? strategy.endTime : nowMs;
  return <span className="num">{durationText(timeSince(strategy.publishTime, untilMs), t)}</span>;
}
