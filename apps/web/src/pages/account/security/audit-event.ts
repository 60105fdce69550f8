import type { Translate } from '../../../i18n/i18n.ts';

const known = [
  'registered',
  'login',
  'login-failed',
  'logout',
  'session-revoked',
  'password-changed',
  'password-change-failed',
  'password-reset',
  'key-exported',
  'key-export-failed',
  'keys-rotated',
  'withdrawal-requested',
  'withdrawal-refused',
  'withdrawal-cancelled',
  'withdrawal-sent',
  'invite-created',
  'kill-switch',
  'external-outflow',
] as const;

/** The name of an event; one that this build does not know is shown as it came. */
export function lookUpEvent(event: string, t: Translate): string {
  const found = known.find((each) => each === event);
  return found ? t(`account.security.events.${found}`) : event;
}
