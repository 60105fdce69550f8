import { WALLET_SKIP_REASONS } from '@hunter/domain/wallet-follows/wallet-follow';
import type { Translate } from '../../i18n/i18n.ts';

export function walletSkipText(reason: string, t: Translate): string {
  const known = WALLET_SKIP_REASONS.find((each) => each === reason);
  return t(known ? `walletFollow.skips.${known}` : 'walletFollow.skips.unknown');
}
