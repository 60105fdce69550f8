import type { Clock } from '../platform/clock.ts';
import { enqueueMail } from '../platform/mail.ts';
import type { Sql } from '../platform/postgres.ts';
import type { ServerSecret } from '../platform/server-secret.ts';
import { SharedRateLimit } from '../platform/shared-rate-limit.ts';
import { recordAlert } from './alerts.ts';
import { createLink } from './mail-links.ts';
import type { MailedEvent } from './security-event.ts';
import { securityMail } from './security-mails.ts';

/** Told in the caller's own transaction: what did not happen is not told, and what did is not forgotten. */
export type TellUser = (sql: Sql, userId: string, event: MailedEvent) => Promise<void>;

/**
 * Of one kind to one user; more say nothing new. Whoever has a password could otherwise log in under a thousand names of devices, bury
 * the one mail that matters, and keep the mails of all others waiting.
 */
const TOLD_PER_HOUR = 30;

/** Each tells of other money, and may carry the link that stops it. */
const isWithdrawal = (event: MailedEvent): boolean => 'toWallet' in event && 'amount' in event;

/** `origin` is where the links of mails lead. */
export function createTellUser(deps: { secret: ServerSecret; clock: Pick<Clock, 'nowMs'>; origin: string }): TellUser {
  const { secret, clock, origin } = deps;
  return async (sql, userId, event) => {
    const limit = { perSecond: TOLD_PER_HOUR / 3600, burst: TOLD_PER_HOUR };
    const told = new SharedRateLimit({ sql, clock, name: 'told', ...limit });
    if (!isWithdrawal(event) && (await told.take(`${userId}\n${event.kind}`)) > 0) return;
    await recordAlert(sql, userId, event);
    const [user] = await sql.query<{ email: string; language: 'en' | 'zh' }>(
      `select email, language from users where id = $1`,
      [userId],
    );
    if (!user) throw new Error(`user ${userId} does not exist`);
    const now = new Date(clock.nowMs());
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
