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

it('never sends a value that was held back after a newer one', () => {
  const sent: string[] = [];
  const socket = { bufferedAmount: 1024 * 1024, send: (text: string) => sent.push(text), terminate: () => {} };
  const losses = { replaced: 0, stuck: 0 };
  const connection = new Connection(socket as unknown as WebSocket, losses);
  connection.subscribe({ op: 'subscribe', channel: 'price', key: 'mint' });
  connection.push('price', 'mint', '"old"');
  socket.bufferedAmount = 0;
  connection.push('price', 'mint', '"new"');
  connection.flush();
  expect(sent).toEqual(['{"op":"data","channel":"price","key":"mint","seq":2,"data":"new"}']);
  expect(losses).toEqual({ replaced: 1, stuck: 0 });
});

it('sends who asked for batches what follows a first value together with the next flush, and own values at once', () => {
  const sent: string[] = [];
  const socket = { bufferedAmount: 0, send: (text: string) => sent.push(text), terminate: () => {} };
  const connection = new Connection(socket as unknown as WebSocket, { replaced: 0, stuck: 0 });
  connection.session = { sessionId: 's', userId: 'u', email: 'a@b.example' };
  connection.subscribe({ op: 'subscribe', channel: 'price', key: 'mint' });
  connection.subscribe({ op: 'subscribe', channel: 'orders', key: 'me' });
  const price = (seq: number) => `{"op":"data","channel":"price","key":"mint","seq":${seq},"data":${seq}}`;
  const pushPrices = (...values: number[]) => {
    for (const value of values) connection.push('price', 'mint', String(value));
  };

  pushPrices(1, 2);
  expect(sent.splice(0)).toEqual([price(1), price(2)]);
  connection.flush();

  connection.sendBatches();
  pushPrices(3, 4, 5);
  connection.push('orders', 'me', '"own"');
  expect(sent.splice(0)).toEqual([price(3), '{"op":"data","channel":"orders","key":"me","seq":1,"data":"own"}']);
  connection.flush();
  expect(sent.splice(0)).toEqual([`[${price(4)},${price(5)}]`]);

  // The batch has just left, so what comes now waits for the next; after a flush without any the first goes at once again.
  pushPrices(6);
  connection.flush();
  connection.flush();
  expect(sent.splice(0)).toEqual([`[${price(6)}]`]);
  pushPrices(7, 8);
  connection.reply({ op: 'pong' });
  expect(sent).toEqual([price(7), `[${price(8)}]`, '{"op":"pong"}']);
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
