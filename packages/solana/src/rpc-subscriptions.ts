import { WebSocket } from 'ws';
import type { Address } from './address.ts';
import { parseRpcJson } from './rpc-json.ts';
import { readAccount, readContext, readInteger, readList, readObject, readText } from './rpc-reply-readers.ts';
import type { AccountInfo, Commitment } from './rpc-replies.ts';

// One socket to the node. Subscriptions outlive it: after a drop the client reconnects with
// growing pauses, subscribes everything again and only then tells `onReconnect`, so that whoever must not miss
// anything pages back what happened in between. A node that was not there at first is such a gap as well.

export type LogsNotice = { contextSlot: bigint; signature: string; err: unknown; logs: string[] };
export type SlotNotice = { slot: bigint; parent: bigint; root: bigint };
export type ConnectionState = 'connecting' | 'open' | 'waiting' | 'closed';

type Subscription = {
  method: string;
  params: unknown[];
  notify: (result: unknown) => void;
  /** The node drops a signature subscription by itself once it has fired. */
  once: boolean;
  subscriptionId: string | null;
};

const BACKOFF_MIN_MS = 100;
const BACKOFF_MAX_MS = 3_000;
const PING_INTERVAL_MS = 10_000;

export class RpcSubscriptions {
  readonly #url: string;
  readonly #onError: (error: unknown) => void;
  readonly #subscriptions = new Set<Subscription>();
  readonly #bySubscription = new Map<string, Subscription>();
  readonly #pending = new Map<string, Subscription>();
  readonly #reconnectListeners = new Set<() => void>();
  #socket: WebSocket | null = null;
  #state: ConnectionState = 'connecting';
  #nextId = 1;
  #failures = 0;
  #openedBefore = false;
  #awaitingResubscription = new Set<Subscription>();
  #retryTimer: NodeJS.Timeout | null = null;
  #pingTimer: NodeJS.Timeout | null = null;

  constructor(options: { url: string; onError?: (error: unknown) => void }) {
    this.#url = options.url;
    this.#onError = options.onError ?? (() => {});
    this.#connect();
  }

  get state(): ConnectionState {
    return this.#state;
  }

  /** Called once everything is subscribed again after a gap in the stream. */
  onReconnect(listener: () => void): () => void {
    this.#reconnectListeners.add(listener);
    return () => this.#reconnectListeners.delete(listener);
  }

