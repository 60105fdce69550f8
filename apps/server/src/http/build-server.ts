import { AppError, errorText } from '@hunter/contract/app-error';
import { calls, type CallName } from '@hunter/contract/calls';
import type { Call } from '@hunter/contract/call';
import { SUCCESS_CODE, type Envelope } from '@hunter/contract/envelope';
import { parseInput } from '@hunter/contract/input';
import { openApiDocument } from '@hunter/contract/openapi';
import { fastify, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { randomUUID } from 'node:crypto';
import { LostAnswerError, type Bus } from '../platform/bus/bus.ts';
import { stopwatch, type Clock } from '../platform/clock.ts';
import { JsonText } from '../platform/json-text.ts';
import { keepLimitTogether } from '../platform/limits-together.ts';
import type { Log } from '../platform/log.ts';
import { networkOf } from '../platform/network-of.ts';
import { isDatabaseUnavailable } from '../platform/postgres.ts';
import { traced } from '../platform/traces.ts';
import { apiDocsPage } from './api-docs-page.ts';
import type { ApiKeyDoor } from './api-key-door.ts';
import { isHostAllowed } from './allowed-host.ts';
import type { Authenticate, Caller, Handlers, SignedInCaller } from './handlers.ts';
import type { Metrics } from './metrics.ts';
import { RateLimit } from '../platform/rate-limit.ts';
import { securityHeaders } from './security-headers.ts';
import { allowVerifyPage } from './verify-page.ts';

export type Readiness = () => Promise<Record<string, { ok: boolean; detail?: string }>>;

/** How many proxies stand in front, or their addresses; false for none. */
export type TrustedProxies = number | string[] | false;

export type ServerOptions = {
  local: boolean;
  /** All of them; those of local mode are left out in production. */
  handlers: Handlers;
  authenticate: Authenticate;
  /** Without it every API key is refused. */
  apiKeys?: ApiKeyDoor;
  readiness: Readiness;
  /** While it is, requests are answered and their connections closed, so that the next one goes elsewhere. */
  isStopping?: () => boolean;
  /** Wraps money calls so that a repeated request has one effect. */
  idempotently: (
    name: CallName,
    caller: SignedInCaller,
    request: unknown,
    run: () => Promise<unknown>,
  ) => Promise<unknown>;
  clock: Clock;
  log: Log;
  metrics: Metrics;
  /** Whether figures are served on a port of their own, and not here. Outside of local mode they never are. */
  isOpsApart?: boolean;
  rateLimitPerSecond: number;
  /** Over which processes keep their limits together; without it each keeps its own. */
  limitsOver?: Bus | undefined;
  trustProxy: TrustedProxies;
  publicOrigin: string | undefined;
};

const BODY_LIMIT_BYTES = 64 * 1024;
/** A client that trickles its request is cut off. The time for all of it counts only if that for the head is shorter. */
const REQUEST_TIMEOUT_MS = 20_000;
const HEAD_TIMEOUT_MS = 15_000;
const TIMEOUT_CHECK_MS = 5_000;

/** The envelope of a success around data that is text already. */
const SUCCESS_OPENING = `{"code":${SUCCESS_CODE},"msg":"OK","data":`;

type AnyHandler = (request: unknown, caller: Caller) => Promise<unknown>;

/** Requests are parsed by the contract. Without this fastify loads a compiler of schemas for each direction, and none has work. */
function noSchemas(): never {
  throw new Error('a route with a schema for fastify: describe it in the contract instead');
}

export function buildServer(options: ServerOptions): FastifyInstance {
  const trusted = options.trustProxy;
  const app = fastify({
    loggerInstance: undefined,
    logger: false,
    bodyLimit: BODY_LIMIT_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    http: { headersTimeout: HEAD_TIMEOUT_MS, connectionsCheckingInterval: TIMEOUT_CHECK_MS },
    trustProxy: typeof trusted === 'number' ? (_address, hop) => hop < trusted : trusted,
    genReqId: () => randomUUID(),
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 200 },
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
  });

  const perAddress = new RateLimit(options.clock, options.rateLimitPerSecond, options.rateLimitPerSecond * 10);
  const perAccount = new RateLimit(options.clock, options.rateLimitPerSecond, options.rateLimitPerSecond * 5);
  if (options.limitsOver) {
    const deps = { bus: options.limitsOver, clock: options.clock, log: options.log };
    const together = [keepLimitTogether('address', perAddress, deps), keepLimitTogether('account', perAccount, deps)];
    app.addHook('onClose', async () => void (await Promise.all(together.map((one) => one.stop()))));
  }

  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(securityHeaders);
    reply.header('x-request-id', request.id);
    allowVerifyPage(request, reply);
    if (options.isStopping?.()) reply.header('connection', 'close');
    if (!isHostAllowed(request.headers.host, options)) throw new AppError('FORBIDDEN');
    // The router reads `/%61pi/` as `/api/` too, and whatever goes by the path as it was sent does not: these limits and the proxy's.
    const { url: route = '' } = request.routeOptions;
    if ([route, request.url].some((path) => /^\/(?:api\/|metrics$)/.test(path))) {
      takeToken(perAddress, networkOf(request.ip));
      if (request.url.split('?')[0]!.includes('%')) throw new AppError('NOT_FOUND');
    }
    done();
  });

  // Bodies are JSON whatever the header says; an empty one is an empty object.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => {
    if (body === '') return done(null, {});
    try {
      done(null, JSON.parse(body as string));
    } catch (cause) {
      done(new AppError('MALFORMED_JSON', undefined, { cause }));
    }
  });

  app.setErrorHandler((error: unknown, request, reply) => refuse(options, request, reply, asAppError(error)));
  app.setNotFoundHandler((request, reply) => refuse(options, request, reply, new AppError('NOT_FOUND')));

  for (const [name, definition] of Object.entries(calls) as [CallName, Call][]) {
    if (definition.localOnly && !options.local) continue;
    const handler = options.handlers[name] as AnyHandler;
    const secondsOf = options.metrics.requestSeconds.labels(name);
    const succeeded = options.metrics.requests.labels(name, String(SUCCESS_CODE));
    app.route({
      method: definition.method,
      url: definition.path,
      handler: async (request, reply) => {
        const elapsedMs = stopwatch();
        const caller = await identify(options, request, name, definition.access === 'user');
        if (caller.session) takeToken(perAccount, caller.session.userId);
        const input = parseInput(definition.request, definition.method === 'GET' ? request.query : request.body);
        const { apiKey } = caller;
        const run = () => {
          // By the request's own id, so that whoever reports one also names its trace.
          const trace = { traceId: request.id.replaceAll('-', '') };
          const work = (asked: unknown) => traced('call', { call: name }, () => handler(asked, caller), trace);
          return apiKey && options.apiKeys ? options.apiKeys.run(name, apiKey, input, work) : work(input);
        };
        const data =
          definition.effect === 'money' && caller.session
            ? await options.idempotently(name, caller as SignedInCaller, input, run)
            : await run();
        succeeded.inc();
        secondsOf.observe(elapsedMs() / 1000);
        if (data instanceof JsonText) return sendJson(reply, 200, data.between(SUCCESS_OPENING, '}'));
        return send(reply, 200, { code: SUCCESS_CODE, msg: 'OK', data });
      },
    });
  }

  // Made on the first request: few ask for it, and it would slow down every start.
  let document: unknown;
  const openApi = () => (document ??= openApiDocument({ local: options.local }));
  app.get('/api/openapi.json', async () => openApi());
  app.get('/api/docs', async (request, reply) =>
    reply.type('text/html').send(apiDocsPage(openApi(), options.publicOrigin ?? `http://${request.headers.host}`)),
  );
  app.get('/api/health', async (_request, reply) =>
    send(reply, 200, { code: SUCCESS_CODE, msg: 'OK', data: { live: true } }),
  );
  app.get('/api/ready', async (_request, reply) => {
    const parts = await options.readiness();
    const ready = Object.values(parts).every((part) => part.ok);
    return send(reply, ready ? 200 : 503, {
      code: ready ? SUCCESS_CODE : new AppError('UNAVAILABLE').code,
      msg: ready ? 'OK' : 'not ready',
      // Why something is not ready names addresses, which are nobody's business outside.
      data: options.local ? parts : Object.fromEntries(Object.entries(parts).map(([name, { ok }]) => [name, { ok }])),
    });
  });
  // Each look asks the database and the signer, and says how much of its ceilings is left: a matter of operators.
  if (options.isOpsApart || !options.local) return app;
  app.get('/metrics', async (_request, reply) =>
    reply.type(options.metrics.registry.contentType).send(await options.metrics.registry.metrics()),
  );
  return app;
}

