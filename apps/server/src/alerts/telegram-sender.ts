import { clipText } from '@hunter/domain/format/clip-text';
import { enqueue } from '../platform/outbox.ts';
import type { Log } from '../platform/log.ts';
import type { Sql } from '../platform/postgres.ts';
import { messageLines, type Language } from './alert-mail.ts';
import type { AlertSender } from './alerts.ts';
import { TelegramRefusal, type TelegramApi } from './telegram-api.ts';
import { loadChat, loadLinkedUsers, unlinkChat } from './telegram-links.ts';

export const TELEGRAM_TOPIC = 'alert-telegram';
export type TelegramPayload = { userId: string; text: string };

/** Telegram refuses more than 4,096 characters. */
const TEXT_MAX = 4_000;
/** The user has blocked the bot, or the chat is gone. */
const isGone = (error: unknown): error is TelegramRefusal =>
  error instanceof TelegramRefusal &&
  (error.code === 403 || (error.code === 400 && /chat not found/i.test(error.message)));

/** `recipientOf` belongs to the accounts; null for a user who is gone. */
export function telegramSender(
  recipientOf: (sql: Sql, userId: string) => Promise<{ language: Language } | null>,
): AlertSender {
  return {
    reachable: async (sql, userIds) => new Set(await loadLinkedUsers(sql, userIds)),
    enqueue: async (sql, userId, alerts) => {
      const user = await recipientOf(sql, userId);
      if (user === null) return;
      const text = clipText(messageLines(alerts, user.language).join('\n'), TEXT_MAX);
      await enqueue(sql, TELEGRAM_TOPIC, { userId, text } satisfies TelegramPayload);
    },
  };
}

/** The outbox handler of the topic. */
export function telegramHandler({ database, api, log }: { database: Sql; api: TelegramApi; log: Log }) {
  return async ({ userId, text }: TelegramPayload): Promise<void> => {
    const chat = await loadChat(database, userId);
    if (chat === null) return;
    try {
      await api.send(chat.id, text);
    } catch (error) {
      if (!isGone(error)) throw error;
      await unlinkChat(database, chat.id);
      log.info({ userId, err: error }, 'Telegram chat unlinked: it cannot be written to');
    }
  };
}
