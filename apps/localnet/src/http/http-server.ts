// What the RPC and the venue share of serving HTTP: loopback only, a limit on connections and bodies, a short grace
// at the end.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const CONNECTIONS_MAX = 10_000;
const KEEP_ALIVE_MS = 65_000;
const CLOSE_GRACE_MS = 100;

export type HttpServer = { url: string; port: number; close(): Promise<void> };

export async function startHttpServer(
  port: number,
  answer: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
): Promise<HttpServer> {
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => {
    answer(request, response).catch((error: unknown) => {
      console.error('localnet: an HTTP request failed; its connection is closed', error);
      response.destroy();
    });
  });
  server.maxConnections = CONNECTIONS_MAX;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const { port: bound } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${bound}`,
    port: bound,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        // Answers under way get a moment; connections that merely stay open do not hold the process up.
        setTimeout(() => server.closeAllConnections(), CLOSE_GRACE_MS);
      }),
  };
}

/** Null where the body is larger than allowed: the rest is thrown away and the connection ends with the answer. */
export function readBody(
  request: IncomingMessage,
  response: ServerResponse,
  bytesMax: (start: Buffer) => number,
): Promise<string | null> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > bytesMax(chunks[0] ?? chunk)) {
        request.removeAllListeners('data').resume();
        response.setHeader('connection', 'close');
        resolve(null);
      } else chunks.push(chunk);
    });
    request.on('error', reject);
    request.on('end', () => resolve((chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)).toString('utf8')));
  });
}

export function respond(response: ServerResponse, status: number, contentType: string, text: string): void {
  if (response.destroyed) return;
  response.writeHead(status, {
    'content-type': contentType,
    'content-length': Buffer.byteLength(text),
    'access-control-allow-origin': '*',
  });
  response.end(text);
}