  logs(
    filter: { mentions: [Address] } | 'all',
    commitment: Commitment,
    listener: (notice: LogsNotice) => void,
  ): () => void {
    return this.#subscribe('logs', [filter, { commitment }], false, (result) => {
      const { contextSlot, value } = readContext(result, (inner) => readObject(inner, 'logs notice'));
      listener({
        contextSlot,
        signature: readText(value.signature, 'signature'),
        err: value.err ?? null,
        logs: readList(value.logs ?? [], 'logs').map((line) => readText(line, 'log line')),
      });
    });
  }

  /** Fires once at the commitment and is then gone. */
  signature(
    signature: string,
    commitment: Commitment,
    listener: (notice: { contextSlot: bigint; err: unknown }) => void,
  ): () => void {
    return this.#subscribe('signature', [signature, { commitment }], true, (result) => {
      const { contextSlot, value } = readContext(result, (inner) => readObject(inner, 'signature notice'));
      listener({ contextSlot, err: value.err ?? null });
    });
  }

  account(
    address: Address,
    commitment: Commitment,
    listener: (notice: { contextSlot: bigint; account: AccountInfo | null }) => void,
  ): () => void {
    return this.#subscribe('account', [address, { commitment, encoding: 'base64' }], false, (result) => {
      const { contextSlot, value } = readContext(result, readAccount);
      listener({ contextSlot, account: value });
    });
  }

  slot(listener: (notice: SlotNotice) => void): () => void {
    return this.#subscribe('slot', [], false, (result) => {
      const notice = readObject(result, 'slot notice');
      listener({
        slot: readInteger(notice.slot, 'slot'),
        parent: readInteger(notice.parent, 'parent'),
        root: readInteger(notice.root, 'root'),
      });
    });
  }

  close(): void {
    this.#state = 'closed';
    if (this.#retryTimer !== null) clearTimeout(this.#retryTimer);
    if (this.#pingTimer !== null) clearInterval(this.#pingTimer);
    this.#subscriptions.clear();
    this.#socket?.removeAllListeners();
    // Terminating a socket that is still connecting reports an error; nobody is interested any more.
    this.#socket?.on('error', () => {});
    this.#socket?.terminate();
    this.#socket = null;
  }

  #subscribe(method: string, params: unknown[], once: boolean, notify: Subscription['notify']): () => void {
    const subscription: Subscription = { method, params, notify, once, subscriptionId: null };
    this.#subscriptions.add(subscription);
    if (this.#state === 'open') this.#ask(subscription);
    return () => this.#drop(subscription);
  }

  #drop(subscription: Subscription): void {
    if (!this.#subscriptions.delete(subscription)) return;
    this.#settleResubscription(subscription);
    if (subscription.subscriptionId === null) return;
    this.#bySubscription.delete(subscription.subscriptionId);
    this.#send(`${subscription.method}Unsubscribe`, [Number(subscription.subscriptionId)]);
  }

  #ask(subscription: Subscription): void {
    this.#pending.set(this.#send(`${subscription.method}Subscribe`, subscription.params), subscription);
  }

  #send(method: string, params: unknown[]): string {
    const id = String(this.#nextId);
    this.#nextId += 1;
    if (this.#socket?.readyState === WebSocket.OPEN) {
      this.#socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    }
    return id;
  }

  #connect(): void {
    this.#state = 'connecting';
    const socket = new WebSocket(this.#url, { perMessageDeflate: false, handshakeTimeout: 10_000 });
    this.#socket = socket;
    socket.on('open', () => this.#opened(socket));
    socket.on('message', (data: Buffer) => this.#received(data.toString('utf8')));
    socket.on('error', (error) => this.#onError(error));
    socket.on('close', () => this.#lost(socket));
  }

  #opened(socket: WebSocket): void {
    this.#state = 'open';
    const isReconnect = this.#openedBefore || this.#failures > 0;
    this.#openedBefore = true;
    this.#failures = 0;
    let heard = true;
    socket.on('pong', () => {
      heard = true;
    });
    // A half-open connection looks alive and delivers nothing; an unanswered ping ends it.
    this.#pingTimer = setInterval(() => {
      if (!heard) socket.terminate();
      else {
        heard = false;
        socket.ping();
      }
    }, PING_INTERVAL_MS);
    this.#awaitingResubscription = new Set(isReconnect ? this.#subscriptions : []);
    for (const subscription of this.#subscriptions) this.#ask(subscription);
    if (isReconnect && this.#subscriptions.size === 0) this.#tellReconnected();
  }

  #lost(socket: WebSocket): void {
    if (this.#socket !== socket || this.#state === 'closed') return;
    this.#state = 'waiting';
    if (this.#pingTimer !== null) clearInterval(this.#pingTimer);
    this.#pending.clear();
    this.#bySubscription.clear();
    for (const subscription of this.#subscriptions) subscription.subscriptionId = null;
    const pauseMs = Math.min(BACKOFF_MAX_MS, BACKOFF_MIN_MS * 2 ** this.#failures);
    this.#failures = Math.min(this.#failures + 1, 16);
    // Half of the pause is random, so that many clients do not return in one wave.
    this.#retryTimer = setTimeout(() => this.#connect(), pauseMs * (0.5 + Math.random() / 2));
  }

  #received(text: string): void {
    try {
      const message = readObject(parseRpcJson(text), 'message');
      if (message.method === undefined) this.#answered(message);
      else this.#notified(readObject(message.params, 'params'));
    } catch (error) {
      this.#onError(error);
    }
  }

  #answered(message: Record<string, unknown>): void {
    const subscription = this.#pending.get(String(message.id));
    if (subscription === undefined) return;
    this.#pending.delete(String(message.id));
    if (message.error !== undefined) {
      this.#onError(new Error(`${subscription.method}Subscribe was refused: ${JSON.stringify(message.error)}`));
    } else {
      subscription.subscriptionId = String(message.result);
      if (this.#subscriptions.has(subscription)) this.#bySubscription.set(subscription.subscriptionId, subscription);
      else this.#send(`${subscription.method}Unsubscribe`, [Number(subscription.subscriptionId)]);
    }
    this.#settleResubscription(subscription);
  }

  #notified(params: Record<string, unknown>): void {
    const subscriptionId = String(params.subscription);
    const subscription = this.#bySubscription.get(subscriptionId);
    if (subscription === undefined) return;
    if (subscription.once) {
      this.#bySubscription.delete(subscriptionId);
      this.#subscriptions.delete(subscription);
    }
    subscription.notify(params.result);
  }

  #settleResubscription(subscription: Subscription): void {
    if (!this.#awaitingResubscription.delete(subscription)) return;
    if (this.#awaitingResubscription.size === 0) this.#tellReconnected();
  }

  #tellReconnected(): void {
    for (const listener of this.#reconnectListeners) listener();
  }
}
