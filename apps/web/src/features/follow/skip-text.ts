import { COPY_SKIP_REASONS } from '@hunter/domain/copying/copy-skip';
import type { Translate } from '../../i18n/i18n.ts';

/** Why a copy did not happen. Newer servers may give reasons that this build does not know. */
export function skipText(reason: string | null, t: Translate): string {
  const known = COPY_SKIP_REASONS.find((each) => each === reason);
  return known ? t(`strategy.skips.${known}`) : t('strategy.skips.unknown');
}
