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

function render({ subject, en, zh, code }: Content): MailContent {
  const paragraphs = (lines: string[]) => lines.map((line) => `<p>${escapeHtml(line)}</p>`).join('\n');
  return {
    subject,
    text: `${en.join('\n')}\n\n${zh.join('\n')}\n`,
    html: `<!doctype html>\n<html lang="en"><body>\n${paragraphs(en)}\n<hr>\n<div lang="zh">${paragraphs(zh)}</div>\n</body></html>\n`,
    code,
  };
}
