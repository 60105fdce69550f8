import { escapeHtml } from '../platform/html.ts';
import type { Mail } from '../platform/mail.ts';

// Every mail says everything twice, in English and in Chinese: when a code is asked for, nobody is logged in and the
// reader's language is only a guess.

type Content = { subject: string; en: string[]; zh: string[]; code: string | null };
export type MailContent = Omit<Mail, 'to'>;

const purposeTexts = {
  register: { en: 'create your Hunter account', zh: '注册 Hunter 账户' },
  reset: { en: 'reset your Hunter password', zh: '重置 Hunter 密码' },
  export: { en: 'show the private key of your Hunter wallet', zh: '查看 Hunter 钱包私钥' },
} as const;

export function codeMail(purpose: keyof typeof purposeTexts, code: string): MailContent {
  const texts = purposeTexts[purpose];
  return render({
    subject: `${code} – Hunter verification code · 验证码`,
    en: [
      `Your code to ${texts.en}: ${code}`,
      'It is valid for 5 minutes and can be used once. Nobody from Hunter will ever ask you for it.',
      'If you did not ask for it, ignore this email.',
    ],
    zh: [
      `${texts.zh}的验证码：${code}`,
      '5 分钟内有效，仅可使用一次。Hunter 绝不会向您索要验证码。',
      '如非本人操作，请忽略此邮件。',
    ],
    code,
  });
}

export function accountExistsMail(): MailContent {
  return render({
    subject: 'You already have a Hunter account · 您已有 Hunter 账户',
    en: [
      'Someone asked to register with this address, but it already has an account.',
      'If it was you, log in, or reset your password if you have forgotten it. Otherwise ignore this email.',
    ],
    zh: [
      '有人使用此邮箱申请注册，但该邮箱已有账户。',
      '如果是您本人，请直接登录，或在忘记密码时重置密码。否则请忽略此邮件。',
    ],
    code: null,
  });
}

export function noAccountMail(purpose: 'reset' | 'export' | 'register'): MailContent {
  const texts = purposeTexts[purpose];
  return render({
    subject: 'There is no Hunter account for this address · 此邮箱没有 Hunter 账户',
    en: [
      `Someone asked to ${texts.en}, but there is no account for this address.`,
      'If it was you, you may have registered with another address. Otherwise ignore this email.',
    ],
    zh: [`有人申请${texts.zh}，但此邮箱没有账户。`, '如果是您本人，您可能使用了其他邮箱注册。否则请忽略此邮件。'],
    code: null,
  });
}

export function welcomeMail(walletAddress: string): MailContent {
  return render({
    subject: 'Welcome to Hunter · 欢迎使用 Hunter',
    en: [
      'Your account is ready.',
      `Your wallet: ${walletAddress}`,
      'Hunter keeps its key for you (custodial) and showed it to you once; keep your copy where nobody else can read it.',
    ],
    zh: [
      '您的账户已创建。',
      `您的钱包：${walletAddress}`,
      '私钥由 Hunter 托管，注册时已向您显示一次，请妥善保管您的备份。',
    ],
    code: null,
  });
}

export function passwordChangedMail(): MailContent {
  return render({
    subject: 'Your Hunter password was changed · 您的 Hunter 密码已修改',
    en: [
      'The password of your account was just changed. Large withdrawals are held for 24 hours.',
      'If it was not you, reset your password now.',
    ],
    zh: ['您的账户密码刚刚被修改。大额提现将暂缓 24 小时。', '如非本人操作，请立即重置密码。'],
    code: null,
  });
}

export function keyExportedMail(): MailContent {
  return render({
    subject: 'The private key of your wallet was shown · 您的钱包私钥已被查看',
    en: [
      'The private key of your wallet was just shown in your account.',
      'If it was not you, move everything to another wallet first, then reset your password.',
    ],
    zh: ['您的账户刚刚查看了钱包私钥。', '如非本人操作，请先把资产转到其他钱包，再重置密码。'],
    code: null,
  });
}

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
