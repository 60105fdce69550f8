import { deserialize, serialize } from 'node:v8';
import { AppError } from '@hunter/contract/app-error';
import { errorCatalogue, type ErrorName } from '@hunter/contract/error-catalogue';
import type { NatsConnection, NodeConnectionOptions, Subscription } from '@nats-io/transport-node';
import { LeaseLostError } from '../leases.ts';
import type { Log } from '../log.ts';
import { isDatabaseUnavailable } from '../postgres.ts';
import { LostAnswerError, NoResponderError, tellGuarded, type Bus, type BusHandler } from './bus.ts';

// Between processes. Messages are encoded as V8 does for structured clones, because they carry bigints and dates; whoever
// may write to the NATS server is trusted like a server of ours.

const RECONNECT_MS = 250;
const CONNECT_MS = 10_000;

type Answer =
  | { ok: true; value: unknown }
  | { ok: false; error: ErrorName | null; context: unknown; message: string; isUnsure: boolean };

/** Waits for the first connection; after that it reconnects by itself for as long as it takes. */
export async function connectNats(url: string, log: Log): Promise<Bus> {
  const nats = await import('@nats-io/transport-node');
  const connection = await nats.connect({
    servers: url.split(','),
    ...accessOf(url),
    name: `hunter ${process.pid}`,
    reconnect: true,
    maxReconnectAttempts: -1,
    reconnectTimeWait: RECONNECT_MS,
    reconnectJitter: RECONNECT_MS,
    timeout: CONNECT_MS,
    ignoreAuthErrorAbort: true,
    pingInterval: 2_000,
    maxPingOut: 2,
  });
  return new NatsBus(connection, log, (error) => error instanceof nats.RequestError && error.isNoResponders());
}

/** The client takes an address only: it passes over who connects, and over `tls://`. */
function accessOf(url: string): Pick<NodeConnectionOptions, 'user' | 'pass' | 'token' | 'tls'> {
  const { protocol, username, password } = new URL(url);
  const [user, pass] = [decodeURIComponent(username), decodeURIComponent(password)];
  return {
    ...(protocol === 'tls:' ? { tls: {} } : {}),
    ...(user === '' ? {} : pass === '' ? { token: user } : { user, pass }),
  };
}

class NatsBus implements Bus {
  readonly #connection: NatsConnection;
  readonly #log: Log;
  readonly #isNoResponder: (error: unknown) => boolean;
  readonly #gapListeners = new Set<() => void>();
  #isConnected = true;

  constructor(connection: NatsConnection, log: Log, isNoResponder: (error: unknown) => boolean) {
    this.#connection = connection;
    this.#log = log;
    this.#isNoResponder = isNoResponder;
    void this.#watch();
  }

  publish(subject: string, message: unknown): void {
    // While the connection is away the client would keep messages and deliver them late; they are lost instead, and said to be.
    if (!this.#isConnected || this.#connection.isClosed()) return;
    this.#connection.publish(subject, serialize(message));
  }

  subscribe(subject: string, listener: (message: unknown, subject: string) => void): () => void {
    const subscription = this.#connection.subscribe(subject, {
      callback: (error, message) => {
        if (error) return this.#log.warn({ subject, err: error }, 'a bus subscription failed');
        return tellGuarded(this.#log, subject, () => listener(deserialize(message.data), message.subject));
      },
    });
    return () => this.#end(subscription);
  }

  async request(subject: string, message: unknown, timeoutMs: number): Promise<unknown> {
    if (!this.#isConnected) throw new NoResponderError(subject);
    let data: Uint8Array;
    try {
      ({ data } = await this.#connection.request(subject, serialize(message), { timeout: timeoutMs }));
    } catch (error) {
      throw this.#isNoResponder(error) ? new NoResponderError(subject) : new LostAnswerError(subject);
    }
    const answer = deserialize(data) as Answer;
    if (answer.ok) return answer.value;
    if (answer.error !== null) {
      // A newer program may refuse for a reason that this one has no words for.
      const isKnown = Object.hasOwn(errorCatalogue, answer.error);
      if (!isKnown) throw new AppError('UNAVAILABLE', undefined, { cause: new Error(answer.message) });
      throw new AppError(answer.error, answer.context as never);
    }
    // It may have happened, and passes: as if the answer had been lost.
    if (answer.isUnsure) throw new LostAnswerError(subject);
    throw new Error(`${subject} failed: ${answer.message}`);
  }

  respond(subject: string, handler: BusHandler): () => void {
    const subscription = this.#connection.subscribe(subject, {
      queue: 'responders',
      callback: (error, message) => {
        if (error) return this.#log.warn({ subject, err: error }, 'a bus responder failed');
        return void answerOf(handler, message.data).then((answer) => message.respond(serialize(answer)));
      },
    });
    return () => this.#end(subscription);
  }

  flush(): Promise<void> {
    return this.#connection.flush();
  }

  isHeard(): boolean {
    return true;
  }

  onGap(listener: () => void): () => void {
    this.#gapListeners.add(listener);
    return () => this.#gapListeners.delete(listener);
  }

  isConnected(): boolean {
    return this.#isConnected;
  }

  async close(): Promise<void> {
    if (!this.#connection.isClosed()) await this.#connection.drain().catch(() => this.#connection.close());
  }

  async #watch(): Promise<void> {
    for await (const status of this.#connection.status()) {
      if (status.type === 'disconnect') {
        this.#isConnected = false;
        this.#log.warn('the connection to NATS is lost; reconnecting');
      } else if (status.type === 'reconnect') {
        this.#isConnected = true;
        this.#log.warn('connected to NATS again; what was said meanwhile is read from the database');
        this.#gap();
      } else if (status.type === 'slowConsumer') this.#gap();
    }
  }

  #gap(): void {
    for (const listener of this.#gapListeners) tellGuarded(this.#log, 'gap', listener);
  }

  #end(subscription: Subscription): void {
    if (!subscription.isClosed() && !this.#connection.isClosed()) subscription.unsubscribe();
  }
}

async function answerOf(handler: BusHandler, data: Uint8Array): Promise<Answer> {
  try {
    return { ok: true, value: await handler(deserialize(data)) };
  } catch (error) {
    const isOwn = error instanceof AppError;
    return {
      ok: false,
      error: isOwn ? error.errorName : null,
      context: isOwn ? error.context : null,
      message: (error as Error).message,
      isUnsure: isDatabaseUnavailable(error) || error instanceof LeaseLostError,
    };
  }
}
