import { enqueueMail } from '../platform/mail.ts';
import type { Sql } from '../platform/postgres.ts';
import type { ServerSecret } from '../platform/server-secret.ts';
import { alertMail, type Language } from './alert-mail.ts';
import type { AlertSender } from './alerts.ts';

/** `recipientOf` belongs to the accounts; null for a user who is gone. */
export function mailSender(
  secret: ServerSecret,
  recipientOf: (sql: Sql, userId: string) => Promise<{ email: string; language: Language } | null>,
): AlertSender {
  return {
    reachable: async (_sql, userIds) => new Set(userIds),
    enqueue: async (sql, userId, alerts) => {
      const user = await recipientOf(sql, userId);
      if (user !== null) await enqueueMail(sql, secret, alertMail(user.email, alerts, user.language));
    },
  };
}
