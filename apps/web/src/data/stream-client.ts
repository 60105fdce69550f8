// One WebSocket for everything live. Its life:
//
//   idle ──first subscription──► connecting ──open──► open ──close──► waiting ──backoff──► connecting
//     ▲                                                │
//     └────────────── last unsubscribe + linger ◄──────┘
//
// On open the client asks for batches, because each frame of the stream is a task of the page, authenticates if it has a token
// and subscribes to every open channel that is wanted; the user's own channels follow once the server has said who we are. Each data message
// carries a sequence number that grows by one per channel and key within a connection; a gap, every reconnect, and for
// the user's own channels every subscription, tell the subscribers to fetch their state again, because something may have
// been missed.
import type { ChannelData, ChannelName, ClientMessage, ServerMessage } from '@hunter/contract/stream';

export type StreamStatus = 'idle' | 'connecting' | 'open' | 'waiting';

export type StreamSocket = {
  send: (text: string) => void;
  close: () => void;
  onopen: (() => void) | null;
  onmessage: ((event: { data: unknown }) => void) | null;
  onclose: ((event: { code: number; reason: string }) => void) | null;
};

type StreamDeps = {
  openSocket: () => StreamSocket;
  token: () => string | null;
  /** The server does not, or no longer, know the session of this token. */
  /** With the reason that the server gave. */
  onRefused: (token: string, why: string) => void;
  random: () => number;
  nowMs: () => number;
  setTimer: (run: () => void, delayMs: number) => unknown;
  clearTimer: (timer: unknown) => void;
};

type Subscriber<Name extends ChannelName> = {
  onData: (data: ChannelData<Name>) => void;
  /** Something may have been missed: fetch the state again. */
  onGap?: () => void;
};

type StreamClient = {
  subscribe: <Name extends ChannelName>(channel: Name, key: string, subscriber: Subscriber<Name>) => () => void;
  status: () => StreamStatus;
  onStatus: (listener: () => void) => () => void;
  /** The session changed: the connection is opened anew under the new identity. */
  reconnect: () => void;
  /** The network or the user is back: no sense in waiting for the backoff, or for a silence that nobody counted, to pass. */
  wake: () => void;
};

const BACKOFF_FIRST_MS = 500;
const BACKOFF_MAX_MS = 20_000;
/** A connection without subscribers stays for a moment: leaving one page for the next must not close it. */
const LINGER_MS = 10_000;
const PING_EVERY_MS = 20_000;
/** What the server closes with when a session is unknown or has ended. */
const UNAUTHENTICATED = 4401;
/** No message for this long, pongs included, means that the connection is dead even if the browser has not noticed. */
const SILENCE_SECONDS_MAX = 45;

/** The channels that need a session, as the contract names them; a test holds both equal. */
export const userChannels: ReadonlySet<ChannelName> = new Set([
  'orders',
  'positions',
  'balance',
  'follows',
  'deposits',
  'triggers',
  'alerts',
]);

type Entry = { channel: ChannelName; key: string; subscribers: Set<Subscriber<ChannelName>>; lastSeq: number | null };

/** Exponential with full jitter on its upper half, so that many browsers do not come back in the same moment. */
export function backoffMs(attempt: number, random: number): number {
  const ceiling = Math.min(BACKOFF_MAX_MS, BACKOFF_FIRST_MS * 2 ** Math.min(attempt, 10));
  return Math.round(ceiling / 2 + (ceiling / 2) * random);
}

class SharedSocket implements StreamClient {
  readonly #deps: StreamDeps;
  readonly #entries = new Map<string, Entry>();
  readonly #statusListeners = new Set<() => void>();
  #status: StreamStatus = 'idle';
  #socket: StreamSocket | null = null;
  #attempt = 0;
  /** From the first connection on, also from one that was not made: what is subscribed to was read before. */
  #mayHaveMissed = false;
  #authenticated = false;
  #retryTimer: unknown = null;
  #lingerTimer: unknown = null;
  #pingTimer: unknown = null;
  #silenceTimer: unknown = null;
  #quietSeconds = 0;
  // The timers of a page that sleeps stand still, so that its quiet seconds are too few.
  #heardAtMs = 0;

  constructor(deps: StreamDeps) {
    this.#deps = deps;
  }

