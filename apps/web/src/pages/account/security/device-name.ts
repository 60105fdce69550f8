import { readUserAgent } from '@hunter/domain/names/user-agent';
import type { Translate } from '../../../i18n/i18n.ts';

/** "Chrome on Windows" for what a browser says of itself in the header `user-agent`. */
export function deviceName(userAgent: string, t: Translate): string {
  const { browser, system } = readUserAgent(userAgent);
  if (browser && system) return t('account.security.device', { browser, system });
  return browser ?? system ?? t('account.security.unknownDevice');
}
