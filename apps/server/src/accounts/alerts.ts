import { randomUUID } from 'node:crypto';
import type { AlertBody } from '@hunter/contract/calls/alerts';
import { raiseAlerts } from '../alerts/raise-alerts.ts';
import type { Sql } from '../platform/postgres.ts';
import type { SecurityEvent } from './security-event.ts';

/** In the transaction that it tells of. Each call is an event of its own, so each tells. */
export function recordAlert(sql: Sql, userId: string, event: SecurityEvent): Promise<void> {
  return raiseAlerts(sql, [{ userId, reference: randomUUID(), body: bodyOf(event) }]);
}

function bodyOf(event: SecurityEvent): AlertBody {
  if ('toWallet' in event && 'amount' in event) {
    return { kind: 'withdrawal', event: event.kind, amount: event.amount, toWallet: event.toWallet };
  }
  return { kind: 'security', event: event.kind, detail: detailOf(event) };
}

/** What tells one event of a kind from another; its full story is in the mail. */
function detailOf(event: SecurityEvent): string {
  if ('device' in event) return `${event.device}, ${event.address}`;
  if ('name' in event) return event.name;
  if ('amount' in event) return event.amount;
  if ('label' in event) return event.label === '' ? event.toWallet : `${event.label}, ${event.toWallet}`;
  return 'operator' in event ? `${event.operator}: ${event.reason}` : '';
}
