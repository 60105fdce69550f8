import type { FastifyInstance } from 'fastify';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../platform/clock.ts';
import { createLog } from '../../platform/log.ts';
import { buildServer } from '../build-server.ts';
import { onlyHandlers } from '../handlers-for-test.ts';
import { createMetrics } from '../metrics.ts';
import { verifyPageHeaders } from '../verify-page.ts';
import { ChainReadLimit } from '../chain-read-limit.ts';
import { registerChainProxy } from './chain-proxy.ts';

const PATH = '/api/verify/rpc';
const SIGNATURE = '5'.repeat(88);
const ADDRESS = 'So11111111111111111111111111111111111111112';
const genesis = { jsonrpc: '2.0', id: 0, method: 'getGenesisHash', params: [] };
const transaction = (id: number) => ({
  jsonrpc: '2.0',
  id,
  method: 'getTransaction',
  params: [SIGNATURE, { encoding: 'json', commitment: 'confirmed', maxSupportedTransactionVersion: 1 }],
});

let asked: unknown[];
let answer: { status: number; body: string };
let node: Server;
let app: FastifyInstance;

beforeEach(async () => {
  asked = [];
  answer = { status: 200, body: '{"result":"genesis"}' };
  node = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => void (text += chunk.toString()));
    request.on('end', () => {
      asked.push(JSON.parse(text));
      response.writeHead(answer.status).end(answer.body);
    });
  });
  await new Promise<void>((resolve) => node.listen(0, '127.0.0.1', resolve));
  app = buildServer({
    local: true,
    handlers: onlyHandlers({ getTokenPools: async () => ({ lists: [] }), getConfig: async () => ({}) as never }),
    authenticate: () => null,
    readiness: async () => ({}),
    idempotently: (_name, _caller, _request, run) => run(),
    clock: systemClock,
    log: createLog('silent'),
    metrics: createMetrics(),
    rateLimitPerSecond: 1_000_000,
    trustProxy: false,
    publicOrigin: undefined,
  });
  const { port } = node.address() as AddressInfo;
  const clock = { ...systemClock, nowMs: () => 0 };
  registerChainProxy(app, {
    rpcUrl: `http://127.0.0.1:${port}/?api-key=secret`,
    limit: new ChainReadLimit(clock),
    log: createLog('silent'),
  });
});
afterEach(async () => {
  await app.close();
  await new Promise((resolve) => node.close(resolve));
});

const post = (payload: unknown, headers: Record<string, string> = {}) =>
  app.inject({ method: 'POST', url: PATH, payload: payload as object, headers });

describe('the proxy to the chain', () => {
  it('passes the reads that verifying needs, alone or in batches, and the answer as it is', async () => {
    const batch = [transaction(0), transaction(1)];
    expect((await post(genesis)).json()).toEqual({ result: 'genesis' });
    answer.body = '[{"id":0},{"id":1}]';
    expect((await post(batch)).json()).toEqual([{ id: 0 }, { id: 1 }]);
    expect(asked).toEqual([genesis, batch]);
  });

  it.each([
    ['a method that sends', { ...genesis, method: 'sendTransaction', params: ['AAAA'] }],
    ['a method that is expensive', { ...genesis, method: 'getProgramAccounts', params: [ADDRESS] }],
    ['parameters that are not needed', { ...genesis, params: [1] }],
    [
      'more signatures than a page',
      { ...genesis, method: 'getSignaturesForAddress', params: [ADDRESS, { limit: 9999 }] },
    ],
    ['another encoding', { ...transaction(0), params: [SIGNATURE, { encoding: 'jsonParsed' }] }],
    ['a batch without calls', []],
    ['a batch of too many calls', Array.from({ length: 26 }, (_, id) => transaction(id))],
    ['a batch in which one call is not allowed', [transaction(0), { ...genesis, method: 'requestAirdrop' }]],
    ['no request at all', {}],
  ])('refuses %s without asking the node', async (_name, payload) => {
    const reply = await post(payload);
    expect(reply.json()).toMatchObject({ data: { error: 'INVALID_INPUT' } });
    expect(asked).toEqual([]);
  });

  it('counts the calls of a batch one by one against the limit of an address', async () => {
    const batch = Array.from({ length: 25 }, (_, id) => transaction(id));
    for (let calls = 0; calls < 5_000; calls += 25) expect((await post(batch)).statusCode).toBe(200);
    const refused = await post(genesis);
    expect(refused.statusCode).toBe(429);
    expect(refused.headers['retry-after']).toBe('1');
  });

  it('does not tell where the node is when it fails or answers too much', async () => {
    for (const failure of [
      { status: 500, body: 'secret' },
      { status: 200, body: 'x'.repeat(17 * 1024 * 1024) },
    ]) {
      answer = failure;
      const reply = await post(genesis);
      expect(reply.json()).toMatchObject({ data: { error: 'UNAVAILABLE' } });
      expect(reply.body).not.toContain('secret');
    }
  });
});

describe('the page for verifying', () => {
  const origin = { origin: 'null' };

  it('may read what it needs from its opaque origin, and nothing else', async () => {
    const pools = `/api/token/getTokenPools?tokenContractAddress=${ADDRESS}`;
    const allowed = async (url: string, headers: Record<string, string>) =>
      (await app.inject({ url, headers })).headers['access-control-allow-origin'];
    expect(await allowed(pools, origin)).toBe('null');
    expect(await allowed(pools, { origin: 'https://evil.example' })).toBeUndefined();
    expect(await allowed('/api/config', origin)).toBeUndefined();
    expect(await allowed('/api/user/myWallet', origin)).toBeUndefined();
  });

  it('may post JSON to the proxy, but no session token anywhere', async () => {
    const preflight = (url: string) => app.inject({ method: 'OPTIONS', url, headers: origin });
    const reply = await preflight(PATH);
    expect(reply.statusCode).toBe(204);
    expect(reply.headers['access-control-allow-headers']).toBe('content-type');
    expect((await preflight('/api/strategy/getStrategyDetail')).statusCode).toBe(404);
  });

  it('can tell when it is refused for asking too often', async () => {
    const reply = await post({ ...genesis, method: 'no' }, origin);
    expect(reply.headers).toMatchObject({
      'access-control-allow-origin': 'null',
      'access-control-expose-headers': 'retry-after',
    });
  });

  it('is a sandbox that runs its own script alone and may ask any node', () => {
    const policy = verifyPageHeaders('<style>a{}</style><script>run()</script>')['content-security-policy']!;
    const directives = new Map(policy.split('; ').map((text) => [text.split(' ')[0]!, text.split(' ').slice(1)]));
    expect(directives.get('sandbox')).not.toContain('allow-same-origin');
    expect(directives.get('default-src')).toEqual(["'none'"]);
    expect(directives.get('script-src')).toEqual(["'sha256-AvyuiL0SD1mVY3NNxR+V2uo+lhk6RMFrytWmRt6CrJQ='"]);
    expect(directives.get('connect-src')).toEqual(["'self'", 'https:', 'http://localhost:*']);
    expect(policy).not.toContain('unsafe');
  });
});
