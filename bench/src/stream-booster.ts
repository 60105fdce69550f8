// A proxy before the product that adds live updates to the stream, as a market far busier than the simulated one would
// send them. It numbers all messages of a channel anew, because the page takes a gap in the numbers for a loss, and sends
// batches to who asks for them, as the product does.
import { createServer, request as httpRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocket, WebSocketServer } from 'ws';

/** As the product's stream. */
const BATCH_MS = 100;

type Data = { op: 'data'; channel: string; key: string; seq: number; data: unknown };

export type StreamBooster = {
  readonly url: string;
  /** Updates that were added since the last call. */
  readonly takeSent: () => number;
  readonly stop: () => Promise<void>;
};

type Row = { tokenContractAddress: string };
type Discovered = { data: { lists: Row[]; total: number } };

/** `discoverRows`: how many tokens Discover has; the market's own are repeated under addresses that nobody else knows. */
export async function startStreamBooster(
  target: string,
  updatesPerSecond: number,
  discoverRows: number | null = null,
): Promise<StreamBooster> {
  const origin = new URL(target);
  let sent = 0;
  const repeated = new Set<string>();
  const server: Server = createServer((request, reply) => {
    const isRepeated = discoverRows !== null && request.url?.startsWith('/api/token/getTokenDiscover') === true;
    const headers = isRepeated ? { ...request.headers, 'accept-encoding': 'identity' } : request.headers;
    const forwarded = httpRequest(
      { host: origin.hostname, port: origin.port, path: request.url, method: request.method, headers },
      (answer) => {
        if (!isRepeated) {
          reply.writeHead(answer.statusCode ?? 502, answer.headers);
          answer.pipe(reply);
          return;
        }
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('end', () => {
          const body = JSON.parse(Buffer.concat(chunks).toString()) as Discovered;
          repeatRows(body.data, discoverRows, repeated);
          reply.writeHead(200, { 'content-type': 'application/json' });
          reply.end(JSON.stringify(body));
        });
      },
    );
    forwarded.on('error', () => reply.destroy());
    request.pipe(forwarded);
  });
  const sockets = new WebSocketServer({ server });
  sockets.on('connection', (client) => {
    const upstream = new WebSocket(`ws://${origin.host}/api/stream`, { origin: target });
    const waiting: string[] = [];
    const numbers = new Map<string, number>();
    const wanted = new Map<string, { channel: string; key: string; last: unknown }>();
    let batch: string[] | null = null;
    const sendBatch = (): void => {
      if (!batch?.length) return;
      client.send(`[${batch.join(',')}]`);
      batch = [];
    };
    const pass = (message: Data): void => {
      const id = `${message.channel} ${message.key}`;
      const seq = (numbers.get(id) ?? 0) + 1;
      numbers.set(id, seq);
      const text = JSON.stringify({ ...message, seq });
      if (batch) batch.push(text);
      else client.send(text);
    };
    client.on('message', (raw: Buffer) => {
      const text = raw.toString();
      const message = JSON.parse(text) as { op: string; channel?: string; key?: string };
      const { op, channel = '', key = '' } = message;
      if (op === 'batch') {
        batch = [];
        return;
      }
      if (op === 'subscribe') wanted.set(`${channel} ${key}`, { channel, key, last: null });
      if (op === 'unsubscribe') wanted.delete(`${channel} ${key}`);
      if (repeated.has(key)) {
        if (op === 'subscribe') client.send(JSON.stringify({ op: 'subscribed', channel, key, seq: 0 }));
        return;
      }
      if (upstream.readyState === WebSocket.OPEN) upstream.send(text);
      else waiting.push(text);
    });
    upstream.on('open', () => {
      for (const text of waiting) upstream.send(text);
    });
    upstream.on('message', (raw: Buffer) => {
      const message = JSON.parse(raw.toString()) as Data | { op: 'subscribed'; channel: string; key: string };
      if (message.op === 'data') {
        const entry = wanted.get(`${message.channel} ${message.key}`);
        if (entry) entry.last = message.data;
        pass(message);
      } else if (message.op === 'subscribed') {
        client.send(JSON.stringify({ ...message, seq: numbers.get(`${message.channel} ${message.key}`) ?? 0 }));
      } else client.send(JSON.stringify(message));
    });
    const batches = setInterval(sendBatch, BATCH_MS);
    let turn = 0;
    const timer = setInterval(() => {
      const wish = turn % 10 < 7 ? 'price' : turn % 10 < 9 ? 'trades' : 'candles';
      const followed = [...wanted.values()];
      // A page that follows prices only gets prices only.
      const channel = followed.some((entry) => entry.channel === wish) ? wish : 'price';
      const entries = followed.filter((entry) => entry.channel === channel);
      const entry = entries[turn % Math.max(1, entries.length)];
      turn += 1;
      if (!entry || client.readyState !== WebSocket.OPEN) return;
      sent += 1;
      pass({ op: 'data', channel, key: entry.key, seq: 0, data: madeUp(channel, entry.key, turn, entry.last) });
    }, 1_000 / updatesPerSecond);
    const end = (): void => {
      clearInterval(timer);
      clearInterval(batches);
      upstream.close();
      client.close();
    };
    client.on('close', end);
    upstream.on('close', end);
    upstream.on('error', end);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    takeSent: () => {
      const count = sent;
      sent = 0;
      return count;
    },
    stop: () =>
      new Promise((resolve) => {
        for (const client of sockets.clients) client.terminate();
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

const LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZ';

/** Makes the list as long as wanted, always with the same addresses. */
function repeatRows(data: Discovered['data'], rows: number, repeated: Set<string>): void {
  const real = [...data.lists];
  for (let turn = 0; real.length > 0 && data.lists.length < rows; turn += 1) {
    for (const row of real.slice(0, rows - data.lists.length)) {
      const tokenContractAddress = `${row.tokenContractAddress.slice(0, -2)}Z${LETTERS[turn]}`;
      repeated.add(tokenContractAddress);
      data.lists.push({ ...row, tokenContractAddress });
    }
  }
  data.total = data.lists.length;
}

/** Different every time, because a page that is told the same again does nothing. */
function madeUp(channel: string, key: string, turn: number, last: unknown): unknown {
  const price = (0.001 * (1 + (turn % 97) / 1_000)).toFixed(9);
  const now = Date.now();
  if (channel === 'price') {
    return {
      tokenContractAddress: key,
      price,
      priceSol: price,
      change: String((turn % 40) - 20),
      change1h: String((turn % 10) - 5),
      marketCap: String(1_000_000 + turn),
      liquidity: '300000',
      holders: 40,
      time: now,
    };
  }
  if (channel === 'candles') {
    const before = last as { t: number; o: string } | null;
    const bucket = Math.floor(now / 900_000) * 900_000;
    return {
      t: before?.t ?? bucket,
      o: before?.o ?? price,
      h: price,
      l: price,
      c: price,
      v: '10',
      vUsd: '5',
      cSol: null,
      closed: false,
    };
  }
  return [
    {
      id: `${now}${turn % 1_000}`,
      time: now,
      side: turn % 2 ? 'buy' : 'sell',
      price,
      priceSol: price,
      tokenAmount: String(1_000 + turn),
      solAmount: '0.5',
      valueUsd: '80',
      wallet: '11111111111111111111111111111111',
      txHash: '1111111111111111111111111111111111111111111111111111111111111111',
    },
  ];
}
