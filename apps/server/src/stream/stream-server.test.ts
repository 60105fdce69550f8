import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { SUBSCRIPTIONS_MAX } from '@hunter/contract/stream';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { LocalBus } from '../platform/bus/local-bus.ts';
import { clientAddress } from '../http/client-address.ts';
import { LiveBus } from '../platform/live-bus.ts';
import { systemClock } from '../platform/clock.ts';
import { createLog } from '../platform/log.ts';
import { StreamServer } from './stream-server.ts';

const session = { sessionId: 'session-1', userId: 'user-1', email: 'a@b.example' };
let server: Server;
let bus: LiveBus;
let local: GappyBus;
let stream: StreamServer;
let endSession: (sessionId: string, why: string) => void;
let clients: WebSocket[];
let asked: number;

/** Says that it was away when a test wants it. */
class GappyBus extends LocalBus {
  gap = () => {};

  override onGap(listener: () => void): () => void {
    this.gap = listener;
    return () => {};
  }
}

beforeEach(async () => {
  server = createServer();
  local = new GappyBus();
  bus = new LiveBus(local);
  clients = [];
  asked = 0;
  stream = new StreamServer({
    server,
    bus,
    authenticate: async (token) => {
      asked += 1;
      if (token === 'slow') await new Promise((resolve) => setImmediate(resolve));
      return token === 'bad' ? null : session;
    },
    onSessionEnd: (listener) => {
      endSession = listener;
      return () => {};
    },
    publicOrigin: undefined,
    local: true,
    perAddress: { max: 100, addressOf: (request) => clientAddress(request, 1) },
    clock: systemClock,
    log: createLog('silent'),
  });
  stream.start();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(async () => {
  for (const client of clients) client.terminate();
  await stream.stop();
  server.close();
});

type Message = Record<string, unknown>;

/** A client with a queue of what it received; `next` waits for the next message. */
async function aClient(options: { origin?: string } = {}) {
  const { port } = server.address() as AddressInfo;
  const socket = new WebSocket(`ws://127.0.0.1:${port}/api/stream`, options.origin ? { origin: options.origin } : {});
  clients.push(socket);
  const received: Message[] = [];
  const waiting: ((message: Message) => void)[] = [];
  socket.on('message', (data) => {
    const message = JSON.parse((data as Buffer).toString()) as Message;
    const waiter = waiting.shift();
    if (waiter) waiter(message);
    else received.push(message);
  });
  await once(socket, 'open');
  const next = () =>
    new Promise<Message>((resolve) => {
      const message = received.shift();
      if (message) resolve(message);
      else waiting.push(resolve);
    });
  const ask = (message: unknown) => {
    socket.send(typeof message === 'string' ? message : JSON.stringify(message));
    return next();
  };
  return { socket, next, ask };
}

it.each([
  ['another path', 'GET /elsewhere HTTP/1.1'],
  ['a foreign page', 'GET /api/stream HTTP/1.1\r\nOrigin: https://elsewhere.example'],
])('lives on when %s is refused and resets the connection', async (_, opening) => {
  const { port } = server.address() as AddressInfo;
  const refused = once(server, 'upgrade');
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  socket.write(`${opening}\r\nHost: here\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`);
  const [, accepted] = (await refused) as [unknown, NodeJS.EventEmitter];
  // `once` would listen for the error as well, and that is what the server has to do.
  const closed = new Promise((resolve) => accepted.on('close', resolve));
  socket.resetAndDestroy();
  await closed;
  const client = await aClient();
  expect(await client.ask({ op: 'ping' })).toEqual({ op: 'pong' });
});

it('closes a connection that it refused, also where the other side keeps it open', async () => {
  const { port } = server.address() as AddressInfo;
  const refused = once(server, 'upgrade');
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  socket.on('error', () => {}).resume();
  socket.write('GET /elsewhere HTTP/1.1\r\nHost: here\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
  const [, accepted] = (await refused) as [unknown, Duplex];
  await once(socket, 'end');
  await expect.poll(() => accepted.destroyed).toBe(true);
  socket.destroy();
});

it('numbers the values of each channel and key from one', async () => {
  const client = await aClient();
  expect(await client.ask({ op: 'subscribe', channel: 'hot', key: 'all' })).toMatchObject({ op: 'subscribed', seq: 0 });
  bus.publish('hot', 'all', { time: 1 });
  bus.publish('hot', 'all', { time: 2 });
  expect(await client.next()).toEqual({ op: 'data', channel: 'hot', key: 'all', seq: 1, data: { time: 1 } });
  expect(await client.next()).toMatchObject({ seq: 2, data: { time: 2 } });
});

it('shows clients a gap after the bus was away, and has them fetch what is their own at once', async () => {
  const client = await aClient();
  await client.ask({ op: 'auth', token: 'good' });
  await client.ask({ op: 'subscribe', channel: 'hot', key: 'all' });
  await client.ask({ op: 'subscribe', channel: 'positions', key: 'me' });
  local.gap();
  expect(await client.next()).toEqual({ op: 'subscribed', channel: 'positions', key: 'me', seq: 1 });
  bus.publish('hot', 'all', { time: 1 });
  expect(await client.next()).toMatchObject({ channel: 'hot', seq: 2 });
});

it('sends several values in one frame to who asks for batches', async () => {
  const client = await aClient();
  client.socket.send(JSON.stringify({ op: 'batch' }));
  await client.ask({ op: 'subscribe', channel: 'hot', key: 'all' });
  for (const time of [1, 2, 3]) bus.publish('hot', 'all', { time });
  expect(await client.next()).toMatchObject({ op: 'data', seq: 1, data: { time: 1 } });
  expect(await client.next()).toMatchObject([
    { seq: 2, data: { time: 2 } },
    { seq: 3, data: { time: 3 } },
  ]);
});

it('sends a user’s own channels only to that user, under the key me', async () => {
  const stranger = await aClient();
  expect(await stranger.ask({ op: 'subscribe', channel: 'positions', key: 'me' })).toMatchObject({
    op: 'error',
    error: 'not authenticated',
  });
  const owner = await aClient();
  expect(await owner.ask({ op: 'auth', token: 'good' })).toEqual({ op: 'authenticated' });
  expect(await owner.ask({ op: 'subscribe', channel: 'positions', key: 'user-2' })).toMatchObject({ op: 'error' });
  await owner.ask({ op: 'subscribe', channel: 'positions', key: 'me' });
  bus.publish('positions', 'user-2', { tokenContractAddresses: ['other'] });
  bus.publish('positions', 'user-1', { tokenContractAddresses: ['mine'] });
  expect(await owner.next()).toMatchObject({ key: 'me', seq: 1, data: { tokenContractAddresses: ['mine'] } });
});

it('handles messages in the order they were sent, however long a token takes to check', async () => {
  const client = await aClient();
  client.socket.send(JSON.stringify({ op: 'auth', token: 'slow' }));
  client.socket.send(JSON.stringify({ op: 'subscribe', channel: 'positions', key: 'me' }));
  expect(await client.next()).toEqual({ op: 'authenticated' });
  expect(await client.next()).toMatchObject({ op: 'subscribed' });
});

it('closes a socket whose token is wrong, and tells one whose session ends why', async () => {
  const wrong = await aClient();
  wrong.socket.send(JSON.stringify({ op: 'auth', token: 'bad' }));
  expect((await once(wrong.socket, 'close'))[0]).toBe(4401);
  const good = await aClient();
  await good.ask({ op: 'auth', token: 'good' });
  endSession('session-1', 'frozen');
  const [code, why] = (await once(good.socket, 'close')) as [number, Buffer];
  expect([code, why.toString()]).toEqual([4401, 'frozen']);
});

it('asks about no token that came after a wrong one', async () => {
  const client = await aClient();
  for (let each = 0; each < 20; each += 1) client.socket.send(JSON.stringify({ op: 'auth', token: 'bad' }));
  await once(client.socket, 'close');
  expect(asked).toBe(1);
});

it('refuses another site’s page', async () => {
  await expect(aClient({ origin: 'https://evil.example' })).rejects.toThrow('403');
});

it('answers nonsense with an error and goes on', async () => {
  const client = await aClient();
  for (const nonsense of ['', '{', '[]', '{"op":"fly"}', '{"op":"subscribe","channel":"hot","key":"all","extra":1}']) {
    expect(await client.ask(nonsense)).toMatchObject({ op: 'error' });
  }
  expect(await client.ask({ op: 'ping' })).toEqual({ op: 'pong' });
});

it('limits how much one connection follows, and forgets what is left', async () => {
  const client = await aClient();
  for (let i = 0; i < SUBSCRIPTIONS_MAX; i += 1) {
    expect(await client.ask({ op: 'subscribe', channel: 'price', key: `mint-${i}` })).toMatchObject({
      op: 'subscribed',
    });
  }
  expect(await client.ask({ op: 'subscribe', channel: 'price', key: 'one-more' })).toMatchObject({ op: 'error' });
  await client.ask({ op: 'unsubscribe', channel: 'price', key: 'mint-0' });
  expect(bus.isFollowed('price', 'mint-0')).toBe(false);
  client.socket.close();
  await once(client.socket, 'close');
  await expect.poll(() => bus.isFollowed('price', 'mint-1')).toBe(false);
});

it('limits the connections of an address, and gives the place of one that left to the next', async () => {
  const { port } = server.address() as AddressInfo;
  const from = async (address: string) => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/api/stream`, { headers: { 'x-forwarded-for': address } });
    clients.push(socket);
    socket.on('error', () => {});
    const [outcome] = await Promise.race([
      once(socket, 'open').then(() => [101]),
      once(socket, 'unexpected-response').then(([, response]) => [(response as { statusCode: number }).statusCode]),
    ]);
    return { socket, outcome };
  };
  const first = await from('203.0.113.7');
  for (let number = 1; number < 100; number += 1) expect((await from('203.0.113.7')).outcome).toBe(101);
  expect((await from('203.0.113.7')).outcome).toBe(429);
  // What a caller claims beyond the proxy that is believed does not count.
  expect((await from('198.51.100.1, 203.0.113.7')).outcome).toBe(429);
  expect((await from('198.51.100.1')).outcome).toBe(101);
  first.socket.terminate();
  await expect.poll(async () => (await from('203.0.113.7')).outcome).toBe(101);
});
