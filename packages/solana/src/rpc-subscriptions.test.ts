import { once } from 'node:events';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { Keypair } from './keypair.ts';
import { RpcSubscriptions } from './rpc-subscriptions.ts';

type Request = { id: string; method: string; params: unknown[] };
const closers: (() => void)[] = [];

/** A node that acknowledges every call and lets the test speak on its sockets. */
async function aNode(port = 0) {
  const server = new WebSocketServer({ port, host: '127.0.0.1' });
  await once(server, 'listening');
  const requests: Request[] = [];
  const sockets: WebSocket[] = [];
  let nextSubscription = 100;
  server.on('connection', (socket) => {
    sockets.push(socket);
    socket.on('message', (data: Buffer) => {
      const request = JSON.parse(data.toString('utf8')) as Request;
      requests.push(request);
      nextSubscription += 1;
      socket.send(JSON.stringify({ jsonrpc: '2.0', id: request.id, result: nextSubscription }));
    });
  });
  const bound = server.address();
  if (typeof bound === 'string' || bound === null) throw new Error('no port');
  closers.push(() => {
    for (const socket of sockets) socket.terminate();
    server.close();
  });
  const url = `ws://127.0.0.1:${bound.port}`;
  const subscriptions = new RpcSubscriptions({ url });
  closers.push(() => subscriptions.close());
  const notify = (method: string, subscription: number, result: unknown): void =>
    sockets.at(-1)!.send(JSON.stringify({ jsonrpc: '2.0', method, params: { subscription, result } }));
  return { url, requests, sockets, subscriptions, notify, lastSubscription: () => nextSubscription };
}

afterEach(() => {
  for (const close of closers.splice(0).reverse()) close();
});

describe('rpc subscriptions', () => {
  it('delivers notices to the subscription they belong to', async () => {
    const node = await aNode();
    const slots: bigint[] = [];
    node.subscriptions.slot((notice) => slots.push(notice.slot));
    await expect.poll(() => node.requests).toHaveLength(1);
    node.notify('slotNotification', node.lastSubscription(), { slot: 9, parent: 8, root: 1 });
    node.notify('slotNotification', 999, { slot: 10, parent: 8, root: 1 });
    await expect.poll(() => slots).toEqual([9n]);
  });

  it('subscribes again after a drop and then tells that there was a gap', async () => {
    const node = await aNode();
    const notices: string[] = [];
    const mentions = Keypair.generate().address;
    node.subscriptions.logs({ mentions: [mentions] }, 'confirmed', (notice) => notices.push(notice.signature));
    await expect.poll(() => node.requests).toHaveLength(1);
    const reconnected = vi.fn(() => {});
    node.subscriptions.onReconnect(reconnected);
    node.sockets[0]!.terminate();
    await expect.poll(() => reconnected).toHaveBeenCalledTimes(1);
    expect(node.requests.map((row) => row.method)).toEqual(['logsSubscribe', 'logsSubscribe']);
    const result = { context: { slot: 1 }, value: { signature: 'abc', err: null, logs: [] } };
    node.notify('logsNotification', node.lastSubscription(), result);
    await expect.poll(() => notices).toEqual(['abc']);
  });

  it('takes a node that comes late for a gap as well', async () => {
    const early = await aNode();
    const { port } = new URL(early.url);
    for (const close of closers.splice(0).reverse()) close();
    const late = new RpcSubscriptions({ url: early.url });
    closers.push(() => late.close());
    const reconnected = vi.fn(() => {});
    late.onReconnect(reconnected);
    late.slot(() => {});
    await expect.poll(() => late.state).toBe('waiting');
    const node = await aNode(Number(port));
    await expect.poll(() => reconnected).toHaveBeenCalledTimes(1);
    expect(node.requests.map(({ method }) => method)).toContain('slotSubscribe');
  });

  it('forgets a signature once it has fired and does not ask for it again', async () => {
    const node = await aNode();
    const fired = vi.fn(() => {});
    node.subscriptions.signature('sig', 'confirmed', fired);
    await expect.poll(() => node.requests).toHaveLength(1);
    node.notify('signatureNotification', node.lastSubscription(), { context: { slot: 3 }, value: { err: null } });
    await expect.poll(() => fired).toHaveBeenCalledWith({ contextSlot: 3n, err: null });
    const reconnected = vi.fn(() => {});
    node.subscriptions.onReconnect(reconnected);
    node.sockets[0]!.terminate();
    await expect.poll(() => reconnected).toHaveBeenCalledTimes(1);
    expect(node.requests).toHaveLength(1);
  });

  it('unsubscribes what nobody wants any more', async () => {
    const node = await aNode();
    const stop = node.subscriptions.account(Keypair.generate().address, 'confirmed', () => {});
    await expect.poll(() => node.requests).toHaveLength(1);
    const subscription = node.lastSubscription();
    await new Promise((resolve) => setImmediate(resolve));
    stop();
    await expect.poll(() => node.requests.at(-1)).toMatchObject({ method: 'accountUnsubscribe' });
    expect(node.requests.at(-1)!.params).toEqual([subscription]);
  });
});
