import { clipText } from '@hunter/domain/format/clip-text';
import { z } from 'zod';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import { Loop } from '../platform/loop.ts';
import type { Database } from '../platform/postgres.ts';
import type { TelegramApi } from './telegram-api.ts';
import { linkChat, type TellLinked, unlinkChat } from './telegram-links.ts';

const WAIT_SECONDS = 25;
const UPDATES_MAX = 100;
const NAME_MAX = 64;

/** Only what is used; everything else that Telegram sends is passed over. */
const update = z.object({
  update_id: z.number().int(),
  message: z
    .object({
      text: z.string().optional(),
      chat: z.object({
        id: z.number().int(),
        type: z.string(),
        username: z.string().optional(),
        first_name: z.string().optional(),
      }),
    })
    .optional(),
});
type Message = NonNullable<z.output<typeof update>['message']>;

/** A chat has no language of ours before it is linked, so the bot says the little that it says in both. */
const texts = {
  linked:
    'Connected. Hunter sends your notifications here; /stop ends that.\n已绑定。通知将发送到此处，发送 /stop 可停止。',
  unknownCode:
    'This code is not valid. Open Notifications in your Hunter account and connect again.\n验证码无效。请在 Hunter 账户的“通知”中重新绑定。',
  stopped: 'Disconnected. No more notifications are sent here.\n已解除绑定，不再发送通知。',
  help: 'Open Notifications in your Hunter account to connect.\n请在 Hunter 账户的“通知”中绑定。',
} as const;

type BotDeps = { api: TelegramApi; database: Database; tell: TellLinked; clock: Clock; log: Log };

/** Listens for users who link or unlink their chats. One process at a time may listen: Telegram hands each update out once. */
export class TelegramBot {
  readonly #deps: BotDeps;
  readonly #loop: Loop;
  #offset = 0;

  constructor(deps: BotDeps) {
    this.#deps = deps;
    const { clock, log } = deps;
    this.#loop = new Loop({
      name: 'reading of Telegram updates',
      work: (signal) => this.poll(WAIT_SECONDS, signal),
      everyMs: 0,
      clock,
      log,
    });
  }

  start(): void {
    this.#loop.start();
  }

  stop(): Promise<void> {
    return this.#loop.stop();
  }

  /** Asking from an offset tells Telegram that what is before it has been dealt with. */
  async poll(waitSeconds = 0, signal?: AbortSignal): Promise<void> {
    const { api } = this.#deps;
    const question = {
      offset: this.#offset,
      limit: UPDATES_MAX,
      timeout: waitSeconds,
      allowed_updates: ['message'],
    };
    let updates: z.output<typeof update>[];
    try {
      const waiting = signal ? { waitMs: waitSeconds * 1_000, signal } : {};
      updates = await api.call('getUpdates', question, z.array(update), waiting);
    } catch (error) {
      if (signal?.aborted) return;
      throw error;
    }
    for (const { update_id: id, message } of updates) {
      // In groups and channels others would read along.
      if (message?.chat.type === 'private') await this.#answer(message);
      this.#offset = id + 1;
    }
  }

  async #answer({ text = '', chat }: Message): Promise<void> {
    const { api, log } = this.#deps;
    const reply = texts[await this.#outcomeOf(text.trim(), chat)];
    try {
      await api.send(BigInt(chat.id), reply);
    } catch (error) {
      // The update is dealt with; what it asked for is done.
      log.warn({ err: error }, 'a reply of the Telegram bot failed; it is not sent again');
    }
  }

  async #outcomeOf(text: string, chat: Message['chat']): Promise<keyof typeof texts> {
    const { database, clock } = this.#deps;
    const code = /^\/start ([\w-]{1,64})$/.exec(text)?.[1];
    if (code !== undefined) {
      const name = clipText(chat.username ? `@${chat.username}` : (chat.first_name ?? ''), NAME_MAX);
      const linked = await linkChat(this.#deps, code, { id: BigInt(chat.id), name }, clock.nowMs());
      return linked === null ? 'unknownCode' : 'linked';
    }
    if (text !== '/stop') return 'help';
    return (await unlinkChat(database, BigInt(chat.id))) ? 'stopped' : 'help';
  }
}
