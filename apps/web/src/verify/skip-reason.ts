import { COPY_SKIP_CODES, COPY_SKIP_REASONS } from '@hunter/domain/copying/copy-skip';
import type { Translate } from './texts.ts';

/** The words for the number that stands in the proof. Newer servers may give numbers that this build does not know. */
export function skipReason(code: number, t: Translate): string {
  const known = COPY_SKIP_REASONS.find((reason) => COPY_SKIP_CODES[reason] === code);
  return known ? t(`verify.skips.${known}`) : `${t('verify.skips.unknown')} (${code})`;
}
