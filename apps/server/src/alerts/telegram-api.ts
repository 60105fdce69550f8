import { z } from 'zod';
import { readReply } from '../platform/read-reply.ts';

const TIMEOUT_MS = 10_000;
/** A hundred updates with the longest texts are less than half of it. */
const REPLY_BYTES_MAX = 4 * 1024 * 1024;

const envelope = z.object({
  ok: z.boolean(),
  result: z.unknown().optional(),
  error_code: z.number().int().optional(),
  description: z.string().optional(),
});

/** Refused by Telegram, with its code: 403 where the user has blocked the bot, 429 where too much was sent. */
export class TelegramRefusal extends Error {
  override readonly name = 'TelegramRefusal';
  readonly code: number;

  constructor(method: string, code: number, description: string) {
    super(`Telegram refused ${method} with ${code}: ${description}`);
    this.code = code;
  }
}

/** The bot API. Its addresses contain the bot's token, so no failure may name them. */
export class TelegramApi {
  readonly #base: string;
  #name: Promise<string> | null = null;

  constructor({ url, token }: { url: string; token: string }) {
    this.#base = `${url.replace(/\/$/, '')}/bot${token}/`;
  }

  /** `waitMs` is what the call itself takes on purpose, as a long poll does. */
  async call<Result>(
    method: string,
    params: object,
    result: z.ZodType<Result>,
    { waitMs = 0, signal }: { waitMs?: number; signal?: AbortSignal } = {},
  ): Promise<Result> {
    const deadline = AbortSignal.timeout(TIMEOUT_MS + waitMs);
    const reply = await this.#ask(method, params, signal ? AbortSignal.any([deadline, signal]) : deadline);
    if (!reply.ok) throw new TelegramRefusal(method, reply.error_code ?? 0, reply.description ?? '');
    return result.parse(reply.result);
  }

  async #ask(method: string, params: object, signal: AbortSignal): Promise<z.output<typeof envelope>> {
    try {
      const response = await fetch(this.#base + method, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(params),
        redirect: 'error',
        signal,
      });
      return envelope.parse(JSON.parse((await readReply(response, REPLY_BYTES_MAX)).toString()));
    } catch (error) {
      // Without its cause, which may name the address.
      // oxlint-disable-next-line eslint/preserve-caught-error -- as above.
      throw new Error(`Telegram did not answer ${method} (${(error as Error).name})`);
    }
  }

  /** The bot's user name, without `@`; asked for once. */
  botName(): Promise<string> {
    this.#name ??= this.call('getMe', {}, z.object({ username: z.string() })).then(
      ({ username }) => username,
      (error: unknown) => {
        this.#name = null;
        throw error;
      },
    );
    return this.#name;
  }

  /** Plain text: names in it come from strangers. */
  async send(chatId: bigint, text: string): Promise<void> {
    // A chat id has at most 52 bits, so that it can travel as a number.
    const message = { chat_id: Number(chatId), text, link_preview_options: { is_disabled: true } };
    await this.call('sendMessage', message, z.unknown());
  }
}
