import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { logoSvg } from './logo.ts';
import { answerPriceHistory, answerPrices, answerTokens } from './market-routes.ts';
import { POOL_FEE_BPS } from './pool-curve.ts';
import { Refusal } from './refusal.ts';
import { answerExecute, answerOrder, answerRound, answerRoundExecute, answerRoundRelease } from './swap-routes.ts';
import type { Venue } from './venue.ts';

/** A round of 20,000 signed transactions is about 16 MB. */
const BODY_BYTES_MAX = 32 * 1024 * 1024;

type Context = { venue: Venue; url: URL; baseUrl: string; simulatedMarket: boolean };
type Answer = (context: Context, body: unknown) => unknown;

const routes = new Map<string, Answer>(
  Object.entries<Answer>({
    'GET /swap/v2/venue': ({ venue, simulatedMarket }) => ({
      address: venue.address,
      rounds: true,
      feeBps: Number(POOL_FEE_BPS),
      simulatedMarket,
    }),
    'GET /swap/v2/order': ({ venue, url }) => answerOrder(venue, url.searchParams),
    'POST /swap/v2/execute': ({ venue }, body) => answerExecute(venue, body),
    'POST /swap/v2/round': ({ venue }, body) => answerRound(venue, body),
    'POST /swap/v2/round/execute': ({ venue }, body) => answerRoundExecute(venue, body),
    'POST /swap/v2/round/release': ({ venue }, body) => answerRoundRelease(venue, body),
    'GET /price/v3': ({ venue, url }) => answerPrices(venue, url.searchParams),
    'GET /price/v3/history': ({ venue, url }) => answerPriceHistory(venue, url.searchParams),
  }),
);

export function createVenueServer(venue: Venue, simulatedMarket: boolean): Server {
  return createServer((request, response) => {
    void respond(venue, simulatedMarket, request, response);
  });
}

async function respond(
  venue: Venue,
  simulatedMarket: boolean,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    const baseUrl = `http://${request.headers.host ?? '127.0.0.1'}`;
    const url = URL.parse(request.url ?? '/', baseUrl) ?? URL.parse(request.url ?? '/', 'http://127.0.0.1');
    if (url === null) throw new Refusal('INVALID_REQUEST', 'Invalid address');
    const context: Context = { venue, url, baseUrl: url.origin, simulatedMarket };
    const logo = /^\/logos\/([1-9A-HJ-NP-Za-km-z]{32,44})\.svg$/.exec(url.pathname);
    if (logo !== null && request.method === 'GET') {
      sendLogo(venue, logo[1]!, response);
      return;
    }
    const body = request.method === 'POST' ? await readJson(request) : undefined;
    sendJson(response, 200, await answer(context, request.method ?? 'GET', body));
  } catch (error) {
    refuse(response, error);
  }
}

function answer(context: Context, method: string, body: unknown): unknown {
  const { pathname, searchParams } = context.url;
  if (method === 'GET' && pathname.startsWith('/tokens/v2/')) {
    const segments = pathname.slice('/tokens/v2/'.length).split('/');
    return answerTokens(context.venue, segments, searchParams, context.baseUrl);
  }
  const route = routes.get(`${method} ${pathname}`);
  if (route === undefined) throw new Refusal('NOT_FOUND', 'Not found', 404);
  return route(context, body);
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > BODY_BYTES_MAX) throw new Refusal('BODY_TOO_LARGE', 'Body too large', 413);
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8')) as unknown;
  } catch {
    throw new Refusal('INVALID_REQUEST', 'Invalid body: not JSON');
  }
}

function sendJson(response: ServerResponse, status: number, value: unknown): void {
  const body = JSON.stringify(value);
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
  response.end(body);
}

function sendLogo(venue: Venue, mint: string, response: ServerResponse): void {
  if (venue.pools.get(mint) === undefined) throw new Refusal('NOT_FOUND', 'Not found', 404);
  const headers = { 'content-type': 'image/svg+xml', 'cache-control': 'public, max-age=86400' };
  response.writeHead(200, headers).end(logoSvg(mint));
}

function refuse(response: ServerResponse, error: unknown): void {
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  const requestId = randomUUID();
  if (error instanceof Refusal) {
    // After an oversized body the rest is not read, so the connection cannot be used again.
    if (error.httpStatus === 413) response.setHeader('connection', 'close');
    sendJson(response, error.httpStatus, { requestId, error: error.message, errorCode: error.errorCode });
    return;
  }
  process.stderr.write(`venue: request ${requestId} failed: ${error instanceof Error ? error.stack : String(error)}\n`);
  sendJson(response, 500, { requestId, error: 'Internal server error' });
}
