import { AppError } from '@hunter/contract/app-error';
import type { CallParsedRequest, CallReply } from '@hunter/contract/calls';
import { readUserAgent } from '@hunter/domain/names/user-agent';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import { endingAfterDays, type OutboxHandler } from '../platform/outbox.ts';
import type { Database, Sql } from '../platform/postgres.ts';
import type { ServerSecret } from '../platform/server-secret.ts';
import type { Language } from './alert-mail.ts';
import type { AlertSenders } from './alerts.ts';
import { mailSender } from './mail-sender.ts';
import { addPushDevice, loadPushDevices, removePushDevice } from './push-devices.ts';
import type { PushRule } from './push-endpoint.ts';
import { pushKeys, type PushKeys } from './push-keys.ts';
import { PUSH_TOPIC, pushHandler, pushSender } from './push-sender.ts';
import { TelegramApi } from './telegram-api.ts';
import { TelegramBot } from './telegram-bot.ts';
import { createCode, loadChat, type TellLinked, unlinkUser } from './telegram-links.ts';
import { TELEGRAM_TOPIC, telegramHandler, telegramSender } from './telegram-sender.ts';

type SessionOf = { userId: string; sessionId: string };

export type ChannelDeps = {
  database: Database;
  secret: ServerSecret;
  /** Belongs to the accounts; null for a user who is gone. */
  recipientOf: (sql: Sql, userId: string) => Promise<{ email: string; language: Language } | null>;
  tell: TellLinked;
  /** Whether a session is open; whoever ends it waits for the transaction. */
  keepOpen: (sql: Sql, session: SessionOf) => Promise<boolean>;
  push: PushRule & { contact: string };
  /** Null where this installation has no bot. */
  telegram: { url: string; token: string } | null;
  clock: Clock;
  log: Log;
};

/** The ways out of the product: mail, web push and Telegram. */
export class AlertChannels {
  readonly #deps: ChannelDeps;
  readonly #keys: PushKeys;
  readonly #telegram: { api: TelegramApi; bot: TelegramBot } | null;
  readonly senders: AlertSenders;
  readonly topics: Record<string, OutboxHandler>;

  constructor(deps: ChannelDeps) {
    this.#deps = deps;
    const { secret, recipientOf, push, telegram } = deps;
    this.#keys = pushKeys(secret);
    const api = telegram && new TelegramApi(telegram);
    this.#telegram = api && { api, bot: new TelegramBot({ ...deps, api }) };
    this.senders = {
      mail: mailSender(secret, recipientOf),
      push: pushSender(recipientOf),
      ...(api && { telegram: telegramSender(recipientOf) }),
    };
    this.topics = {
      [PUSH_TOPIC]: endingAfterDays(pushHandler({ ...deps, keys: this.#keys, rule: push, contact: push.contact })),
      ...(api && { [TELEGRAM_TOPIC]: endingAfterDays(telegramHandler({ ...deps, api })) }),
    };
  }

  start(): void {
    this.#telegram?.bot.start();
  }

  async stop(): Promise<void> {
    await this.#telegram?.bot.stop();
  }

  async load(userId: string): Promise<CallReply<'getMyAlertChannels'>> {
    const { database } = this.#deps;
    return {
      push: { publicKey: this.#keys.publicKey, devices: await loadPushDevices(database, userId) },
      telegram: {
        configured: this.#telegram !== null,
        chat: (await loadChat(database, userId))?.name ?? null,
      },
    };
  }

  addPushDevice(
    { userId, sessionId, userAgent }: { userId: string; sessionId: string; userAgent: string },
    subscription: CallParsedRequest<'addPushDevice'>,
  ): Promise<{ id: string }> {
    const { browser, system } = readUserAgent(userAgent);
    const name = [browser, system].filter((part) => part !== null).join(' · ') || '?';
    const { database, secret, push } = this.#deps;
    return addPushDevice({ database, secret, rule: push }, { userId, sessionId, name }, subscription);
  }

  async removePushDevice(userId: string, id: string): Promise<Record<string, never>> {
    await removePushDevice(this.#deps.database, userId, id);
    return {};
  }

  /** Opened on a phone or in Telegram's own app, the link sends the code to the bot. */
  async connectTelegram(session: SessionOf): Promise<CallReply<'connectTelegram'>> {
    if (this.#telegram === null) throw new AppError('UNAVAILABLE');
    const { database, keepOpen, clock, log } = this.#deps;
    const botName = await this.#telegram.api.botName().catch((error: unknown) => {
      log.warn({ err: error }, 'the name of the Telegram bot could not be read; no chat can be linked now');
      throw new AppError('UNAVAILABLE');
    });
    const { code, expiresAt } = await database.transaction(async (sql) => {
      // Whoever ends the session removes the code, so it must not come after that.
      if (!(await keepOpen(sql, session))) throw new AppError('UNAUTHENTICATED');
      return createCode(sql, session.userId, clock.nowMs());
    });
    return { url: `https://t.me/${botName}?start=${code}`, expiresAt };
  }

  async disconnectTelegram(userId: string): Promise<Record<string, never>> {
    await unlinkUser(this.#deps.database, userId);
    return {};
  }
}
