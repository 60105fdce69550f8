import type { CallReply } from '@hunter/contract/calls';
import { failureOfName } from '../../../data/order-failure.ts';
import type { I18n, Translate } from '../../../i18n/i18n.ts';
import { shortAddress } from '../../../ui/short-address.ts';
import { deviceName } from './device-name.ts';

type AuditEvent = Pick<CallReply<'getMyAuditLog'>['lists'][number], 'event' | 'detail'>;

const known = [
  'registered',
  'login',
  'login-failed',
  'logout',
  'session-revoked',
  'password-changed',
  'password-change-failed',
  'password-reset',
  'api-key-created',
  'api-key-revoked',
  'api-key-failed',
  'key-exported',
  'key-export-failed',
  'key-export-held',
  'key-export-canceled',
  'keys-rotated',
  'factor-enrolled',
  'factor-removed',
  'recovery-codes-renewed',
  'login-rule-changed',
  'recovery-started',
  'recovery-canceled',
  'factors-recovered',
  'withdrawal-requested',
  'withdrawal-refused',
  'withdrawal-cancelled',
  'withdrawal-sent',
  'invite-created',
  'kill-switch',
  'reset-undone',
  'account-frozen',
  'account-unfrozen',
  'address-saved',
  'address-removed',
  'limits-changed',
  'security-change-failed',
  'operator-read',
  'external-outflow',
  'issuer-outflow',
] as const;

/** The name of an event. A newer server may write events that this build does not know. */
export function eventName(event: string, t: Translate): string {
  const found = known.find((each) => each === event);
  return t(found ? `account.security.events.${found}` : 'account.security.otherEvent');
}

/** What the event was about, as people know it: a device, an address or a reason. Null where it is only an id. */
export function eventDetail({ event, detail }: AuditEvent, { t, language }: I18n): string | null {
  switch (event) {
    case 'registered':
    case 'login':
    case 'login-failed':
      return deviceName(detail, t);
    case 'api-key-created':
    case 'api-key-revoked':
    case 'factor-enrolled':
    case 'factor-removed':
      return detail;
    case 'withdrawal-requested':
    case 'withdrawal-sent':
    case 'address-saved':
    case 'address-removed':
    case 'external-outflow':
    case 'issuer-outflow':
      return detail === '' ? null : shortAddress(detail);
    case 'withdrawal-refused':
      return failureOfName(detail, language);
    case 'operator-read':
      return detail;
    default:
      return null;
  }
}
