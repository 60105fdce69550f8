// "5 minutes ago" in the interface's language.
import type { Language } from '../i18n/detect-language.ts';

const SECOND = 1_000;
const steps = [
  { unit: 'second', ms: SECOND, until: 60 * SECOND },
  { unit: 'minute', ms: 60 * SECOND, until: 3_600 * SECOND },
  { unit: 'hour', ms: 3_600 * SECOND, until: 86_400 * SECOND },
  { unit: 'day', ms: 86_400 * SECOND, until: 30 * 86_400 * SECOND },
  { unit: 'month', ms: 30 * 86_400 * SECOND, until: 365 * 86_400 * SECOND },
  { unit: 'year', ms: 365 * 86_400 * SECOND, until: Number.POSITIVE_INFINITY },
] as const;

const formats: Record<Language, Intl.RelativeTimeFormat> = {
  en: new Intl.RelativeTimeFormat('en', { style: 'narrow' }),
  zh: new Intl.RelativeTimeFormat('zh-CN', { style: 'short' }),
};
const now: Record<Language, string> = { en: 'now', zh: '刚刚' };

export function relativeTime(timeMs: number, nowMs: number, language: Language): string {
  const awayMs = timeMs - nowMs;
  const distance = Math.abs(awayMs);
  if (distance < SECOND) return now[language];
  const step = steps.find(({ until }) => distance < until) ?? steps[5];
  // What was set to 7 days a moment ago is in 7 days, not in 6; what is past is as old as it has become.
  const count = awayMs > 0 ? Math.round(distance / step.ms) : Math.floor(distance / step.ms);
  const text = formats[language].format(Math.sign(awayMs) * count, step.unit);
  // Figures stand apart from Chinese words, as everywhere in the interface.
  return language === 'zh' ? text.replace(/^\d+/, '$& ') : text;
}

const dates: Record<Language, Intl.DateTimeFormat> = {
  en: new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' }),
  zh: new Intl.DateTimeFormat('zh-CN', { dateStyle: 'medium', timeStyle: 'medium' }),
};

export function exactTime(timeMs: number, language: Language): string {
  return dates[language].format(timeMs);
}
