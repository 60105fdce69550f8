/**
 * The live stream with 2,000 connections that follow 10 tokens each, at 50 updates a second in total, against a bare
 * WebSocket broadcaster that sends the same messages to the same clients. Bars: every update reaches every follower, and
 * the server's CPU is at most twice the bare one's.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { WebSocketServer, type WebSocket } from 'ws';
import { LiveBus } from '../../apps/server/src/platform/live-bus.ts';
import { systemClock } from '../../apps/server/src/platform/clock.ts';
import { createLog } from '../../apps/server/src/platform/log.ts';
import { StreamServer } from '../../apps/server/src/stream/stream-server.ts';
import type { Figures } from '../../scripts/run-named.ts';

const TOKENS = 200;
const FOLLOWS = 10;
const UPDATES_PER_SECOND = 50;
const SETTLE_MS = 1_000;

type Run = { received: number; p50Ms: number | null; p99Ms: number | null; cpuMs: number };

export default async function measureStream([
  connections = '2000',
  seconds = '10',
]: readonly string[]): Promise<Figures> {
  const load = { connections: Number(connections), updates: Number(seconds) * UPDATES_PER_SECOND };
  const product = await measure(load, productStream);
  const bare = await measure(load, bareBroadcaster);
  // Follows are spread evenly, so each update goes to the same number of connections.
  const expected = load.updates * ((load.connections * FOLLOWS) / TOKENS);
  return {
    connections: load.connections,
    updates: load.updates,
    expected,
    received: product.received,
    lagP50Ms: product.p50Ms,
    lagP99Ms: product.p99Ms,
    bareLagP99Ms: bare.p99Ms,
    cpuMs: Math.round(product.cpuMs),
    bareCpuMs: Math.round(bare.cpuMs),
    cpuOverBare: Math.round((product.cpuMs / bare.cpuMs) * 100) / 100,
    bar: 2,
    ok: product.received === expected && bare.received === expected,
  };
}

type Broadcaster = { url: string; publish(token: number, time: number): void; close(): void };

async function measure(
  { connections, updates }: { connections: number; updates: number },
  start: () => Promise<Broadcaster>,
): Promise<Run> {
  const server = await start();
  const clients = spawn(
    process.execPath,
    [
      join(import.meta.dirname, 'stream-clients.ts'),
      JSON.stringify({ url: server.url, connections, tokens: TOKENS, follows: FOLLOWS }),
    ],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  );
  try {
    await once(clients.stdout, 'data');
    const before = process.cpuUsage();
    for (let update = 0; update < updates; update += 1) {
      server.publish(update % TOKENS, Date.now());
      await delay(1_000 / UPDATES_PER_SECOND);
    }
    await delay(SETTLE_MS);
    const used = process.cpuUsage(before);
    clients.stdin.write('report\n');
    const [line] = (await once(clients.stdout, 'data')) as [Buffer];
    return { ...(JSON.parse(line.toString()) as Run), cpuMs: (used.user + used.system) / 1_000 };
  } finally {
    clients.kill('SIGKILL');
    server.close();
  }
}

const tick = (token: number, time: number) => ({
  tokenContractAddress: `token${token}`,
  price: '0.00012345678',
  priceSol: '0.00000082304',
  change: '12.5',
  change1h: '-3.1',
  marketCap: '1234567.891234',
  liquidity: '98765.432109',
  holders: 1234,
  time,
});

async function productStream(): Promise<Broadcaster> {
  const server = createServer();
  const bus = new LiveBus();
  const stream = new StreamServer({
    server,
    bus,
    authenticate: () => null,
    onSessionEnd: () => () => {},
    publicOrigin: undefined,
    local: true,
    clock: systemClock,
    log: createLog('silent'),
  });
  stream.start();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}/api/stream`,
    publish: (token, time) => bus.publish('price', `token${token}`, tick(token, time)),
    close: () => {
      void stream.stop();
      server.close();
    },
  };
}

/** Nothing but who follows what, and a send. */
async function bareBroadcaster(): Promise<Broadcaster> {
  const sockets = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false });
  const followers = new Map<string, Set<WebSocket>>();
  sockets.on('connection', (socket) => {
    socket.on('message', (data: Buffer) => {
      const { key } = JSON.parse(data.toString()) as { key: string };
      followers.set(key, (followers.get(key) ?? new Set()).add(socket));
      socket.send(`{"op":"subscribed","channel":"price","key":"${key}","seq":0}`);
    });
  });
  await once(sockets, 'listening');
  let seq = 0;
  return {
    url: `ws://127.0.0.1:${(sockets.address() as AddressInfo).port}`,
    publish: (token, time) => {
      seq += 1;
      const key = `token${token}`;
      const text = JSON.stringify({ op: 'data', channel: 'price', key, seq, data: tick(token, time) });
      for (const socket of followers.get(key) ?? []) socket.send(text);
    },
    close: () => sockets.close(),
  };
}
