// One WebSocket for everything live. Its life:
//
//   idle ──first subscription──► connecting ──open──► open ──close──► waiting ──backoff──► connecting
//     ▲                                                │
//     └────────────── last unsubscribe + linger ◄──────┘
//
// On open the client authenticates if it has a token and subscribes to every open channel that is wanted; the user's own
// channels follow once the server has said who we are. Each data message
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
  onclose: ((event: { code: number }) => void) | null;
};

export type StreamParts = {
  openSocket: () => StreamSocket;
  token: () => string | null;
  /** The server does not, or no longer, know the session of this token. */
  onRefused: (token: string) => void;
  random: () => number;
  setTimer: (run: () => void, delayMs: number) => unknown;
  clearTimer: (timer: unknown) => void;
};

export type Subscriber<Name extends ChannelName> = {
  onData: (data: ChannelData<Name>) => void;
  /** Something may have been missed: fetch the state again. */
  onGap?: () => void;
};

export type StreamClient = {
  subscribe: <Name extends ChannelName>(channel: Name, key: string, subscriber: Subscriber<Name>) => () => void;
  status: () => StreamStatus;
  onStatus: (listener: () => void) => () => void;
  /** The session changed: the connection is opened anew under the new identity. */
  reconnect: () => void;
  /** The network is back, so there is no sense in waiting for the backoff to pass. */
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
]);

type Entry = { channel: ChannelName; key: string; subscribers: Set<Subscriber<ChannelName>>; lastSeq: number | null };

/** Exponential with full jitter on its upper half, so that many browsers do not come back in the same moment. */
export function backoffMs(attempt: number, random: number): number {
  const ceiling = Math.min(BACKOFF_MAX_MS, BACKOFF_FIRST_MS * 2 ** Math.min(attempt, 10));
  return Math.round(ceiling / 2 + (ceiling / 2) * random);
}

