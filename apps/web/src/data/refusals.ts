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
  address: { en: 'Address', zh: '地址' },
  addresses: { en: 'IP addresses', zh: 'IP 地址' },
  amount: { en: 'Amount', zh: '金额' },
  buyMax: { en: 'Its buys up to', zh: '仅跟其买入不高于' },
  capital: { en: 'Capital', zh: '本金' },
  coinCap: { en: 'Coin cap', zh: '单币上限' },
  coins: { en: 'Coins', zh: '代币' },
  confirmPassword: { en: 'Confirm password', zh: '确认密码' },
  dailySol: { en: 'Daily limit', zh: '每日限额' },
  description: { en: 'Description', zh: '描述' },
  duration: { en: 'Duration', zh: '期限' },
  email: { en: 'Email', zh: '邮箱' },
  inviteCode: { en: 'Invite code', zh: '邀请码' },
  keyword: { en: 'Search', zh: '搜索' },
  label: { en: 'Label', zh: '名称' },
  level: { en: 'Trigger level', zh: '触发价' },
  maxGap: { en: 'Max price gap', zh: '最大价差' },
  multiplier: { en: 'Multiplier', zh: '倍数' },
  name: { en: 'Name', zh: '名称' },
  oldPassword: { en: 'Current password', zh: '当前密码' },
  password: { en: 'Password', zh: '密码' },
  runUpLimit: { en: 'Run-up limit', zh: '追高限制' },
  slippageBps: { en: 'Slippage', zh: '滑点' },
  stopLoss: { en: 'Stop loss', zh: '止损' },
  takeProfit: { en: 'Take profit', zh: '止盈' },
  toWallet: { en: 'To wallet', zh: '转入钱包' },
  tokenContractAddress: { en: 'Token address', zh: '代币地址' },
  verificationCode: { en: 'Verification code', zh: '验证码' },
};
const otherField: Record<Language, string> = { en: 'A field', zh: '某个字段' };

/** The innermost part that has a name: `coins.0.weight` is shown as part of the coins, `settings.buyMax` is a field itself. */
function fieldName(path: string, language: Language): string {
  const named = path.split('.').findLast((part) => Object.hasOwn(fieldNames, part)) ?? '';
  return (fieldNames[named] ?? otherField)[language];
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