function takeToken(limit: RateLimit, key: string): void {
  const retryAfterSeconds = limit.take(key);
  if (retryAfterSeconds > 0) throw new AppError('RATE_LIMITED', { retryAfterSeconds });
}

async function identify(
  options: ServerOptions,
  request: FastifyRequest,
  name: CallName,
  required: boolean,
): Promise<Caller> {
  const { session, apiKey } = await authenticate(options, request, name);
  if (required && !session) throw new AppError('UNAUTHENTICATED');
  const key = request.headers['idempotency-key'];
  if (key !== undefined && (typeof key !== 'string' || key.length === 0 || key.length > 200)) {
    throw new AppError('INVALID_INPUT', { field: 'Idempotency-Key', reason: 'length' });
  }
  return {
    session,
    apiKey,
    address: request.ip,
    device: (request.headers['user-agent'] ?? '').slice(0, 200),
    language: languageOf(request),
    requestId: request.id,
    idempotencyKey: key ?? null,
  };
}

/** A session by `token`, or an API key by `Authorization: Bearer`. With a key the session is not looked at: a key never gains by it. */
async function authenticate(
  options: ServerOptions,
  request: FastifyRequest,
  name: CallName,
): Promise<Pick<Caller, 'session' | 'apiKey'>> {
  const bearer = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
  if (bearer !== undefined) {
    if (!options.apiKeys) throw new AppError('UNAUTHENTICATED');
    const apiKey = await options.apiKeys.admit(name, bearer, request.ip);
    return { apiKey, session: { sessionId: apiKey.id, userId: apiKey.userId, email: '' } };
  }
  const token = request.headers['token'];
  const session = typeof token === 'string' && token !== '' ? await options.authenticate(token) : null;
  return { session, apiKey: null };
}

