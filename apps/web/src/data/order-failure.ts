import { errorCatalogue } from '@hunter/contract/error-catalogue';
import type { ErrorName } from '@hunter/contract/error-catalogue';
import type { Language } from './api-failure.ts';

/** An order keeps the name of why it failed and not the figures that some texts tell with it. */
const withoutFigures: Partial<Record<string, Record<Language, string>>> = {
  AMOUNT_TOO_SMALL: { en: 'The amount is too small', zh: '金额过小' },
  PRICE_IMPACT_TOO_HIGH: { en: 'The price impact is too high, reduce the amount', zh: '价格影响过高，请减少数量' },
};

/** Why an order failed, by the name that came with it. */
export function orderFailure(name: string | null, language: Language): string {
  const known = withoutFigures[name ?? ''] ?? errorCatalogue[name as ErrorName] ?? errorCatalogue.TRADE_FAILED;
  return known[language];
}
