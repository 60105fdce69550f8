import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { z } from 'zod';
import { systemClock } from '../platform/clock.ts';
import { VenueHttp } from './venue-http.ts';

type Answer = { status: number; body: unknown };
let close: (() => void) | null = null;
afterEach(() => close?.());

/** A venue that gives these answers, one after the other, and remembers what it was asked. */
async function aVenue(...answers: (Answer | 'hang up')[]) {
  const asked: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    const answer = answers[Math.min(asked.length, answers.length - 1)]!;
    asked.push(request);
    if (answer === 'hang up') request.socket.destroy();
    else response.writeHead(answer.status).end(JSON.stringify(answer.body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  close = () => server.close();
  const { port } = server.address() as AddressInfo;
  const clock = { ...systemClock, pause: async () => {} };
  return { asked, http: new VenueHttp({ url: `http://127.0.0.1:${port}/`, apiKey: 'secret', clock }) };
}

const reply = z.object({ ok: z.boolean() });
const QUOTE = { priority: 'quote' } as const;
const fine = { status: 200, body: { ok: true } };

it('sends the API key with every request', async () => {
  const { asked, http } = await aVenue(fine);
  await http.read('/a', reply, QUOTE);
  await http.ask('/b', {}, reply, QUOTE);
  await http.act('/c', {}, reply, QUOTE);
  expect(asked.map(({ method, url, headers }) => [method, url, headers['x-api-key']])).toEqual([
    ['GET', '/a', 'secret'],
    ['POST', '/b', 'secret'],
    ['POST', '/c', 'secret'],
  ]);
});

it('asks three times at most for what has no effect', async () => {
  const busy = { status: 503, body: null };
  const { asked, http } = await aVenue('hang up', busy, fine);
  expect(await http.read('/a', reply, QUOTE)).toEqual({ ok: true });
  expect(asked).toHaveLength(3);
  const dead = await aVenue(busy);
  await expect(dead.http.read('/a', reply, QUOTE)).rejects.toMatchObject({ venueCode: 'UNREACHABLE' });
  expect(dead.asked).toHaveLength(3);
});

it('stops reading a reply that is too large, and does not ask for it again', async () => {
  let sent = 0;
  let asked = 0;
  const server = createServer((_request, response) => {
    asked += 1;
    response.writeHead(200);
    const part = Buffer.alloc(1024 * 1024, ' ');
    const send = () => {
      let hasRoom = true;
      while (hasRoom && !response.destroyed) {
        sent += part.length;
        hasRoom = response.write(part);
      }
    };
    response.on('drain', send);
    send();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  close = () => server.close();
  const { port } = server.address() as AddressInfo;
  const http = new VenueHttp({ url: `http://127.0.0.1:${port}`, clock: systemClock });
  await expect(http.read('/a', reply, QUOTE)).rejects.toMatchObject({
    venueCode: 'INVALID_REPLY',
    errorName: 'UNAVAILABLE',
  });
  expect(asked).toBe(1);
  expect(sent).toBeLessThan(64 * 1024 * 1024);
});

it('sends what has an effect once, whatever the answer', async () => {
  for (const answer of [{ status: 503, body: null }, 'hang up' as const]) {
    const { asked, http } = await aVenue(answer);
    await expect(http.act('/execute', {}, reply, QUOTE)).rejects.toMatchObject({ venueCode: 'UNREACHABLE' });
    expect(asked).toHaveLength(1);
  }
});

it('names refusals and asks no second time for them', async () => {
  const cases = [
    ['POOL_BUSY', 'POOL_BUSY', 'UNAVAILABLE'],
    ['VENUE_BUSY', 'VENUE_BUSY', 'UNAVAILABLE'],
    ['AMOUNT_TOO_SMALL', 'AMOUNT_TOO_SMALL', 'AMOUNT_TOO_SMALL'],
    ['NO_ROUTES_FOUND', 'NO_ROUTE', 'NO_ROUTE'],
  ] as const;
  for (const [errorCode, venueCode, errorName] of cases) {
    const { asked, http } = await aVenue({ status: 400, body: { errorCode, error: 'because' } });
    await expect(http.read('/order?x=1', reply, QUOTE)).rejects.toMatchObject({
      venueCode,
      errorName,
      message: `the venue answered HTTP 400 to /order: ${errorCode} because`,
    });
    expect(asked).toHaveLength(1);
  }
});

it('takes an answer in another shape for none', async () => {
  const { http } = await aVenue({ status: 200, body: { ok: 'yes' } });
  await expect(http.read('/a', reply, QUOTE)).rejects.toMatchObject({
    venueCode: 'INVALID_REPLY',
    errorName: 'UNAVAILABLE',
  });
});

it('gives up a venue that does not answer in time', async () => {
  const server = createServer(() => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  close = () => {
    server.closeAllConnections();
    server.close();
  };
  const { port } = server.address() as AddressInfo;
  const http = new VenueHttp({ url: `http://127.0.0.1:${port}`, clock: systemClock });
  await expect(http.act('/execute', {}, reply, { ...QUOTE, timeoutMs: 20 })).rejects.toMatchObject({
    venueCode: 'UNREACHABLE',
  });
});
