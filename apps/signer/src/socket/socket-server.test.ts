import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { SocketServer } from './socket-server.ts';

const REQUESTS = 5_000;
const LONG = 'x'.repeat(10_000);
const TOKEN = 'token of the server';

let folder: string;
let server: SocketServer;
let served = 0;
const sockets: Socket[] = [];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'signer-socket-'));
  served = 0;
  server = new SocketServer({
    handler: async (_caller, method) => {
      if (method === 'count') return served;
      served += 1;
      return LONG;
    },
    endpoint: { path: join(folder, 's') },
    folder,
    accessToken: TOKEN,
    operatorTokens: [],
    signerToken: null,
  });
  await server.listen(false);
});

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await server.close();
  rmSync(folder, { recursive: true });
});

function connected(): Socket {
  const socket = connect(join(folder, 's')).on('error', () => {});
  sockets.push(socket);
  return socket;
}

const line = (method: string): string => `${JSON.stringify({ id: 1, token: TOKEN, method, params: {} })}\n`;

/** How many were served once others had their turn again and again. */
async function servedMeanwhile(): Promise<number> {
  const socket = connected();
  const lines = createInterface({ input: socket })[Symbol.asyncIterator]();
  for (let turn = 0; turn < 300; turn += 1) {
    socket.write(line('count'));
    await lines.next();
  }
  return served;
}

it('hears whoever does not read its answers no further until he does', async () => {
  const deaf = connected();
  deaf.pause();
  await once(deaf, 'connect');
  deaf.write(line('ask').repeat(REQUESTS));
  const before = await servedMeanwhile();
  expect(before).toBeGreaterThan(0);
  expect(before).toBeLessThan(REQUESTS / 2);
  let answers = 0;
  const all = Promise.withResolvers<void>();
  createInterface({ input: deaf }).on('line', () => {
    answers += 1;
    if (answers === REQUESTS) all.resolve();
  });
  await all.promise;
});
