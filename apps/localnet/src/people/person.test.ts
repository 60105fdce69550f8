import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Person, Refused } from './person.ts';

type Asked = { path: string; key: string | undefined; token: string | undefined; from: string | undefined };
type Reply = { code: number; msg?: string; data?: Record<string, unknown> } | 'hang up';

let server: Server;
let web: string;
let asked: Asked[];
let replies: Reply[];

const ok = (data: Record<string, unknown> = {}): Reply => ({ code: 200, data });
const refusal = (error: string, code = 1000): Reply => ({ code, msg: error, data: { error } });

beforeEach(async () => {
  asked = [];
  replies = [];
  server = createServer((request: IncomingMessage, response) => {
    const header = (name: string): string | undefined => request.headers[name] as string | undefined;
    const path = (request.url ?? '').split('?')[0] ?? '';
    asked.push({ path, key: header('idempotency-key'), token: header('token'), from: request.socket.remoteAddress });
    const reply = replies.shift() ?? ok();
    if (reply === 'hang up') request.socket.destroy();
    else response.end(JSON.stringify({ msg: 'OK', data: {}, ...reply }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  web = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const aPerson = (deps: { localAddress?: string; isStopped?: () => boolean } = {}) =>
  new Person({ web, email: 'creator-1@simulated.invalid', password: 'secret', ...deps });

describe('a person', () => {
  it('registers with the code from the mailbox and uses the session from then on', async () => {
    const person = aPerson();
    replies = [ok(), ok({ lists: [] }), ok({ lists: [{ code: '123456' }] }), ok({ token: 'session' }), ok()];
    await person.register();
    await person.call('getMyAccount', {});
    expect(person.isLoggedIn).toBe(true);
    expect(asked.map(({ path }) => path)).toEqual([
      '/api/login/sendEmailCode',
      '/api/dev/mailbox',
      '/api/dev/mailbox',
      '/api/login/register',
      '/api/user/getMyAccount',
    ]);
    expect(asked.at(-1)?.token).toBe('session');
  });

  it('presses again under the same key until an answer comes', async () => {
    replies = ['hang up', refusal('UNAVAILABLE'), ok({ id: 'order-1' })];
    const answer = await aPerson().press('tokenTransfer', {});
    expect(answer?.data['id']).toBe('order-1');
    expect(asked).toHaveLength(3);
    expect(new Set(asked.map(({ key }) => key)).size).toBe(1);
    expect(asked[0]?.key).toBeDefined();
  });

  it('stops pressing once everything stops', async () => {
    replies = ['hang up', ok()];
    expect(await aPerson({ isStopped: () => true }).press('tokenTransfer', {})).toBeNull();
    expect(asked).toHaveLength(1);
  });

  it('takes a refusal as the answer', async () => {
    replies = [refusal('AMOUNT_TOO_SMALL')];
    const refused = await aPerson()
      .insist('cancelFollow', { slug: 'steady-trend' })
      .catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(Refused);
    expect((refused as Refused).reason).toBe('AMOUNT_TOO_SMALL');
    expect(asked).toHaveLength(1);
  });

  it('logs in again when the session has ended', async () => {
    replies = [ok({ token: 'first' }), refusal('UNAUTHENTICATED', 401), ok({ token: 'second' }), ok({ lists: [] })];
    const person = aPerson();
    await person.logIn();
    await person.call('getMyFollows', {});
    expect(asked.map(({ path, token }) => [path, token])).toEqual([
      ['/api/login/check', undefined],
      ['/api/strategy/getMyFollows', 'first'],
      ['/api/login/check', undefined],
      ['/api/strategy/getMyFollows', 'second'],
    ]);
  });

  it.runIf(process.platform === 'linux')('calls from an address of its own', async () => {
    await aPerson({ localAddress: '127.72.0.1' }).call('getMyFollows', {});
    await aPerson({ localAddress: '127.72.0.2' }).call('getMyFollows', {});
    expect(asked.map(({ from }) => from)).toEqual(['127.72.0.1', '127.72.0.2']);
  });

  const hasIPv6 = Object.values(networkInterfaces()).some((rows) => rows?.some(({ address }) => address === '::1'));
  it.runIf(hasIPv6)('calls a product that listens on an address of IPv6', async () => {
    await new Promise((resolve) => server.close(resolve));
    await new Promise<void>((resolve) => server.listen(0, '::1', resolve));
    web = `http://[::1]:${(server.address() as AddressInfo).port}`;
    await aPerson({ localAddress: '127.72.0.1' }).call('getMyFollows', {});
    expect(asked).toHaveLength(1);
  });
});
