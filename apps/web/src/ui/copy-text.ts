import { i18n } from '../i18n/i18n.ts';
import { toast } from './toast-store.ts';

/** Copies and says so. Browsers refuse the clipboard without https or the user's leave; then the user is told to copy by hand. */
export async function copyText(text: string, successText = i18n.t('ui.textCopied')): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    toast.error(i18n.t('ui.copyFailed'));
    return false;
  }
  toast.success(successText);
  return true;
}

export function copyAddress(address: string): Promise<boolean> {
  return copyText(address, i18n.t('ui.addressCopied'));
}
