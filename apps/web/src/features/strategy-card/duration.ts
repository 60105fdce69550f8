import type { Translate } from '../../i18n/i18n.ts';

export type Duration = { days: number; hours: number; minutes: number };

const MINUTE_MS = 60_000;

/** Rounded up: what still runs never reads as over. */
export function timeUntil(endMs: number, nowMs: number): Duration {
  return durationOf(Math.ceil((endMs - nowMs) / MINUTE_MS));
}

/** Whole minutes, as relative times count them. */
export function timeSince(startMs: number, nowMs: number): Duration {
  return durationOf(Math.floor((nowMs - startMs) / MINUTE_MS));
}

function durationOf(minutes: number): Duration {
  const total = Math.max(0, minutes);
  return { days: Math.floor(total / 1_440), hours: Math.floor((total % 1_440) / 60), minutes: total % 60 };
}

/** "2d 4h 0m"; leading parts that are zero are left out. */
export function durationText({ days, hours, minutes }: Duration, t: Translate): string {
  if (days > 0) return t('strategies.duration.days', { days, hours, minutes });
  if (hours > 0) return t('strategies.duration.hours', { hours, minutes });
  return t('strategies.duration.minutes', { minutes });
}
