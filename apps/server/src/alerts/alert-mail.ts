import { alertText } from '@hunter/contract/alert-text';
import type { AlertBody } from '@hunter/contract/calls/alerts';
import { digestOf } from '@hunter/domain/alerts/alert-digest';
import { escapeHtml } from '../platform/html.ts';
import type { Mail } from '../platform/mail.ts';

export type Language = 'en' | 'zh';

const more = { en: (count: number) => `and ${count} more`, zh: (count: number) => `另有 ${count} 条` } as const;
const footer = {
  en: 'You choose what is sent by email in your account under Notifications.',
  zh: '可在账户的“通知”中选择哪些内容发送邮件。',
} as const;

/** The lines of one message: the newest alerts, oldest first, and how many more there are. */
export function messageLines(alerts: readonly AlertBody[], language: Language): string[] {
  const { shown, further } = digestOf(alerts);
  const lines = shown.map((body) => {
    const { title, text } = alertText(body, language);
    return `${title}${language === 'en' ? ': ' : '：'}${text}`;
  });
  return further === 0 ? lines : [...lines, more[language](further)];
}

export function messageTitle(alerts: readonly AlertBody[], language: Language): string {
  const [first] = alerts;
  if (alerts.length === 1 && first) return alertText(first, language).title;
  return language === 'en' ? `${alerts.length} notifications` : `${alerts.length} 条通知`;
}

export function alertMail(to: string, alerts: readonly AlertBody[], language: Language): Mail {
  const lines = [...messageLines(alerts, language), footer[language]];
  const paragraphs = lines.map((line) => `<p>${escapeHtml(line)}</p>`).join('\n');
  return {
    to,
    // Names of strategies and tokens come from strangers and must not break out of the subject's line.
    subject: `Hunter: ${messageTitle(alerts, language)}`.replaceAll(/\s+/g, ' '),
    text: `${lines.join('\n')}\n`,
    html: `<!doctype html>\n<html lang="${language}"><body>\n${paragraphs}\n</body></html>\n`,
    code: null,
  };
}
