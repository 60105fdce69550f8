import { errorCatalogue } from '@hunter/contract/error-catalogue';
import type { ErrorName } from '@hunter/contract/error-catalogue';
import { failureText } from '../../data/api-failure.ts';
import type { Language } from '../../data/api-failure.ts';
import type { Refusal } from './order-progress.ts';

export function refusalText(refusal: Refusal, language: Language): string {
  if ('error' in refusal) return failureText(refusal.error, language);
  return (errorCatalogue[refusal.name as ErrorName] ?? errorCatalogue.TRADE_FAILED)[language];
}