function languageOf(request: FastifyRequest): 'en' | 'zh' {
  return /^zh\b/i.test(request.headers['accept-language'] ?? '') ? 'zh' : 'en';
}

/** What fastify itself refuses arrives with a status code; everything else that is no AppError is our own fault. */
function asAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const { statusCode, code } = error as { statusCode?: number; code?: string };
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE' || statusCode === 413) return new AppError('BODY_TOO_LARGE');
  if (statusCode === 404) return new AppError('NOT_FOUND');
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return new AppError('INVALID_INPUT', { field: 'request', reason: 'format' }, { cause: error });
  }
  if (isDatabaseUnavailable(error) || error instanceof LostAnswerError)
    return new AppError('UNAVAILABLE', undefined, { cause: error });
  return new AppError('INTERNAL', undefined, { cause: error });
}

function refuse(options: ServerOptions, request: FastifyRequest, reply: FastifyReply, error: AppError): FastifyReply {
  const name = request.routeOptions.url ?? 'unknown';
  options.metrics.requests.labels(name, String(error.code)).inc();
  if (error.errorName === 'INTERNAL') {
    options.log.error({ requestId: request.id, path: name, err: error.cause ?? error }, 'a request failed');
  }
  if (error.errorName === 'RATE_LIMITED') {
    const context = error.context as { retryAfterSeconds: number };
    reply.header('retry-after', String(context.retryAfterSeconds));
  }
  return send(reply, error.httpStatus, {
    code: error.code,
    msg: errorText(error.errorName, error.context, languageOf(request)),
    data: { error: error.errorName, ...(error.context as object | undefined) },
  });
}

function send(reply: FastifyReply, status: number, envelope: Envelope): FastifyReply {
  return sendJson(reply, status, JSON.stringify(envelope));
}

function sendJson(reply: FastifyReply, status: number, json: string | Buffer): FastifyReply {
  return reply
    .code(status)
    .header('content-type', 'application/json; charset=utf-8')
    .header('cache-control', 'no-store')
    .send(json);
}
