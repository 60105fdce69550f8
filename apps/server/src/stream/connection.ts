import {
  SUBSCRIPTIONS_MAX,
  userChannels,
  type ChannelName,
  type ClientMessage,
  type ServerMessage,
} from '@hunter/contract/stream';
import type { WebSocket } from 'ws';
import type { Session } from '../accounts/session.ts';

/** Above this many unsent bytes a client is slow: it gets only the newest value per channel and key once it has caught up. */
const SLOW_BYTES = 256 * 1024;
/** Above this many it does not read at all and is let go. */
const STUCK_BYTES = 4 * 1024 * 1024;

const privateChannels = new Set<string>(userChannels);

export type Topic = string;
export const topicOf = (channel: ChannelName, key: string): Topic => `${channel} ${key}`;

/** Counted over all connections of a process. */
export type StreamLosses = {
  /** Values that a newer one replaced before a slow client could be sent them. */
  replaced: number;
  /** Clients that were let go because they did not read. */
  stuck: number;
};

/** One client: what it follows, and the bounded queue towards it. */
export class Connection {
  readonly socket: WebSocket;
  session: Session | null = null;
  /** By the client's own channel and key; the value is the topic it listens to. */
  readonly subscriptions = new Map<string, Topic>();
  readonly #sequences = new Map<string, number>();
  readonly #coalesced = new Map<string, { channel: ChannelName; key: string; data: string }>();
  /** What waits for the next flush, for clients that asked for batches. */
  readonly #batch: string[] = [];
  #wantsBatches = false;
  /** Something left since the last flush, so that what follows waits for the next. */
  #sentSinceFlush = false;

  readonly #losses: StreamLosses;

  constructor(socket: WebSocket, losses: StreamLosses) {
    this.socket = socket;
    this.#losses = losses;
  }

  /** After what was said before it, so that a key that is left and followed again starts with its own first value. */
  reply(message: ServerMessage): void {
    if (this.#letGoIfStuck()) return;
    this.#sendBatch();
    this.socket.send(JSON.stringify(message));
  }

  /** A busy market is a few frames a second from now on instead of hundreds, each of which costs a page a task. */
  sendBatches(): void {
    this.#wantsBatches = true;
  }

  /** Null when it may be followed, otherwise why not. */
  subscribe(message: ClientMessage & { op: 'subscribe' }): string | null {
    const name = `${message.channel} ${message.key}`;
    if (this.subscriptions.has(name)) return null;
    if (this.subscriptions.size >= SUBSCRIPTIONS_MAX) return 'too many subscriptions';
    if (privateChannels.has(message.channel)) {
      if (!this.session) return 'not authenticated';
      if (message.key !== 'me') return 'unknown key';
      this.subscriptions.set(name, topicOf(message.channel, this.session.userId));
    } else this.subscriptions.set(name, topicOf(message.channel, message.key));
    this.#sequences.set(name, 0);
    return null;
  }

  unsubscribe(channel: ChannelName, key: string): Topic | null {
    const name = `${channel} ${key}`;
    const topic = this.subscriptions.get(name) ?? null;
    this.subscriptions.delete(name);
    this.#sequences.delete(name);
    this.#coalesced.delete(name);
    return topic;
  }

  /** `data` is JSON text already, made once for all who follow the topic. */
  push(channel: ChannelName, key: string, data: string): void {
    const name = `${channel} ${key}`;
    const sequence = this.#sequences.get(name);
    if (sequence === undefined) return;
    // The number grows also for values that are replaced before they are sent: the gap tells the client to fetch.
    this.#sequences.set(name, sequence + 1);
    if (this.#letGoIfStuck()) return;
    if (this.socket.bufferedAmount > SLOW_BYTES) {
      if (this.#coalesced.has(name)) this.#losses.replaced += 1;
      this.#coalesced.set(name, { channel, key, data });
      return;
    }
    // What was held back is older, and would follow this with the next flush.
    if (this.#coalesced.delete(name)) this.#losses.replaced += 1;
    this.#send(channel, key, sequence + 1, data);
  }

  /**
   * Something may have been missed. The next value shows a gap; a user's own channels, which may be quiet for long, are
   * confirmed again at once, and that makes the client fetch.
   */
  raiseSequences(): void {
    for (const [name, sequence] of this.#sequences) {
      this.#sequences.set(name, sequence + 1);
      const [channel, key] = name.split(' ') as [ChannelName, string];
      if (privateChannels.has(channel)) this.reply({ op: 'subscribed', channel, key, seq: sequence + 1 });
    }
  }

  /** Sends the batch, and the newest of what was held back once the client reads again. */
  flush(): void {
    this.#sentSinceFlush = this.#batch.length > 0;
    this.#sendBatch();
    if (this.#coalesced.size === 0 || this.socket.bufferedAmount > SLOW_BYTES) return;
    for (const [name, { channel, key, data }] of this.#coalesced) {
      this.#send(channel, key, this.#sequences.get(name) ?? 0, data);
    }
    this.#coalesced.clear();
  }

  #letGoIfStuck(): boolean {
    if (this.socket.bufferedAmount <= STUCK_BYTES) return false;
    this.#losses.stuck += 1;
    this.socket.terminate();
    return true;
  }

  /** What is the user's own never waits, nor does what nothing came before. */
  #send(channel: ChannelName, key: string, sequence: number, data: string): void {
    const text = `{"op":"data","channel":"${channel}","key":${JSON.stringify(key)},"seq":${sequence},"data":${data}}`;
    if (this.#wantsBatches && this.#sentSinceFlush && !privateChannels.has(channel)) this.#batch.push(text);
    else this.socket.send(text);
    this.#sentSinceFlush = true;
  }

  #sendBatch(): void {
    if (this.#batch.length === 0) return;
    this.socket.send(`[${this.#batch.join(',')}]`);
    this.#batch.length = 0;
  }
}
