import { failureText } from '../../data/api-failure.ts';
import type { Language } from '../../data/api-failure.ts';
import { orderFailure } from '../../data/order-failure.ts';
import type { Refusal } from './order-progress.ts';

export function refusalText(refusal: Refusal, language: Language): string {
  return 'error' in refusal ? failureText(refusal.error, language) : orderFailure(refusal.name, language);
}
