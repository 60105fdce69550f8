import type { Clock } from '../platform/clock.ts';
import { enqueueMail } from '../platform/mail.ts';
import type { Sql } from '../platform/postgres.ts';
import type { ServerSecret } from '../platform/server-secret.ts';
import { recordAlert } from './alerts.ts';
import { createLink } from './mail-links.ts';
import type { MailedEvent } from './security-event.ts';
import { securityMail } from './security-mails.ts';

/** Told in the caller's own transaction: what did not happen is not told, and what did is not forgotten. */
export type TellUser = (sql: Sql, userId: string, event: MailedEvent) => Promise<void>;

/** `origin` is where the links of mails lead. */
export function createTellUser(deps: { secret: ServerSecret; clock: Pick<Clock, 'nowMs'>; origin: string }): TellUser {
  const { secret, origin } = deps;
  return async (sql, userId, event) => {
    await recordAlert(sql, userId, event);
    const [user] = await sql.query<{ email: string; language: 'en' | 'zh' }>(
      `select email, language from users where id = $1`,
      [userId],
    );
    if (!user) throw new Error(`user ${userId} does not exist`);
    const now = new Date(deps.clock.nowMs());
    const link = async (path: string, purpose: 'freeze' | 'cancel-withdrawal', reference: string) =>
      `${origin}${path}#${await createLink(sql, now, { userId, purpose, reference })}`;
    const links = {
      freeze: await link('/freeze', 'freeze', ''),
      undoReset: `${origin}/undo-reset`,
      unfreeze: `${origin}/unfreeze`,
      cancel:
        event.kind === 'withdrawal-held'
          ? await link('/cancel-withdrawal', 'cancel-withdrawal', event.withdrawalId)
          : null,
    };
    await enqueueMail(sql, secret, { ...securityMail(user.language, event, links), to: user.email });
  };
}
