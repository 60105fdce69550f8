import { AppError } from '@hunter/contract/app-error';
import { calls } from '@hunter/contract/calls';
import { errorCatalogue } from '@hunter/contract/error-catalogue';
import fc from 'fast-check';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FastifyInstance } from 'fastify';
import { systemClock } from '../platform/clock.ts';
import { createLog } from '../platform/log.ts';
import { buildServer, type TrustedProxies } from './build-server.ts';
import { onlyHandlers } from './handlers-for-test.ts';
import { createMetrics } from './metrics.ts';

const codes = new Set(Object.values(errorCatalogue).map((entry) => entry.code as number));
const session = { sessionId: 's', userId: 'u', email: 'a@b.example' };

function aServer(overrides: Partial<Parameters<typeof buildServer>[0]> = {}): FastifyInstance {
  return buildServer({
    local: true,
    handlers: onlyHandlers({}),
    authenticate: (token) => (token === 'good' ? session : null),
    readiness: async () => ({ database: { ok: true } }),
    idempotently: (_name, _caller, _request, run) => run(),
    clock: systemClock,
    log: createLog('silent'),
    metrics: createMetrics(),
    rateLimitPerSecond: 1_000_000,
    trustProxy: false,
    publicOrigin: undefined,
    ...overrides,
  });
}

