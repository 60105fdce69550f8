import { expect, it } from 'vitest';
import type { WebSocket } from 'ws';
import { Connection } from './connection.ts';

it('counts the values that a slow client never got, and clients that do not read at all', () => {
  const sent: string[] = [];
  const socket = { bufferedAmount: 0, send: (text: string) => sent.push(text), terminate: () => {} };
  const losses = { replaced: 0, stuck: 0 };
  const connection = new Connection(socket as unknown as WebSocket, losses);
  connection.subscribe({ op: 'subscribe', channel: 'price', key: 'mint' });
  socket.bufferedAmount = 300 * 1024;
  for (const value of ['1', '2', '3']) connection.push('price', 'mint', value);
  expect(losses).toEqual({ replaced: 2, stuck: 0 });
  socket.bufferedAmount = 0;
  connection.flush();
  expect(sent).toEqual(['{"op":"data","channel":"price","key":"mint","seq":3,"data":3}']);
  socket.bufferedAmount = 5 * 1024 * 1024;
  connection.push('price', 'mint', '4');
  expect(losses).toEqual({ replaced: 2, stuck: 1 });
});

it('lets a client go that asks and does not read the answers', () => {
  let answers = 0;
  let isGone = false;
  const socket = { bufferedAmount: 0, send: () => (answers += 1), terminate: () => (isGone = true) };
  const losses = { replaced: 0, stuck: 0 };
  const connection = new Connection(socket as unknown as WebSocket, losses);
  connection.reply({ op: 'pong' });
  socket.bufferedAmount = 5 * 1024 * 1024;
  connection.reply({ op: 'pong' });
  expect({ answers, isGone, stuck: losses.stuck }).toEqual({ answers: 1, isGone: true, stuck: 1 });
});
