import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { startTestNode } from './node-for-test.ts';

const CONNECTIONS_MAX = 2_000;

it('survives what a client sends that there was no room for', async () => {
  const node = await startTestNode({ manualSlots: true });
  const clients = Array.from({ length: CONNECTIONS_MAX }, () => new WebSocket(node.wsUrl));
  await Promise.all(clients.map((client) => once(client, 'open')));
  const { port } = new URL(node.wsUrl);
  const socket = connect(Number(port), '127.0.0.1');
  const hello = ['GET / HTTP/1.1', 'Host: x', 'Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13'];
  socket.write([...hello, 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==', '', ''].join('\r\n'));
  socket.on('error', () => undefined);
  await once(socket, 'data');
  // No frame begins like this.
  socket.write(Buffer.from([0xff, 0xff]));
  await once(socket, 'close');
  expect((await node.call('getHealth')).result).toBe('ok');
  for (const client of clients) client.terminate();
  await node.close();
});
