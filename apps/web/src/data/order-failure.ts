import { errorCatalogue } from '@hunter/contract/error-catalogue';
import type { ErrorName } from '@hunter/contract/error-catalogue';
import type { Language } from './api-failure.ts';

/** What is kept of a failure is its name, and not the figures that some texts tell with it. */
const withoutFigures: Partial<Record<string, Record<Language, string>>> = {
  AMOUNT_TOO_SMALL: { en: 'The amount is too small', zh: '金额过小' },
  PRICE_IMPACT_TOO_HIGH: { en: 'The price impact is too high, reduce the amount', zh: '价格影响过高，请减少数量' },
  RATE_LIMITED: { en: 'Too many requests', zh: '请求过于频繁' },
  WITHDRAWAL_NEW_ADDRESS: {
    en: 'After a password reset withdrawals go only to addresses used before',
    zh: '重置密码后只能提现到曾使用过的地址',
  },
};

/** The text of a failure of which only the name is known; null for one that this build does not know. */
export function failureOfName(name: string, language: Language): string | null {
  return (withoutFigures[name] ?? errorCatalogue[name as ErrorName])?.[language] ?? null;
}

/** Why an order failed, by the name that came with it. */
export function orderFailure(name: string | null, language: Language): string {
  return failureOfName(name ?? '', language) ?? errorCatalogue.TRADE_FAILED[language];
}
