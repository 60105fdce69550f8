// Subscriptions over WebSocket on loopback.

import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';
import type { LedgerChain } from '../chain/ledger-chain.ts';
import { asRpcError, errorText, idOf, readRequest, resultText } from './json-rpc.ts';
import { Notifier } from './notifier.ts';
import { u64At } from './params.ts';
import { invalidParams, invalidRequest, methodNotFound, parseError } from './rpc-error.ts';
import { Subscriber } from './subscriber.ts';
import { isUnsubscribe, readSubscription } from './subscription.ts';

const MESSAGE_BYTES_MAX = 1024 * 1024;
const SUBSCRIPTIONS_MAX = 20_000;
const CONNECTIONS_MAX = 2_000;
const PING_EVERY_MS = 30_000;

type RpcWsServer = { url: string; close(): Promise<void> };

export async function startRpcWs(chain: LedgerChain, port: number): Promise<RpcWsServer> {
  const server = new WebSocketServer({ host: '127.0.0.1', port, maxPayload: MESSAGE_BYTES_MAX });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.once('listening', resolve);
  });
  const bound = (server.address() as AddressInfo).port;
  const notifier = new Notifier(chain);
  const subscribers = new Set<Subscriber>();
  // Ids are unique over all methods and connections, so that none can be mistaken for another.
  let nextId = 0;

  const handle = (subscriber: Subscriber, text: string): void => {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      subscriber.send(errorText(null, parseError()));
      return;
    }
    const request = readRequest(value);
    // Without an id nobody waits for an answer: clients keep idle connections open with such messages.
    if (request?.isNotification === true) return;
    if (request === null) {
      subscriber.send(errorText(idOf(value), invalidRequest()));
      return;
    }
    try {
      if (isUnsubscribe(request.method)) {
        const known = subscriber.subscriptions.delete(u64At(request.params, 0));
        if (!known) throw invalidParams('Invalid subscription id.');
        subscriber.send(resultText(request.id, true));
        return;
      }
      const what = readSubscription(request.method, request.params);
      if (what === null) throw methodNotFound();
      if (subscriber.subscriptions.size >= SUBSCRIPTIONS_MAX) {
        throw invalidParams(`Too many subscriptions; max ${SUBSCRIPTIONS_MAX}`);
      }
      nextId += 1;
      const subscription = subscriber.add(nextId, what);
      subscriber.send(resultText(request.id, nextId));
      notifier.catchUp(subscriber, subscription);
    } catch (error) {
      subscriber.send(errorText(request.id, asRpcError(error)));
    }
  };

  server.on('connection', (socket) => {
    // A broken frame closes the connection by itself; there is nothing to add to it.
    socket.on('error', () => undefined);
    if (subscribers.size >= CONNECTIONS_MAX) {
      socket.close(1013, 'too many connections');
      return;
    }
    const subscriber = new Subscriber(socket);
    subscribers.add(subscriber);
    notifier.add(subscriber);
    socket.on('message', (data, isBinary) => {
      if (isBinary || !(data instanceof Buffer)) subscriber.send(errorText(null, parseError()));
      else handle(subscriber, data.toString('utf8'));
    });
    socket.on('pong', () => {
      subscriber.isAlive = true;
    });
    socket.on('close', () => {
      subscriber.subscriptions.clear();
      subscribers.delete(subscriber);
      notifier.remove(subscriber);
    });
  });

  const pinging = setInterval(() => {
    for (const subscriber of subscribers) subscriber.checkAlive();
  }, PING_EVERY_MS);
  pinging.unref();

  return {
    url: `ws://127.0.0.1:${bound}`,
    close: () =>
      new Promise((resolve) => {
        clearInterval(pinging);
        notifier.close();
        for (const socket of server.clients) socket.terminate();
        server.close(() => resolve());
      }),
  };
}
