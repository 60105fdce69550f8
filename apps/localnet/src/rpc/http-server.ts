// JSON-RPC over HTTP on loopback.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createSocketServer, type Socket } from 'node:net';
import type { LedgerChain } from '../chain/ledger-chain.ts';
import { serveFast } from './fast-http.ts';
import { answerBody } from './json-rpc.ts';

/** A single request is bounded as on a real node; a batch may carry many of them. */
const REQUEST_BYTES_MAX = 50 * 1024;
const BATCH_BYTES_MAX = 10 * 1024 * 1024;
const CONNECTIONS_MAX = 10_000;
const CLOSE_GRACE_MS = 100;

export type RpcHttpServer = { url: string; port: number; close(): Promise<void> };

function respond(response: ServerResponse, status: number, contentType: string, text: string): void {
  const body = Buffer.from(text, 'utf8');
  response.writeHead(status, {
    'content-type': contentType,
    'content-length': body.length,
    'access-control-allow-origin': '*',
  });
  response.end(body);
}

function refuse(request: IncomingMessage, response: ServerResponse, status: number, text: string): void {
  // What is still coming in belongs to no answer any more.
  response.setHeader('connection', 'close');
  respond(response, status, 'text/plain', text);
  request.resume();
}

function isBatch(body: Buffer): boolean {
  for (const byte of body) {
    if (byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d) continue;
    return byte === 0x5b;
  }
  return false;
}

function handleGet(request: IncomingMessage, response: ServerResponse): void {
  if (request.url === '/health') respond(response, 200, 'text/plain', 'ok');
  else respond(response, 405, 'text/plain', 'Used HTTP Method is not allowed. POST or OPTIONS is required');
}

function handlePreflight(response: ServerResponse): void {
  response.writeHead(204, {
    'access-control-allow-origin': '*',
    'access-control-allow-methods': 'OPTIONS, POST',
    'access-control-allow-headers': 'content-type, solana-client',
    'access-control-max-age': '86400',
  });
  response.end();
}

function handlePost(chain: LedgerChain, request: IncomingMessage, response: ServerResponse): void {
  const type = request.headers['content-type'] ?? '';
  if (!type.startsWith('application/json')) {
    refuse(request, response, 415, 'Supplied content type is not allowed. Content-Type: application/json is required');
    return;
  }
  const chunks: Buffer[] = [];
  let size = 0;
  request.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > BATCH_BYTES_MAX || (size > REQUEST_BYTES_MAX && !isBatch(chunks[0] ?? chunk))) {
      request.removeAllListeners('data').removeAllListeners('end');
      refuse(request, response, 413, 'request body too large');
      return;
    }
    chunks.push(chunk);
  });
  request.on('error', () => undefined);
  request.on('end', () => {
    const body = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
    void answerBody(chain, body.toString('utf8')).then((text) => {
      if (!response.destroyed) respond(response, 200, 'application/json', text);
    });
  });
}

export async function startRpcHttp(chain: LedgerChain, port: number): Promise<RpcHttpServer> {
  const general: Server = createServer((request, response) => {
    if (request.method === 'POST') handlePost(chain, request, response);
    else if (request.method === 'OPTIONS') handlePreflight(response);
    else handleGet(request, response);
  });
  general.keepAliveTimeout = 65_000;
  const sockets = new Set<Socket>();
  const server = createSocketServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    serveFast(socket, {
      bodyBytesMax: REQUEST_BYTES_MAX,
      answer: (body) => answerBody(chain, body),
      handOver: (handed, unread) => {
        handed.unshift(unread);
        general.emit('connection', handed);
        process.nextTick(() => handed.resume());
      },
    });
  });
  server.maxConnections = CONNECTIONS_MAX;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const bound = (server.address() as AddressInfo).port;
  return {
    url: `http://127.0.0.1:${bound}`,
    port: bound,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        // Answers under way get a moment; connections that merely stay open do not hold the process up.
        setTimeout(() => {
          for (const socket of sockets) socket.destroy();
        }, CLOSE_GRACE_MS);
      }),
  };
}
