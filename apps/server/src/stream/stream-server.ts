import { clientMessage, type ChannelName, type ClientMessage } from '@hunter/contract/stream';
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type RawData, type WebSocket } from 'ws';
import type { Session } from '../accounts/session.ts';
import { isHostAllowed } from '../http/allowed-host.ts';
import type { Authenticate } from '../http/handlers.ts';
import type { Clock } from '../platform/clock.ts';
import type { LiveBus } from '../platform/live-bus.ts';
import type { Log } from '../platform/log.ts';
import { Loop } from '../platform/loop.ts';
import { networkOf } from '../platform/network-of.ts';
import { RateLimit } from '../platform/rate-limit.ts';
import { Connection, type StreamLosses, type Topic } from './connection.ts';

const PATH = '/api/stream';
const MESSAGE_BYTES_MAX = 4 * 1024;
const MESSAGES_PER_SECOND_MAX = 300;
const CONNECTIONS_MAX = 10_000;
const HEARTBEAT_MS = 20_000;
/** A part of the connections at a time: thousands of pings at once would hold up what is published meanwhile. */
const HEARTBEAT_PARTS = 40;
/** How long a value may wait for others, where a client asked for batches. */
const FLUSH_MS = 100;

export type StreamOptions = {
  server: Server;
  bus: LiveBus;
  authenticate: Authenticate;
  /** Tells when a session ends, so that its sockets close with it. */
  onSessionEnd: (listener: (sessionId: string, why: string) => void) => () => void;
  /** Origins a browser may come from besides the server's own host. */
  publicOrigin: string | undefined;
  local: boolean;
  /** Of the network that a request comes from; without it connections per address are not limited. */
  perAddress?: { max: number; addressOf: (request: IncomingMessage) => string };
  clock: Clock;
  log: Log;
};

/** The live stream: who follows what, and one JSON text per value for all of them. */
export class StreamServer {
  readonly #options: StreamOptions;
  readonly #sockets: WebSocketServer;
  readonly #connections = new Map<WebSocket, Connection>();
  /** Followers of each topic with the key they know it by; `leave` ends what this process hears of it. */
  readonly #followers = new Map<Topic, { leave: () => void; connections: Map<Connection, string> }>();
  readonly #stops: (() => void)[] = [];
  readonly #loops: readonly Loop[];
  /** The connections of each part of the heartbeat, with what asks them. */
  readonly #beats = Array.from({ length: HEARTBEAT_PARTS }, () => new Map<WebSocket, () => void>());
  readonly #perNetwork = new Map<string, number>();
  readonly #losses: StreamLosses = { replaced: 0, stuck: 0 };
  #accepted = 0;
  #beat = 0;

