import { createServer, request, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { TrustedProxies } from '../http/build-server.ts';
import { clientAddress } from '../http/client-address.ts';
import { createLog } from '../platform/log.ts';
import type { Base } from './base.ts';
import { passStreamOn } from './stream.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

async function listen(server: Server): Promise<number> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

/** What the stream's process gets of a connection that an API process passes on to it. */
async function passedOn(trusted: TrustedProxies, forwardedFor: string): Promise<IncomingMessage> {
  const { promise: arrived, resolve } = Promise.withResolvers<IncomingMessage>();
  const stream = createServer().on('upgrade', (got: IncomingMessage, socket) => {
    resolve(got);
    socket.end('HTTP/1.1 400 Bad Request\r\n\r\n');
  });
  const config = { STREAM_URL: `http://127.0.0.1:${await listen(stream)}`, TRUST_PROXY: trusted };
  const api = createServer();
  passStreamOn({ config, log: createLog('silent') } as unknown as Base, api);
  const headers = { connection: 'upgrade', upgrade: 'websocket', 'x-forwarded-for': forwardedFor };
  const asked = request({ port: await listen(api), host: '127.0.0.1', path: '/api/stream', headers });
  asked.on('error', () => {});
  asked.end();
  const got = await arrived;
  asked.destroy();
  return got;
}

describe('a stream that an API process passes on', () => {
  // As the launcher starts the process of the stream.
  const theOneInFront = ['127.0.0.1'];

  it('counts for the address of who calls, whatever he claims to be', async () => {
    const got = await passedOn(false, '6.6.6.6');
    expect(got.headers['x-forwarded-for']).toBe('127.0.0.1');
    expect(clientAddress(got, theOneInFront)).toBe('127.0.0.1');
  });

  it('counts for the address that the proxy in front has seen, and for none that was there before', async () => {
    const got = await passedOn(1, '6.6.6.6, 203.0.113.9');
    expect(got.headers['x-forwarded-for']).toBe('203.0.113.9');
    expect(clientAddress(got, theOneInFront)).toBe('203.0.113.9');
    expect(clientAddress(got, 1)).toBe('203.0.113.9');
  });
});
