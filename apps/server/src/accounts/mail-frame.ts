import { escapeHtml } from '../platform/html.ts';
import type { Mail } from '../platform/mail.ts';

export type Language = 'en' | 'zh';
export type MailContent = Omit<Mail, 'to'>;

export type MailText = {
  subject: string;
  lines: readonly string[];
  /** Label and value, one a line. */
  facts?: readonly (readonly [string, string])[];
  /** Label and address of what the reader may want to do. */
  action?: readonly [string, string];
  /** What every mail of its kind ends with. */
  foot?: readonly [string, string];
  code: string | null;
};

/** Plain text and a simple page that say the same. Values come from users: everything is escaped. */
export function renderMail(
  language: Language,
  { subject, lines, facts = [], action, foot, code }: MailText,
): MailContent {
  const colon = language === 'zh' ? '：' : ': ';
  const text = [
    ...lines,
    ...(facts.length > 0 ? ['', ...facts.map(([label, value]) => `${label}${colon}${value}`)] : []),
    ...(action ? ['', `${action[0]}${colon}`, action[1]] : []),
    ...(foot ? ['', '--', foot[0], foot[1]] : []),
  ].join('\n');
  const cell = 'style="padding:2px 12px 2px 0;vertical-align:top"';
  const rows = facts
    .map(
      ([label, value]) => `<tr><td ${cell}>${escapeHtml(label)}</td><td ${cell}><b>${escapeHtml(value)}</b></td></tr>`,
    )
    .join('\n');
  const button = (label: string, url: string): string =>
    `<p><a href="${escapeHtml(url)}" style="display:inline-block;padding:10px 16px;border-radius:8px;background:#16a34a;color:#ffffff;text-decoration:none">${escapeHtml(label)}</a></p>`;
  const html = [
    `<!doctype html>`,
    `<html lang="${language}"><body style="font-family:system-ui,sans-serif;line-height:1.5;max-width:560px;margin:0 auto;padding:16px;word-break:break-word">`,
    `<h1 style="font-size:18px">${escapeHtml(subject)}</h1>`,
    ...lines.map((line) => `<p>${escapeHtml(line)}</p>`),
    ...(facts.length > 0 ? [`<table>${rows}</table>`] : []),
    ...(action ? [button(action[0], action[1])] : []),
    ...(foot
      ? [`<hr><p style="color:#6b7280;font-size:13px"><a href="${escapeHtml(foot[1])}">${escapeHtml(foot[0])}</a></p>`]
      : []),
    `</body></html>`,
  ].join('\n');
  return { subject, text: `${text}\n`, html: `${html}\n`, code };
}
