import type { Failure } from '../data/use-money-action.ts';
import { useT } from '../i18n/i18n.ts';
import { Warning } from './warning.tsx';

/** Why a dialog is still open whose action may have happened. A refusal has been told by the call itself. */
export function NoAnswer({ failed }: { failed: Failure | null }) {
  const t = useT();
  return failed === 'unknown' && <Warning text={t('ui.noAnswer')} />;
}
