import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type HttpServer, readBody, respond, startHttpServer } from '../http/http-server.ts';
import { answerPriceHistory, answerPrices, answerTokens } from './market-routes.ts';
import { POOL_FEE_BPS } from './pool-curve.ts';
import { Refusal } from './refusal.ts';
import { answerExecute, answerOrder } from './swap-routes.ts';
import type { Venue } from './venue.ts';

/** A signed transaction is at most 1,232 bytes. */
const BODY_BYTES_MAX = 64 * 1024;

type Served = { simulatedMarket: boolean; onPast?: ((body: unknown) => Promise<unknown>) | undefined };
type Context = Served & { venue: Venue; url: URL };
type Answer = (context: Context, body: unknown) => unknown;

const routes = new Map<string, Answer>(
  Object.entries<Answer>({
    'GET /swap/v2/venue': ({ venue, simulatedMarket }) => ({
      address: venue.address,
      feeBps: Number(POOL_FEE_BPS),
      simulatedMarket,
      certificateKey: venue.certifier.publicKey(),
    }),
    'GET /swap/v2/order': ({ venue, url }) => answerOrder(venue, url.searchParams),
    'POST /swap/v2/execute': ({ venue }, body) => answerExecute(venue, body),
    'GET /price/v3': ({ venue, url }) => answerPrices(venue, url.searchParams),
    'POST /past': ({ onPast }, body) => {
      if (onPast === undefined) throw new Refusal('NOT_FOUND', 'Not found', 404);
      return onPast(body);
    },
    'GET /price/v3/history': ({ venue, url }) => answerPriceHistory(venue, url.searchParams),
  }),
);

export function startVenueHttp(venue: Venue, port: number, served: Served): Promise<HttpServer> {
  return startHttpServer(port, async (request, response) => {
    try {
      await answerRequest(venue, served, request, response);
    } catch (error) {
      refuse(response, error);
    }
  });
}

async function answerRequest(
  venue: Venue,
  served: Served,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = URL.parse(request.url ?? '/', 'http://127.0.0.1');
  if (url === null) throw new Refusal('INVALID_REQUEST', 'Invalid address');
  const context: Context = { ...served, venue, url };
  const body = request.method === 'POST' ? await readJson(request, response) : undefined;
  sendJson(response, 200, await answer(context, request.method ?? 'GET', body));
}

function answer(context: Context, method: string, body: unknown): unknown {
  const { pathname, searchParams } = context.url;
  if (method === 'GET' && pathname.startsWith('/tokens/v2/')) {
    const segments = pathname.slice('/tokens/v2/'.length).split('/');
    return answerTokens(context.venue, segments, searchParams);
  }
  const route = routes.get(`${method} ${pathname}`);
  if (route === undefined) throw new Refusal('NOT_FOUND', 'Not found', 404);
  return route(context, body);
}

async function readJson(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
  const text = await readBody(request, response, () => BODY_BYTES_MAX);
  if (text === null) throw new Refusal('BODY_TOO_LARGE', 'Body too large', 413);
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new Refusal('INVALID_REQUEST', 'Invalid body: not JSON');
  }
}

function sendJson(response: ServerResponse, status: number, value: unknown): void {
  respond(response, status, 'application/json', JSON.stringify(value));
}

function refuse(response: ServerResponse, error: unknown): void {
  const requestId = randomUUID();
  if (error instanceof Refusal) {
    sendJson(response, error.httpStatus, { requestId, error: error.message, errorCode: error.errorCode });
    return;
  }
  process.stderr.write(`venue: request ${requestId} failed: ${error instanceof Error ? error.stack : String(error)}\n`);
  sendJson(response, 500, { requestId, error: 'Internal server error' });
}
