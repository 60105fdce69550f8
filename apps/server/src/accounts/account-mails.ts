import { type Language, type MailContent, renderMail } from './mail-frame.ts';

// Mails that are no security events: codes and the welcome. The language is that of the account, or of whoever asks where
// there is none.

const purposeTexts = {
  register: { en: 'create your Hunter account', zh: '注册 Hunter 账户' },
  reset: { en: 'reset your Hunter password', zh: '重置 Hunter 密码' },
  export: { en: 'show the private key of your Hunter wallet', zh: '查看 Hunter 钱包私钥' },
  unfreeze: { en: 'unfreeze your Hunter account', zh: '解冻 Hunter 账户' },
} as const;

export function codeMail(language: Language, purpose: keyof typeof purposeTexts, code: string): MailContent {
  const what = purposeTexts[purpose][language];
  return renderMail(
    language,
    language === 'zh'
      ? {
          subject: `${code} – Hunter 验证码`,
          lines: [
            `${what}的验证码：${code}`,
            '5 分钟内有效，仅可使用一次。Hunter 绝不会向您索要验证码。',
            '如非本人操作，请忽略此邮件。',
          ],
          code,
        }
      : {
          subject: `${code} – Hunter verification code`,
          lines: [
            `Your code to ${what}: ${code}`,
            'It is valid for 5 minutes and can be used once. Nobody from Hunter will ever ask you for it.',
            'If you did not ask for it, ignore this email.',
          ],
          code,
        },
  );
}

export function accountExistsMail(language: Language): MailContent {
  return renderMail(
    language,
    language === 'zh'
      ? {
          subject: '您已有 Hunter 账户',
          lines: [
            '有人使用此邮箱申请注册，但该邮箱已有账户。',
            '如果是您本人，请直接登录，或在忘记密码时重置密码。否则请忽略此邮件。',
          ],
          code: null,
        }
      : {
          subject: 'You already have a Hunter account',
          lines: [
            'Someone asked to register with this address, but it already has an account.',
            'If it was you, log in, or reset your password if you have forgotten it. Otherwise ignore this email.',
          ],
          code: null,
        },
  );
}

export function noAccountMail(language: Language, purpose: keyof typeof purposeTexts): MailContent {
  const what = purposeTexts[purpose][language];
  return renderMail(
    language,
    language === 'zh'
      ? {
          subject: '此邮箱没有 Hunter 账户',
          lines: [`有人申请${what}，但此邮箱没有账户。`, '如果是您本人，您可能使用了其他邮箱注册。否则请忽略此邮件。'],
          code: null,
        }
      : {
          subject: 'There is no Hunter account for this address',
          lines: [
            `Someone asked to ${what}, but there is no account for this address.`,
            'If it was you, you may have registered with another address. Otherwise ignore this email.',
          ],
          code: null,
        },
  );
}

export function welcomeMail(language: Language, walletAddress: string): MailContent {
  return renderMail(
    language,
    language === 'zh'
      ? {
          subject: '欢迎使用 Hunter',
          lines: ['您的账户已创建。', '私钥由 Hunter 托管，注册时已向您显示一次，请妥善保管您的备份。'],
          facts: [['您的钱包', walletAddress]],
          code: null,
        }
      : {
          subject: 'Welcome to Hunter',
          lines: [
            'Your account is ready.',
            'Hunter keeps its key for you (custodial) and showed it to you once; keep your copy where nobody else can read it.',
          ],
          facts: [['Your wallet', walletAddress]],
          code: null,
        },
  );
}
