// JSON-RPC over HTTP on loopback.

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { LedgerChain } from '../chain/ledger-chain.ts';
import { type HttpServer, readBody, respond, startHttpServer } from '../http/http-server.ts';
import { answerBody } from './json-rpc.ts';

/** A single request is bounded as on a real node; a batch may carry many of them. */
const REQUEST_BYTES_MAX = 50 * 1024;
const BATCH_BYTES_MAX = 10 * 1024 * 1024;

export function startRpcHttp(chain: LedgerChain, port: number): Promise<HttpServer> {
  return startHttpServer(port, async (request, response) => {
    if (request.method === 'POST') await answerPost(chain, request, response);
    else if (request.method === 'OPTIONS') answerPreflight(response);
    else if (request.url === '/health') respond(response, 200, 'text/plain', 'ok');
    else respond(response, 405, 'text/plain', 'Used HTTP Method is not allowed. POST or OPTIONS is required');
  });
}

async function answerPost(chain: LedgerChain, request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.headers['content-type']?.startsWith('application/json') !== true) {
    response.setHeader('connection', 'close');
    const text = 'Supplied content type is not allowed. Content-Type: application/json is required';
    respond(response, 415, 'text/plain', text);
    request.resume();
    return;
  }
  const body = await readBody(request, response, bytesMax);
  if (body === null) respond(response, 413, 'text/plain', 'request body too large');
  else respond(response, 200, 'application/json', await answerBody(chain, body));
}

function answerPreflight(response: ServerResponse): void {
  response.writeHead(204, {
    'access-control-allow-origin': '*',
    'access-control-allow-methods': 'OPTIONS, POST',
    'access-control-allow-headers': 'content-type, solana-client',
    'access-control-max-age': '86400',
  });
  response.end();
}

function bytesMax(start: Buffer): number {
  const first = start.find((byte) => byte !== 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d);
  return first === 0x5b ? BATCH_BYTES_MAX : REQUEST_BYTES_MAX;
}
