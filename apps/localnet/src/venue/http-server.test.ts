import { connect } from 'node:net';
import { WRAPPED_SOL_MINT } from '@hunter/solana/program-ids';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aVenue, signAsTaker, SOL, type TestVenue } from './venue-for-test.ts';
import { startVenueHttp } from './http-server.ts';
import type { HttpServer } from '../http/http-server.ts';

let test: TestVenue;
let server: HttpServer;
let url: string;
beforeAll(async () => {
  test = await aVenue();
  server = await startVenueHttp(test.venue, 0, { simulatedMarket: true });
  url = server.url;
});
afterAll(async () => {
  await server.close();
  await test.close();
});

const get = async (path: string) => {
  const response = await fetch(url + path);
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
};
const post = async (path: string, body: unknown) => {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const response = await fetch(url + path, { method: 'POST', body: text });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
};
const mint = () => test.listings[0]!.mint;

describe('over HTTP', () => {
  it('the venue says who it is', async () => {
    const { body } = await get('/swap/v2/venue');
    expect(body).toEqual({
      address: test.venue.address,
      feeBps: 50,
      simulatedMarket: true,
      certificateKey: test.venue.certifier.publicKey(),
    });
  });

  it('an order is quoted, built, signed and executed', async () => {
    const taker = test.takers[0]!;
    const query = `inputMint=${WRAPPED_SOL_MINT}&outputMint=${mint()}&amount=${SOL}&taker=${taker.address}&slippageBps=100`;
    const { body: order } = await get(`/swap/v2/order?${query}`);
    const signedTransaction = Buffer.from(signAsTaker(order['transaction'], taker)).toString('base64');
    const { status, body } = await post('/swap/v2/execute', { requestId: order['requestId'], signedTransaction });
    expect(status).toBe(200);
    expect(body).toMatchObject({ status: 'Success', totalOutputAmount: order['outAmount'], swapEvents: [] });
  });

  it('writes the memo of an order beside its swap, and refuses one that cannot be written', async () => {
    const taker = test.takers[0]!;
    const memo = `hunter:a1:${'x'.repeat(43)}`;
    const query = `inputMint=${WRAPPED_SOL_MINT}&outputMint=${mint()}&amount=${SOL}&taker=${taker.address}`;
    const { body: order } = await get(`/swap/v2/order?${query}&memo=${memo}`);
    expect(Buffer.from(String(order['transaction']), 'base64').toString('latin1')).toContain(memo);
    const signedTransaction = Buffer.from(signAsTaker(order['transaction'], taker)).toString('base64');
    const { body } = await post('/swap/v2/execute', { requestId: order['requestId'], signedTransaction });
    expect(body).toMatchObject({ status: 'Success' });
    expect((await get(`/swap/v2/order?${query}&memo=${'x'.repeat(101)}`)).status).toBe(400);
  });

  it('prices leave out what has none, and the past of SOL is the same each time', async () => {
    const { body } = await get(`/price/v3?ids=${mint()},${WRAPPED_SOL_MINT},${test.takers[0]!.address}`);
    expect(Object.keys(body).sort()).toEqual([mint(), WRAPPED_SOL_MINT].sort());
    const history = `/price/v3/history?ids=${WRAPPED_SOL_MINT}&from=1700000000&to=1700003600&interval=600`;
    const first = await get(history);
    expect(first.body[WRAPPED_SOL_MINT]).toHaveLength(7);
    expect((await get(history)).body).toEqual(first.body);
  });

  it('tokens are found by mint, by name and in every list', async () => {
    for (const path of [
      `search?query=${mint()}`,
      'search?query=token%200',
      'toptraded/1h?limit=1',
      'toptrending/5m?limit=1',
      'toporganicscore/24h?limit=1',
      'recent',
    ]) {
      const response = await fetch(`${url}/tokens/v2/${path}`);
      const [token] = (await response.json()) as Record<string, unknown>[];
      expect(token).toMatchObject({ decimals: 6, audit: { mintAuthorityDisabled: true } });
    }
  });
});

describe('malformed input', () => {
  const order = (changes: Record<string, string>) =>
    get(
      `/swap/v2/order?${new URLSearchParams({ inputMint: WRAPPED_SOL_MINT, outputMint: mint(), amount: '1000', ...changes }).toString()}`,
    );

  it.each<Record<string, string>>([
    { amount: '0' },
    { amount: '-1' },
    { amount: '1.5' },
    { amount: '1e9' },
    { amount: '18446744073709551616' },
    { amount: '9'.repeat(500) },
    { inputMint: 'x' },
    { outputMint: '0OIl' },
    { taker: 'not-a-key' },
    { slippageBps: '10001' },
    { slippageBps: '-5' },
  ])('in an order is refused by name: %o', async (changes) => {
    const { status, body } = await order(changes);
    expect(status).toBe(400);
    expect(body).toMatchObject({ requestId: expect.any(String) as string, errorCode: expect.any(String) as string });
    expect(body['error']).toContain(Object.keys(changes)[0]);
  });

  it('of any JSON in any call is a refusal, never a fault', async () => {
    const value = fc.oneof(fc.jsonValue(), fc.constant(WRAPPED_SOL_MINT), fc.constant('1000'));
    const executeLike = fc
      .record({ requestId: value, signedTransaction: value }, { requiredKeys: [] })
      .map((body) => JSON.stringify(body));
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.json(), fc.string(), executeLike), async (body) => {
        const { status } = await post('/swap/v2/execute', body);
        expect([200, 400, 429]).toContain(status);
      }),
      { numRuns: 200 },
    );
  });

  it('of any query in any call is a refusal, never a fault', async () => {
    const paths = [
      '/swap/v2/order',
      '/price/v3',
      '/price/v3/history',
      '/tokens/v2/search',
      '/tokens/v2/tag',
      '/tokens/v2/toptraded/1h',
    ];
    const names = fc.constantFrom(
      'ids',
      'query',
      'limit',
      'from',
      'to',
      'interval',
      'amount',
      'inputMint',
      'outputMint',
      '__proto__',
    );
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...paths), fc.array(fc.tuple(names, fc.string())), async (path, entries) => {
        const { status } = await get(`${path}?${new URLSearchParams(entries).toString()}`);
        expect([200, 400]).toContain(status);
      }),
      { numRuns: 200 },
    );
  });

  it('unknown paths and methods are not found', async () => {
    expect((await get('/nothing')).status).toBe(404);
    expect((await get('/tokens/v2/toptraded/2h')).status).toBe(404);
    expect((await get('/tokens/v2/constructor/1h')).status).toBe(404);
    expect((await post('/swap/v2/order', {})).status).toBe(404);
  });

  it('a body without end is cut off', async () => {
    const socket = connect(server.port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write('POST /swap/v2/execute HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n');
    const chunk = `100000\r\n${'a'.repeat(1_048_576)}\r\n`;
    const answered = new Promise<string>((resolve) => {
      socket.once('data', (data: Buffer) => resolve(data.toString()));
      socket.once('close', () => resolve('closed'));
    });
    // The server stops reading at its limit, so the last chunks stay in the socket's own buffer.
    for (let sent = 0; sent < 40; sent += 1) socket.write(chunk);
    const answer = await answered;
    expect(answer).toContain('413');
    socket.destroy();
    expect((await get('/swap/v2/venue')).status).toBe(200);
  });
});
