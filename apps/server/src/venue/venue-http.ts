import { z } from 'zod';
import type { Clock } from '../platform/clock.ts';
import { readReply, ReplyTooLarge } from '../platform/read-reply.ts';
import { RequestBudget, type Priority } from './request-budget.ts';
import { VenueError, type VenueErrorCode } from './venue-error.ts';

export type VenueHttpOptions = {
  url: string;
  apiKey?: string | undefined;
  requestsPerSecond?: number | undefined;
  clock: Clock;
};

type Request = { priority: Priority; timeoutMs?: number };
type Reply = { status: number; body: unknown };

const TIMEOUT_MS = 8_000;
/** Far above the longest list of tokens that is asked for. */
const REPLY_BYTES_MAX = 16 * 1024 * 1024;
const READ_TRIES = 3;
const RETRY_PAUSE_MS = 150;
/** What a venue on this machine answers with ease; an outside one sells its rate with the API key. */
const REQUESTS_PER_SECOND = 2_000;

const refusalBody = z.object({ errorCode: z.string().optional(), error: z.string().optional() });

/** The one way to a venue over HTTP: its key, its timeouts, one budget of requests for all callers. */
export class VenueHttp {
  readonly #base: string;
  readonly #headers: Record<string, string>;
  readonly #clock: Clock;
  readonly #budget: RequestBudget;

  constructor(options: VenueHttpOptions) {
    this.#base = options.url.replace(/\/+$/, '');
    this.#headers = { 'content-type': 'application/json', ...(options.apiKey ? { 'x-api-key': options.apiKey } : {}) };
    this.#clock = options.clock;
    this.#budget = new RequestBudget(options.requestsPerSecond ?? REQUESTS_PER_SECOND, this.#clock);
  }

  /** Asks for something that has no effect, so it may be asked for again where the venue is busy or did not answer. */
  async read<Schema extends z.ZodType>(path: string, schema: Schema, request: Request): Promise<z.output<Schema>> {
    return this.#repeating('GET', path, undefined, schema, request);
  }

  /** A question whose parameters need a body. */
  async ask<Schema extends z.ZodType>(
    path: string,
    body: unknown,
    schema: Schema,
    request: Request,
  ): Promise<z.output<Schema>> {
    return this.#repeating('POST', path, body, schema, request);
  }

  /** Sent once: whether it had an effect is the caller's to find out where no answer came. */
  async act<Schema extends z.ZodType>(
    path: string,
    body: unknown,
    schema: Schema,
    request: Request,
  ): Promise<z.output<Schema>> {
    const reply = await this.#fetch('POST', path, body, request);
    if (reply.status !== 200) throw new VenueError('UNREACHABLE', `the venue answered HTTP ${reply.status} to ${path}`);
    return parse(schema, reply.body, path);
  }

  async #repeating<Schema extends z.ZodType>(
    method: string,
    path: string,
    body: unknown,
    schema: Schema,
    request: Request,
  ): Promise<z.output<Schema>> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const reply = await this.#fetch(method, path, body, request);
        if (reply.status === 200) return parse(schema, reply.body, path);
        if (attempt >= READ_TRIES || (reply.status !== 429 && reply.status < 500)) throw refusal(reply, path);
      } catch (error) {
        const unanswered = error instanceof VenueError && error.venueCode === 'UNREACHABLE';
        if (attempt >= READ_TRIES || !unanswered) throw error;
      }
      await this.#clock.pause(RETRY_PAUSE_MS * attempt);
    }
  }

  async #fetch(method: string, path: string, body: unknown, request: Request): Promise<Reply> {
    const { timeoutMs = TIMEOUT_MS } = request;
    await this.#budget.take(request.priority, timeoutMs);
    try {
      const response = await fetch(this.#base + path, {
        method,
        headers: this.#headers,
        ...(body === undefined ? {} : { body: JSON.stringify(body, bigintAsText) }),
        signal: AbortSignal.timeout(timeoutMs),
      });
      const text = (await readReply(response, REPLY_BYTES_MAX)).toString();
      return { status: response.status, body: text === '' ? null : (JSON.parse(text) as unknown) };
    } catch (cause) {
      if (cause instanceof ReplyTooLarge) {
        throw new VenueError('INVALID_REPLY', `the venue's answer to ${route(path)} is too large`, { cause });
      }
      throw new VenueError('UNREACHABLE', `the venue did not answer ${route(path)}`, { cause });
    }
  }
}

const refusalCodes: Readonly<Record<string, VenueErrorCode>> = {
  POOL_BUSY: 'POOL_BUSY',
  VENUE_BUSY: 'VENUE_BUSY',
  AMOUNT_TOO_SMALL: 'AMOUNT_TOO_SMALL',
};

function refusal(reply: Reply, path: string): VenueError {
  const said = refusalBody.safeParse(reply.body).data;
  const message = `the venue answered HTTP ${reply.status} to ${route(path)}: ${said?.errorCode ?? ''} ${said?.error ?? ''}`;
  if (reply.status === 429) return new VenueError('RATE_LIMITED', message);
  if (reply.status >= 500) return new VenueError('UNREACHABLE', message);
  return new VenueError(refusalCodes[said?.errorCode ?? ''] ?? 'NO_ROUTE', message);
}

function parse<Schema extends z.ZodType>(schema: Schema, body: unknown, path: string): z.output<Schema> {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const message = `the venue's answer to ${route(path)} is not what was asked for`;
  throw new VenueError('INVALID_REPLY', message, { cause: parsed.error });
}

function route(path: string): string {
  return path.split('?')[0]!;
}

function bigintAsText(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value;
}
