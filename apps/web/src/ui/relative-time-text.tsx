import { useSyncExternalStore } from 'react';
import { liveClock } from '../live-clock.ts';
import { useI18n } from '../i18n/i18n.ts';
import { classNames } from './class-names.ts';
import { exactTime, relativeTime } from './relative-time.ts';

// One clock for all times on the page, instead of a timer per table row. They change with the trades, most of which carry
// a time, so that one frame does for both.
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;
let nowSecond = Math.floor(Date.now() / 1_000);

function tick(): void {
  nowSecond = Math.floor(Date.now() / 1_000);
  for (const each of listeners) each();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  nowSecond = Math.floor(Date.now() / 1_000);
  timer ??= setInterval(() => {
    liveClock.atNext('trades', tick);
  }, 1_000);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** "12s ago", exact on hover. The snapshot is the text itself, so a row renders only when its words change. */
export function RelativeTime({ timeMs, className }: { timeMs: number; className?: string }) {
  const { language } = useI18n();
  // The end of the running second, so that what happened within it is "now" and not in the future.
  const text = useSyncExternalStore(subscribe, () => relativeTime(timeMs, nowSecond * 1_000 + 999, language));
  return (
    <time
      dateTime={new Date(timeMs).toISOString()}
      title={exactTime(timeMs, language)}
      className={classNames('num', className)}
    >
      {text}
    </time>
  );
}
