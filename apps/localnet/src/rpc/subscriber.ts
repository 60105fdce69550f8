// One client's connection. It owns the client's subscriptions and the rule that a slow reader is dropped rather than
// remembered without limit.

import type { WebSocket } from 'ws';
import type { Subscription } from './subscription.ts';

/** What may wait for a client before it is cut off. */
const BUFFER_BYTES_MAX = 8 * 1024 * 1024;
/** Clients lose a notification that reaches them together with the answer to their subscribe call. */
const FIRST_NOTICE_DELAY_MS = 50;
const EARLY_NOTICES_MAX = 1000;

export type LiveSubscription = { id: number; what: Subscription; early: string[] | null };

export class Subscriber {
  readonly #socket: WebSocket;
  readonly subscriptions = new Map<number, LiveSubscription>();
  isAlive = true;

  constructor(socket: WebSocket) {
    this.#socket = socket;
  }

  add(id: number, what: Subscription): LiveSubscription {
    const subscription: LiveSubscription = { id, what, early: [] };
    this.subscriptions.set(id, subscription);
    setTimeout(() => {
      const early = subscription.early ?? [];
      subscription.early = null;
      for (const text of early) this.send(text);
    }, FIRST_NOTICE_DELAY_MS).unref();
    return subscription;
  }

  notify(subscription: LiveSubscription, result: unknown): void {
    const method = `${subscription.what.kind}Notification`;
    const text = `{"jsonrpc":"2.0","method":"${method}","params":{"result":${JSON.stringify(result)},"subscription":${subscription.id}}}`;
    if (subscription.early === null) this.send(text);
    else if (subscription.early.length < EARLY_NOTICES_MAX) subscription.early.push(text);
    else this.drop();
  }

  send(text: string): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    if (this.#socket.bufferedAmount > BUFFER_BYTES_MAX) this.drop();
    else this.#socket.send(text);
  }

  drop(): void {
    this.#socket.terminate();
  }

  /** Ends the connection when the last ping was not answered. */
  checkAlive(): void {
    if (!this.isAlive) {
      this.drop();
      return;
    }
    this.isAlive = false;
    this.#socket.ping();
  }
}