  constructor(options: StreamOptions) {
    this.#options = options;
    this.#sockets = new WebSocketServer({ noServer: true, maxPayload: MESSAGE_BYTES_MAX, perMessageDeflate: false });
    const { clock, log } = options;
    this.#loops = [
      new Loop({
        name: 'stream heartbeat',
        work: async () => this.#heartbeat(),
        everyMs: HEARTBEAT_MS / HEARTBEAT_PARTS,
        clock,
        log,
      }),
      new Loop({ name: 'stream flush', work: async () => this.#flush(), everyMs: FLUSH_MS, clock, log }),
    ];
  }

  start(): void {
    const { server, bus, onSessionEnd } = this.#options;
    const onUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => this.#upgrade(request, socket, head);
    server.on('upgrade', onUpgrade);
    for (const loop of this.#loops) loop.start();
    this.#stops.push(
      () => server.off('upgrade', onUpgrade),
      bus.onGap(() => this.#raiseSequences()),
      onSessionEnd((sessionId, why) => this.#endSession(sessionId, why)),
    );
  }

  async stop(): Promise<void> {
    for (const stop of this.#stops) stop();
    await Promise.all(this.#loops.map((loop) => loop.stop()));
    for (const { leave } of this.#followers.values()) leave();
    for (const socket of this.#connections.keys()) socket.close(1001, 'the server is stopping');
    this.#sockets.close();
  }

  get connections(): number {
    return this.#connections.size;
  }

  get losses(): Readonly<StreamLosses> {
    return this.#losses;
  }

  #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    // From here on nobody else listens: a client that resets the connection while it is refused must not end the process.
    socket.on('error', () => socket.destroy());
    if ((request.url ?? '').split('?')[0] !== PATH) return refuse(socket, '404 Not Found');
    if (!this.#originAllowed(request)) return refuse(socket, '403 Forbidden');
    if (this.#connections.size >= CONNECTIONS_MAX) return refuse(socket, '503 Service Unavailable');
    const release = this.#takePlace(request);
    if (!release) return refuse(socket, '429 Too Many Requests');
    // Whether it becomes a stream or not: a connection that is gone gives its place back.
    socket.once('close', release);
    this.#sockets.handleUpgrade(request, socket, head, (client) => this.#accept(client));
  }

  /** Answers what gives the place back; null where the address has all of its own. */
  #takePlace(request: IncomingMessage): (() => void) | null {
    const { perAddress } = this.#options;
    if (!perAddress) return () => {};
    const network = networkOf(perAddress.addressOf(request));
    const taken = this.#perNetwork.get(network) ?? 0;
    if (taken >= perAddress.max) return null;
    this.#perNetwork.set(network, taken + 1);
    return () => {
      const left = this.#perNetwork.get(network)! - 1;
      if (left > 0) this.#perNetwork.set(network, left);
      else this.#perNetwork.delete(network);
    };
  }

  /** Browsers always send an origin; another site's page must not open a stream with the user's browser. */
  #originAllowed(request: IncomingMessage): boolean {
    const { origin, host } = request.headers;
    if (!isHostAllowed(host, this.#options)) return false;
    if (origin === undefined) return true;
    if (origin === this.#options.publicOrigin) return true;
    return URL.canParse(origin) && new URL(origin).host === host;
  }

  #accept(socket: WebSocket): void {
    const connection = new Connection(socket, this.#losses);
    this.#connections.set(socket, connection);
    let alive = true;
    const messages = new RateLimit(this.#options.clock, MESSAGES_PER_SECOND_MAX, MESSAGES_PER_SECOND_MAX);
    // One after the other: a subscribe sent right after auth must find the session that auth brought.
    let handled: Promise<void> = Promise.resolve();
    socket.on('message', (data) => {
      if (messages.take('') > 0) return socket.close(1008, 'too many messages');
      handled = handled
        .then(() => this.#receive(connection, data))
        .catch((error: Error) => {
          this.#options.log.error({ error: error.message }, 'a stream message failed');
          socket.close(1011, 'internal error');
        });
      return undefined;
    });
    socket.on('pong', () => {
      alive = true;
    });
    socket.on('error', () => socket.terminate());
    const beat = this.#beats[this.#accepted % HEARTBEAT_PARTS]!;
    this.#accepted += 1;
    beat.set(socket, () => {
      if (!alive) return socket.terminate();
      alive = false;
      return socket.ping();
    });
    socket.on('close', () => {
      beat.delete(socket);
      this.#drop(connection);
    });
  }

  async #receive(connection: Connection, data: RawData): Promise<void> {
    // What was sent along with the message that ended the connection: each token among it would be a question to the database.
    if (connection.socket.readyState !== connection.socket.OPEN) return;
    const message = parseMessage(data);
    if (!message) return connection.reply({ op: 'error', error: 'not a message of this stream' });
    switch (message.op) {
      case 'ping':
        return connection.reply({ op: 'pong' });
      case 'batch':
        return connection.sendBatches();
      case 'auth': {
        const session = await this.#options.authenticate(message.token);
        if (!session) {
          connection.reply({ op: 'error', error: 'not authenticated' });
          return connection.socket.close(4401, 'not authenticated');
        }
        if (connection.session && connection.session.userId !== session.userId) {
          return connection.socket.close(4409, 'another user');
        }
        connection.session = session;
        return connection.reply({ op: 'authenticated' });
      }
      case 'subscribe':
        return this.#subscribe(connection, message);
      case 'unsubscribe': {
        const topic = connection.unsubscribe(message.channel, message.key);
        if (topic) this.#leave(connection, topic);
        return connection.reply({ op: 'unsubscribed', channel: message.channel, key: message.key });
      }
    }
  }

  #subscribe(connection: Connection, message: ClientMessage & { op: 'subscribe' }): void {
    const { channel, key } = message;
    const refusal = connection.subscribe(message);
    if (refusal) return connection.reply({ op: 'error', error: refusal, channel, key });
    const topic = connection.subscriptions.get(`${channel} ${key}`)!;
    this.#followersOf(topic, channel).set(connection, key);
    return connection.reply({ op: 'subscribed', channel, key, seq: 0 });
  }

  #followersOf(topic: Topic, channel: ChannelName): Map<Connection, string> {
    const known = this.#followers.get(topic);
    if (known) return known.connections;
    const connections = new Map<Connection, string>();
    const key = topic.slice(channel.length + 1);
    const leave = this.#options.bus.follow(channel, key, (_channel, _key, data) => {
      const text = JSON.stringify(data);
      for (const [connection, clientKey] of connections) connection.push(channel, clientKey, text);
    });
    this.#followers.set(topic, { leave, connections });
    return connections;
  }

  #leave(connection: Connection, topic: Topic): void {
    const followers = this.#followers.get(topic);
    followers?.connections.delete(connection);
    if (!followers || followers.connections.size > 0) return;
    followers.leave();
    this.#followers.delete(topic);
  }

  /** What was said while the bus was away is lost: clients see a gap and fetch again. */
  #raiseSequences(): void {
    for (const connection of this.#connections.values()) connection.raiseSequences();
  }

  #drop(connection: Connection): void {
    for (const topic of connection.subscriptions.values()) this.#leave(connection, topic);
    this.#connections.delete(connection.socket);
  }

  /** The reason arrives with the close, before the page asks anything that would be refused. */
  #endSession(sessionId: string, why: string): void {
    for (const connection of this.#connections.values()) {
      const session: Session | null = connection.session;
      if (session?.sessionId === sessionId) connection.socket.close(4401, why);
    }
  }

  #flush(): void {
    for (const connection of this.#connections.values()) connection.flush();
  }

  #heartbeat(): void {
    for (const check of this.#beats[this.#beat]!.values()) check();
    this.#beat = (this.#beat + 1) % HEARTBEAT_PARTS;
  }
}

function parseMessage(data: RawData): ClientMessage | null {
  try {
    const parsed = clientMessage.safeParse(JSON.parse((data as Buffer).toString('utf8')));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

/** Not only ended: the other side could keep its half open for ever, and no timeout or limit counts it any more. */
export function refuse(socket: Duplex, status: string): void {
  socket.once('finish', () => socket.destroy());
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}