export function createStreamClient(parts: StreamParts): StreamClient {
  const entries = new Map<string, Entry>();
  const statusListeners = new Set<() => void>();
  let status: StreamStatus = 'idle';
  let socket: StreamSocket | null = null;
  let attempt = 0;
  let hasBeenOpen = false;
  let authenticated = false;
  let retryTimer: unknown = null;
  let lingerTimer: unknown = null;
  let pingTimer: unknown = null;
  let silenceTimer: unknown = null;
  let quietSeconds = 0;

  const idOf = (channel: ChannelName, key: string) => `${channel} ${key}`;

  function setStatus(next: StreamStatus): void {
    if (status === next) return;
    status = next;
    for (const listener of statusListeners) listener();
  }

  function stopTimer(timer: unknown): null {
    if (timer !== null) parts.clearTimer(timer);
    return null;
  }

  function send(message: ClientMessage): void {
    if (status === 'open') socket?.send(JSON.stringify(message));
  }

  function ask({ channel, key }: { channel: ChannelName; key: string }): void {
    if (authenticated || !userChannels.has(channel)) send({ op: 'subscribe', channel, key });
  }

  function connect(): void {
    retryTimer = stopTimer(retryTimer);
    setStatus('connecting');
    const opened = parts.openSocket();
    let token: string | null = null;
    socket = opened;
    opened.onopen = () => {
      if (socket !== opened) return;
      authenticated = false;
      setStatus('open');
      token = parts.token();
      // With a token the connection counts as made once the server has taken it.
      if (token === null) attempt = 0;
      else send({ op: 'auth', token });
      for (const entry of entries.values()) {
        entry.lastSeq = null;
        ask(entry);
        if (hasBeenOpen && !userChannels.has(entry.channel)) tellGap(entry);
      }
      hasBeenOpen = true;
      schedulePing();
      quietSeconds = 0;
      watchSilence();
    };
    opened.onmessage = (event) => {
      if (socket !== opened) return;
      quietSeconds = 0;
      receive(event.data);
    };
    opened.onclose = ({ code }) => {
      if (socket !== opened) return;
      lost();
      if (code === UNAUTHENTICATED && token !== null) parts.onRefused(token);
    };
  }

  function drop(): void {
    const old = socket;
    socket = null;
    pingTimer = stopTimer(pingTimer);
    silenceTimer = stopTimer(silenceTimer);
    retryTimer = stopTimer(retryTimer);
    if (old) {
      old.onopen = old.onmessage = old.onclose = null;
      old.close();
    }
  }

  function lost(): void {
    drop();
    if (entries.size === 0) return setStatus('idle');
    setStatus('waiting');
    retryTimer = parts.setTimer(connect, backoffMs(attempt, parts.random()));
    attempt += 1;
  }

  function schedulePing(): void {
    pingTimer = parts.setTimer(() => {
      send({ op: 'ping' });
      schedulePing();
    }, PING_EVERY_MS);
  }

  /** Counts quiet seconds. Moving a timer with each message would cost more than reading it. */
  function watchSilence(): void {
    silenceTimer = parts.setTimer(() => {
      quietSeconds += 1;
      if (quietSeconds < SILENCE_SECONDS_MAX) watchSilence();
      else lost();
    }, 1_000);
  }

  function receive(raw: unknown): void {
    if (typeof raw !== 'string') return;
    let message: ServerMessage;
    try {
      message = JSON.parse(raw) as ServerMessage;
    } catch {
      return;
    }
    if (message.op === 'authenticated') {
      authenticated = true;
      attempt = 0;
      for (const entry of entries.values()) if (userChannels.has(entry.channel)) ask(entry);
      return;
    }
    if (message.op === 'subscribed') {
      const entry = entries.get(idOf(message.channel, message.key));
      if (!entry) return;
      entry.lastSeq = message.seq;
      // What the user has may have changed after it was fetched and before this moment, as a deposit right after signing
      // up does. From now on nothing is missed, so it is fetched once more.
      if (userChannels.has(entry.channel)) tellGap(entry);
      return;
    }
    if (message.op !== 'data') return;
    const entry = entries.get(idOf(message.channel, message.key));
    if (!entry) return;
    const missed = entry.lastSeq !== null && message.seq !== entry.lastSeq + 1;
    entry.lastSeq = message.seq;
    for (const subscriber of entry.subscribers) subscriber.onData(message.data as never);
    if (missed) tellGap(entry);
  }

  function tellGap(entry: Entry): void {
    for (const subscriber of entry.subscribers) subscriber.onGap?.();
  }

  return {
    subscribe(channel, key, subscriber) {
      lingerTimer = stopTimer(lingerTimer);
      const id = idOf(channel, key);
      const own = subscriber as unknown as Subscriber<ChannelName>;
      let entry = entries.get(id);
      if (entry) {
        entry.subscribers.add(own);
      } else {
        entry = { channel, key, subscribers: new Set([own]), lastSeq: null };
        entries.set(id, entry);
        ask(entry);
      }
      if (status === 'idle') connect();
      const joined = entry;
      return () => {
        if (!joined.subscribers.delete(own) || joined.subscribers.size > 0 || entries.get(id) !== joined) return;
        entries.delete(id);
        send({ op: 'unsubscribe', channel, key });
        if (entries.size > 0) return;
        lingerTimer = stopTimer(lingerTimer);
        lingerTimer = parts.setTimer(() => {
          lingerTimer = null;
          if (entries.size > 0) return;
          drop();
          hasBeenOpen = false;
          setStatus('idle');
        }, LINGER_MS);
      };
    },
    status: () => status,
    onStatus(listener) {
      statusListeners.add(listener);
      return () => statusListeners.delete(listener);
    },
    reconnect() {
      if (status === 'idle') return;
      drop();
      attempt = 0;
      connect();
    },
    wake() {
      if (status !== 'waiting') return;
      attempt = 0;
      connect();
    },
  };
}