describe('buildServer', () => {
  let app: FastifyInstance;
  beforeAll(() => {
    app = aServer();
  });
  afterAll(() => app.close());

  it('answers a call with the envelope and its handler’s data', async () => {
    const wallet = {
      email: 'a@b.example',
      walletInfo: {
        walletAddress: 'x',
        tokenBalance: '1',
        available: '1',
        committed: '0',
        equity: '1',
        withdrawable: '1',
      },
    };
    const withHandler = aServer({ handlers: onlyHandlers({ myWallet: async () => wallet }) });
    const reply = await withHandler.inject({ url: '/api/user/myWallet?t=1', headers: { token: 'good' } });
    expect(reply.json()).toEqual({ code: 200, msg: 'OK', data: wallet });
    expect(reply.headers['content-security-policy']).not.toContain('unsafe');
  });

  it('refuses a user call without a session with 401 in both places', async () => {
    const reply = await app.inject({ url: '/api/user/myWallet' });
    expect([reply.statusCode, reply.json().code]).toEqual([401, 401]);
  });

  it('names the unknown field it refuses', async () => {
    const reply = await app.inject({ url: '/api/token/getTokenList?keyword=a&colour=red' });
    expect(reply.json()).toMatchObject({ code: 1000, data: { field: 'colour', reason: 'unknown' } });
  });

  it('hides the cause of an internal error', async () => {
    const failing = aServer({
      handlers: onlyHandlers({
        getConfig: async () => {
          throw new Error('secret detail');
        },
      }),
    });
    const reply = await failing.inject({ url: '/api/config' });
    expect(reply.statusCode).toBe(500);
    expect(reply.body).not.toContain('secret detail');
  });

  it('says that it is unavailable while the database is unavailable, and does not call that a fault of its own', async () => {
    const starting = Object.assign(new Error('the database system is starting up'), { code: '57P03' });
    const waiting = aServer({ handlers: onlyHandlers({ getConfig: () => Promise.reject(starting) }) });
    const reply = await waiting.inject({ url: '/api/config' });
    expect(reply.statusCode).toBe(200);
    expect(reply.json()).toMatchObject({ code: 1005, data: { error: 'UNAVAILABLE' } });
  });

  it('limits each address and says when to come back', async () => {
    const limited = aServer({ rateLimitPerSecond: 1, clock: { ...systemClock, nowMs: () => 0 } });
    const replies = [];
    for (let i = 0; i < 11; i += 1) replies.push(await limited.inject({ url: '/api/config' }));
    expect(replies.at(-1)?.statusCode).toBe(429);
    expect(replies.at(-1)?.headers['retry-after']).toBe('1');
  });

  it('shows figures to whoever reaches the port in local mode only, and never beside a port of their own', async () => {
    const status = async (overrides: Parameters<typeof aServer>[0]): Promise<number> => {
      const server = aServer(overrides);
      const { statusCode } = await server.inject({ url: '/metrics' });
      await server.close();
      return statusCode;
    };
    expect(await status({ local: false })).toBe(404);
    expect(await status({ local: true })).toBe(200);
    expect(await status({ local: true, isOpsApart: true })).toBe(404);
  });

  it.each(['/%61pi/config', '/api/%63onfig', 'http://localhost/api/config', '/metrics', '/%6Detrics'])(
    'limits %s like any call, and answers none that is written otherwise than it is',
    async (path) => {
      const limited = aServer({ rateLimitPerSecond: 1, clock: { ...systemClock, nowMs: () => 0 } });
      await limited.listen({ port: 0, host: '127.0.0.1' });
      const { port } = limited.server.address() as AddressInfo;
      const statuses: (number | undefined)[] = [];
      for (let i = 0; i < 11; i += 1) {
        const [reply] = (await once(get({ host: '127.0.0.1', port, path }), 'response')) as [IncomingMessage];
        reply.resume();
        statuses.push(reply.statusCode);
      }
      await limited.close();
      expect([statuses[0], statuses.at(-1)]).toEqual([path.includes('%') ? 404 : 200, 429]);
    },
  );

  it('takes equal amounts for one request, however they are written', async () => {
    const seen: unknown[] = [];
    const server = aServer({
      idempotently: async (_name, _caller, request) => {
        seen.push(request);
        throw new AppError('UNAVAILABLE');
      },
    });
    const mint = 'So11111111111111111111111111111111111111112';
    for (const amount of ['0.21', '0.210', '2', '2.0']) {
      const post = (url: string, payload: object) =>
        server.inject({ method: 'POST', url, payload, headers: { token: 'good' } });
      await post('/api/token/tokenTransfer', { tokenContractAddress: mint, side: 'sell', amount, t: seen.length });
      await post('/api/user/withdrawal', { toWallet: mint, amount, password: 'secret', t: seen.length });
    }
    expect(seen).toHaveLength(8);
    expect(seen.slice(2, 4)).toEqual(seen.slice(0, 2));
    expect(seen.slice(6, 8)).toEqual(seen.slice(4, 6));
    expect(seen[4]).not.toEqual(seen[0]);
  });

  it('answers no page of a stranger whose domain points at this machine', async () => {
    const reply = await app.inject({ url: '/api/dev/mailbox?email=a@b.example', headers: { host: 'evil.example' } });
    expect([reply.statusCode, reply.json().data.error]).toEqual([403, 'FORBIDDEN']);
  });

  it('believes as many proxies as there are, so that nobody can forge the address that limits count', async () => {
    const addresses: string[] = [];
    const myWallet = async (_request: unknown, caller: { address: string }) => {
      addresses.push(caller.address);
      throw new AppError('UNAVAILABLE');
    };
    const forged = { token: 'good', 'x-forwarded-for': '6.6.6.6, 10.0.0.7' };
    for (const trustProxy of [false, 1, ['127.0.0.1']] as const) {
      await aServer({ handlers: onlyHandlers({ myWallet }), trustProxy: trustProxy as TrustedProxies }).inject({
        url: '/api/user/myWallet',
        headers: forged,
      });
    }
    expect(addresses).toEqual(['127.0.0.1', '10.0.0.7', '10.0.0.7']);
  });

  it('counts all addresses of one IPv6 network as one', async () => {
    const limited = aServer({ rateLimitPerSecond: 1, trustProxy: 1, clock: { ...systemClock, nowMs: () => 0 } });
    const from = (address: string) => limited.inject({ url: '/api/config', headers: { 'x-forwarded-for': address } });
    for (let i = 0; i < 10; i += 1) await from(`2001:db8::${i + 1}`);
    expect((await from('2001:db8::ffff')).statusCode).toBe(429);
    expect((await from('2001:db8:0:1::1')).statusCode).not.toBe(429);
  });

  it('has no development calls in production', async () => {
    const production = aServer({ local: false });
    const reply = await production.inject({ url: '/api/dev/mailbox?email=a@b.example' });
    expect(reply.statusCode).toBe(404);
  });

  it('answers 1,000 malformed requests over all calls with a catalogue code, never a 500', async () => {
    const definitions = Object.values(calls);
    const junk = fc.oneof(fc.json(), fc.string(), fc.constant(''), fc.constant('{"amount":1e999}'), fc.base64String());
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...definitions),
        junk,
        fc.dictionary(fc.string(), fc.string()),
        async (call, body, query) => {
          const reply =
            call.method === 'GET'
              ? await app.inject({ method: 'GET', url: call.path, query, headers: { token: 'good' } })
              : await app.inject({
                  method: 'POST',
                  url: call.path,
                  payload: body,
                  headers: { token: 'good', 'content-type': 'application/json' },
                });
          expect(reply.statusCode).not.toBe(500);
          expect(codes.has(reply.json().code as number)).toBe(true);
          expect(reply.body).not.toMatch(/ at .*\.ts:/);
        },
      ),
      { numRuns: 1000 },
    );
  });
});