  readonly subscribe: StreamClient['subscribe'] = (channel, key, subscriber) => {
    this.#lingerTimer = this.#stopTimer(this.#lingerTimer);
    const id = idOf(channel, key);
    const own = subscriber as unknown as Subscriber<ChannelName>;
    let entry = this.#entries.get(id);
    if (entry) {
      entry.subscribers.add(own);
    } else {
      entry = { channel, key, subscribers: new Set([own]), lastSeq: null };
      this.#entries.set(id, entry);
      this.#ask(entry);
    }
    if (this.#status === 'idle') this.#connect();
    const joined = entry;
    return () => this.#leave(joined, own);
  };

  readonly status = (): StreamStatus => this.#status;

  readonly onStatus = (listener: () => void): (() => void) => {
    this.#statusListeners.add(listener);
    return () => this.#statusListeners.delete(listener);
  };

  readonly reconnect = (): void => {
    if (this.#status === 'idle') return;
    this.#drop();
    this.#attempt = 0;
    this.#connect();
  };

  readonly wake = (): void => {
    if (this.#status === 'open' && this.#deps.nowMs() - this.#heardAtMs > SILENCE_SECONDS_MAX * 1_000) this.#lost();
    if (this.#status !== 'waiting') return;
    this.#attempt = 0;
    this.#connect();
  };

  #leave(joined: Entry, own: Subscriber<ChannelName>): void {
    const { channel, key } = joined;
    const id = idOf(channel, key);
    if (!joined.subscribers.delete(own) || joined.subscribers.size > 0 || this.#entries.get(id) !== joined) return;
    this.#entries.delete(id);
    this.#send({ op: 'unsubscribe', channel, key });
    if (this.#entries.size > 0) return;
    this.#stopTimer(this.#lingerTimer);
    this.#lingerTimer = this.#deps.setTimer(() => {
      this.#lingerTimer = null;
      if (this.#entries.size > 0) return;
      this.#drop();
      this.#mayHaveMissed = false;
      this.#setStatus('idle');
    }, LINGER_MS);
  }

  #setStatus(next: StreamStatus): void {
    if (this.#status === next) return;
    this.#status = next;
    for (const listener of this.#statusListeners) listener();
  }

  #stopTimer(timer: unknown): null {
    if (timer !== null) this.#deps.clearTimer(timer);
    return null;
  }

  #send(message: ClientMessage): void {
    if (this.#status === 'open') this.#socket?.send(JSON.stringify(message));
  }

  #ask({ channel, key }: { channel: ChannelName; key: string }): void {
    if (this.#authenticated || !userChannels.has(channel)) this.#send({ op: 'subscribe', channel, key });
  }

  #connect(): void {
    this.#retryTimer = this.#stopTimer(this.#retryTimer);
    this.#setStatus('connecting');
    const opened = this.#deps.openSocket();
    let token: string | null = null;
    this.#socket = opened;
    opened.onopen = () => {
      if (this.#socket !== opened) return;
      token = this.#deps.token();
      this.#opened(token);
    };
    opened.onmessage = (event) => {
      for (const message of parseMessages(event.data)) {
        // What a subscriber does with one message may have opened another connection.
        if (this.#socket !== opened) return;
        this.#receive(message);
      }
      this.#heard();
    };
    opened.onclose = ({ code, reason }) => {
      if (this.#socket !== opened) return;
      this.#lost();
      if (code === UNAUTHENTICATED && token !== null) this.#deps.onRefused(token, reason);
    };
  }

  #opened(token: string | null): void {
    this.#authenticated = false;
    this.#setStatus('open');
    this.#send({ op: 'batch' });
    // With a token the connection counts as made once the server has taken it.
    if (token === null) this.#attempt = 0;
    else this.#send({ op: 'auth', token });
    for (const entry of this.#entries.values()) {
      entry.lastSeq = null;
      this.#ask(entry);
      if (this.#mayHaveMissed && !userChannels.has(entry.channel)) tellGap(entry);
    }
    this.#mayHaveMissed = true;
    this.#schedulePing();
    this.#heard();
    this.#watchSilence();
  }

  #heard(): void {
    this.#quietSeconds = 0;
    this.#heardAtMs = this.#deps.nowMs();
  }

  #drop(): void {
    const old = this.#socket;
    this.#socket = null;
    this.#pingTimer = this.#stopTimer(this.#pingTimer);
    this.#silenceTimer = this.#stopTimer(this.#silenceTimer);
    this.#retryTimer = this.#stopTimer(this.#retryTimer);
    if (old) {
      old.onopen = old.onmessage = old.onclose = null;
      old.close();
    }
  }

  #lost(): void {
    this.#drop();
    this.#mayHaveMissed = true;
    if (this.#entries.size === 0) return this.#setStatus('idle');
    this.#setStatus('waiting');
    this.#retryTimer = this.#deps.setTimer(() => this.#connect(), backoffMs(this.#attempt, this.#deps.random()));
    this.#attempt += 1;
  }

  #schedulePing(): void {
    this.#pingTimer = this.#deps.setTimer(() => {
      this.#send({ op: 'ping' });
      this.#schedulePing();
    }, PING_EVERY_MS);
  }

  /** Counts quiet seconds. Moving a timer with each message would cost more than reading it. */
  #watchSilence(): void {
    this.#silenceTimer = this.#deps.setTimer(() => {
      this.#quietSeconds += 1;
      if (this.#quietSeconds < SILENCE_SECONDS_MAX) this.#watchSilence();
      else this.#lost();
    }, 1_000);
  }

  #receive(message: ServerMessage): void {
    if (message.op === 'authenticated') {
      this.#authenticated = true;
      this.#attempt = 0;
      for (const entry of this.#entries.values()) if (userChannels.has(entry.channel)) this.#ask(entry);
      return;
    }
    if (message.op !== 'subscribed' && message.op !== 'data') return;
    const entry = this.#entries.get(idOf(message.channel, message.key));
    if (!entry) return;
    const before = entry.lastSeq;
    entry.lastSeq = message.seq;
    if (message.op === 'subscribed') {
      // What the user has may have changed after it was fetched and before this moment, as a deposit right after signing
      // up does. From now on nothing is missed, so it is fetched once more.
      if (userChannels.has(entry.channel)) tellGap(entry);
      return;
    }
    for (const subscriber of entry.subscribers) subscriber.onData(message.data as never);
    if (before !== null && message.seq !== before + 1) tellGap(entry);
  }
}

const idOf = (channel: ChannelName, key: string): string => `${channel} ${key}`;

function tellGap(entry: Entry): void {
  for (const subscriber of entry.subscribers) subscriber.onGap?.();
}

/** One message, or the batch of several. */
function parseMessages(raw: unknown): ServerMessage[] {
  if (typeof raw !== 'string') return [];
  try {
    const parsed = JSON.parse(raw) as ServerMessage | ServerMessage[];
    return Array.isArray(parsed) ? parsed : [parsed];
  } catch {
    return [];
  }
}

export function createStreamClient(deps: StreamDeps): StreamClient {
  return new SharedSocket(deps);
}
