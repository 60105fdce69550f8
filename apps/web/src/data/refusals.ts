// The refusals of the API by their code, and their texts in both languages.
import { errorCatalogue, refusalReasons } from '@hunter/contract/error-catalogue';
import type { ErrorName } from '@hunter/contract/error-catalogue';

export type Language = 'en' | 'zh';

const nameByCode = new Map<number, ErrorName>(
  (Object.keys(errorCatalogue) as ErrorName[]).map((name) => [errorCatalogue[name].code, name]),
);

export const refusalOf = (code: number): ErrorName | null => nameByCode.get(code) ?? null;

/** What the forms call the fields of a request. The others are filled in by the pages themselves. */
const fieldNames: Readonly<Record<string, Record<Language, string>>> = {
  amount: { en: 'Amount', zh: '金额' },
  capital: { en: 'Capital', zh: '本金' },
  coins: { en: 'Coins', zh: '代币' },
  confirmPassword: { en: 'Confirm password', zh: '确认密码' },
  description: { en: 'Description', zh: '描述' },
  duration: { en: 'Duration', zh: '期限' },
  email: { en: 'Email', zh: '邮箱' },
  inviteCode: { en: 'Invite code', zh: '邀请码' },
  keyword: { en: 'Search', zh: '搜索' },
  multiplier: { en: 'Multiplier', zh: '倍数' },
  name: { en: 'Name', zh: '名称' },
  oldPassword: { en: 'Current password', zh: '当前密码' },
  password: { en: 'Password', zh: '密码' },
  slippageBps: { en: 'Slippage', zh: '滑点' },
  toWallet: { en: 'To wallet', zh: '转入钱包' },
  tokenContractAddress: { en: 'Token address', zh: '代币地址' },
  verificationCode: { en: 'Verification code', zh: '验证码' },
};
const otherField: Record<Language, string> = { en: 'A field', zh: '某个字段' };

/** `coins.0.weight` is the first coin's weight: the form shows it as part of its field. */
function fieldName(path: string, language: Language): string {
  return (fieldNames[path.split('.')[0] ?? ''] ?? otherField)[language];
}

/** In the interface's language; null for a code we do not know or an answer that lacks what its text needs. */
export function refusalText(reason: { code: number; data: unknown }, language: Language): string | null {
  const name = refusalOf(reason.code);
  return name && fill(errorCatalogue[name][language], contextOf(reason.data), language);
}

function contextOf(data: unknown): Record<string, unknown> {
  return typeof data === 'object' && data !== null ? (data as Record<string, unknown>) : {};
}

/** Null where the answer lacks a value that the text needs. */
function fill(text: string, context: Record<string, unknown>, language: Language): string | null {
  let complete = true;
  const filled = text.replace(/\{(\w+)\}/g, (_, key: string) => {
    const value = context[key];
    if (typeof value !== 'string' && typeof value !== 'number') {
      complete = false;
      return '';
    }
    if (key === 'field') return fieldName(String(value), language);
    return (key === 'reason' ? refusalReasons[value]?.[language] : undefined) ?? String(value);
  });
  return complete ? filled : null;
}
