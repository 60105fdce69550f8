import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { fetchLogo } from './fetch-logo.ts';

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0]);
let server: Server;
let port: number;
let asked: number;
let answer: RequestListener;

beforeEach(async () => {
  asked = 0;
  server = createServer((request, reply) => {
    asked += 1;
    answer(request, reply);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  port = (server.address() as AddressInfo).port;
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** Takes the place of a name server that says the picture's host is somewhere we may go. */
const here = ((_host: string, options: { all?: boolean }, callback: (...args: unknown[]) => void) =>
  options.all ? callback(null, [{ address: '127.0.0.1', family: 4 }]) : callback(null, '127.0.0.1', 4)) as never;
const fetched = (path = '/') => fetchLogo(`http://logo.example:${port}${path}`, here);

it('fetches a plain picture, whatever the other side calls it', async () => {
  answer = (_request, reply) => reply.setHeader('content-type', 'text/html').end(PNG);
  expect(await fetched()).toEqual({ type: 'image/png', bytes: PNG });
});

it('follows a redirect, but not for ever', async () => {
  answer = (request, reply) =>
    request.url === '/' ? reply.writeHead(302, { location: '/picture' }).end() : reply.end(PNG);
  expect(await fetched()).toMatchObject({ type: 'image/png' });
  answer = (_request, reply) => reply.writeHead(302, { location: '/again' }).end();
  expect(await fetched()).toBeNull();
});

it('never talks to its own machine, by number or by name', async () => {
  answer = (_request, reply) => reply.end(PNG);
  for (const host of ['127.0.0.1', 'localhost', '[::1]', '0.0.0.0', '[::ffff:127.0.0.1]']) {
    expect(await fetchLogo(`http://${host}:${port}/`)).toBeNull();
  }
  expect(asked).toBe(0);
});

it('does not follow a redirect to its own machine', async () => {
  answer = (_request, reply) => reply.writeHead(302, { location: `http://127.0.0.1:${port}/secret` }).end();
  expect(await fetched()).toBeNull();
  expect(asked).toBe(1);
});

it.each([
  ['a page', (reply: Parameters<RequestListener>[1]) => reply.end('<html></html>')],
  [
    'a drawing that can carry scripts',
    (reply: Parameters<RequestListener>[1]) => reply.end('<svg xmlns="http://www.w3.org/2000/svg"/>'),
  ],
  ['an error', (reply: Parameters<RequestListener>[1]) => reply.writeHead(500).end(PNG)],
  [
    'a picture that says it is too large',
    (reply: Parameters<RequestListener>[1]) => reply.writeHead(200, { 'content-length': 2_000_000 }).end(),
  ],
  [
    'a picture that grows too large',
    (reply: Parameters<RequestListener>[1]) => reply.end(Buffer.concat([PNG, Buffer.alloc(1_100_000)])),
  ],
])('refuses %s', async (_name, respond) => {
  answer = (_request, reply) => respond(reply);
  expect(await fetched()).toBeNull();
});

it('refuses what is no web address', async () => {
  for (const address of ['file:///etc/passwd', 'ftp://logo.example/x', 'javascript:alert(1)', 'not an address']) {
    expect(await fetchLogo(address, here)).toBeNull();
  }
});
