import { escapeHtml } from '../platform/html.ts';
import type { MailContent } from './mail-frame.ts';

// Says everything in both languages.

type Content = { subject: string; en: string[]; zh: string[]; code: string | null };

const factorChanges = {
  'factor-enrolled': { en: 'A second factor was added to your account', zh: '您的账户添加了二次验证方式' },
  'factor-removed': { en: 'A second factor was removed from your account', zh: '您的账户移除了二次验证方式' },
  'recovery-codes-renewed': { en: 'Your recovery codes were replaced', zh: '您的恢复码已更换' },
  'login-rule-changed': {
    en: 'Whether logging in needs a second factor was changed',
    zh: '登录是否需要二次验证的设置已更改',
  },
  'recovery-canceled': {
    en: 'Removing your second factors was canceled',
    zh: '移除二次验证的申请已取消',
  },
  'factors-recovered': {
    en: 'All second factors were removed from your account',
    zh: '您账户的所有二次验证已被移除',
  },
} as const;

export type FactorChangeEvent = keyof typeof factorChanges;

export function factorChangedMail(event: FactorChangeEvent, name: string): MailContent {
  const { en, zh } = factorChanges[event];
  return render({
    subject: `${en} · ${zh}`,
    en: [
      name === '' ? `${en}.` : `${en}: ${name}`,
      'If it was not you, change your password and check your second factors now.',
    ],
    zh: [name === '' ? `${zh}。` : `${zh}：${name}`, '如非本人操作，请立即修改密码并检查您的二次验证方式。'],
    code: null,
  });
}

/** The one mail that gives the owner days to act in. */
export function recoveryStartedMail(readyAt: string): MailContent {
  return render({
    subject: 'Someone asked to remove your second factors · 有人申请移除您的二次验证',
    en: [
      `Someone with your password asked to remove all second factors of your account. They can be removed from ${readyAt} on.`,
      'If it was not you, log in, open Account → Security and cancel it, then change your password. Using a second factor cancels it too.',
    ],
    zh: [
      `有人使用您的密码申请移除您账户的所有二次验证，${readyAt} 起可以移除。`,
      '如非本人操作，请登录后在“账户 → 安全”中取消，并修改密码。使用任一二次验证方式也会取消该申请。',
    ],
    code: null,
  });
}

function render({ subject, en, zh, code }: Content): MailContent {
  const paragraphs = (lines: string[]) => lines.map((line) => `<p>${escapeHtml(line)}</p>`).join('\n');
  return {
    subject,
    text: `${en.join('\n')}\n\n${zh.join('\n')}\n`,
    html: `<!doctype html>\n<html lang="en"><body>\n${paragraphs(en)}\n<hr>\n<div lang="zh">${paragraphs(zh)}</div>\n</body></html>\n`,
    code,
  };
}
