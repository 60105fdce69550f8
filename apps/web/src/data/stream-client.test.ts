import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { userChannels as contractChannels } from '@hunter/contract/stream';
import { backoffMs, createStreamClient, userChannels } from './stream-client.ts';
import type { StreamSocket } from './stream-client.ts';

class FakeSocket implements StreamSocket {
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: unknown }) => void) | null = null;
  onclose: ((event: { code: number; reason: string }) => void) | null = null;
  sent: unknown[] = [];
  closed = false;
  send(text: string): void {
    this.sent.push(JSON.parse(text));
  }
  close(): void {
    this.closed = true;
  }
  lose(code = 1006): void {
    this.onclose?.({ code, reason: '' });
  }
  say(message: object): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
}

function aClient(token: string | null = null) {
  const sockets: FakeSocket[] = [];
  const refused: string[] = [];
  const client = createStreamClient({
    openSocket: () => {
      const socket = new FakeSocket();
      sockets.push(socket);
      return socket;
    },
    token: () => token,
    onRefused: (gone) => void refused.push(gone),
    random: () => 0.5,
    nowMs: () => Date.now(),
    setTimer: (run, delayMs) => setTimeout(run, delayMs),
    clearTimer: (timer) => clearTimeout(timer as ReturnType<typeof setTimeout>),
  });
  return { client, sockets, refused, socket: () => sockets.at(-1) as FakeSocket };
}
const data = (seq: number, time = seq) => ({ op: 'data', channel: 'hot', key: 'all', seq, data: { time } });

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('the stream', () => {
  it('opens with the first subscription, authenticates first and asks for own channels once it is known', () => {
    const { client, sockets, socket } = aClient('secret');
    expect(sockets).toHaveLength(0);
    client.subscribe('orders', 'me', { onData: () => {} });
    client.subscribe('hot', 'all', { onData: () => {} });
    socket().onopen?.();
    const first = [{ op: 'batch' }, { op: 'auth', token: 'secret' }, { op: 'subscribe', channel: 'hot', key: 'all' }];
    expect(socket().sent).toEqual(first);
    client.subscribe('balance', 'me', { onData: () => {} });
    expect(socket().sent).toEqual(first);
    socket().say({ op: 'authenticated' });
    expect(socket().sent).toEqual([
      ...first,
      { op: 'subscribe', channel: 'orders', key: 'me' },
      { op: 'subscribe', channel: 'balance', key: 'me' },
    ]);
    client.subscribe('follows', 'me', { onData: () => {} });
    expect(socket().sent.at(-1)).toEqual({ op: 'subscribe', channel: 'follows', key: 'me' });
  });

  it('knows which channels need a session', () => {
    expect([...userChannels].sort()).toEqual([...contractChannels].sort());
  });

  it('shares one subscription and ends it with its last subscriber', () => {
    const { client, socket } = aClient();
    const seen: string[] = [];
    const first = client.subscribe('hot', 'all', { onData: () => seen.push('first') });
    const second = client.subscribe('hot', 'all', { onData: () => seen.push('second') });
    socket().onopen?.();
    socket().say(data(1));
    expect(seen).toEqual(['first', 'second']);
    first();
    first();
    expect(socket().sent).toEqual([{ op: 'batch' }, { op: 'subscribe', channel: 'hot', key: 'all' }]);
    second();
    expect(socket().sent.at(-1)).toEqual({ op: 'unsubscribe', channel: 'hot', key: 'all' });
  });

  it('stays open between two pages and closes when nobody comes back', () => {
    const { client, sockets, socket } = aClient();
    client.subscribe('hot', 'all', { onData: () => {} })();
    vi.advanceTimersByTime(9_000);
    const leave = client.subscribe('price', 'A', { onData: () => {} });
    expect(sockets).toHaveLength(1);
    leave();
    vi.advanceTimersByTime(10_000);
    expect(socket().closed).toBe(true);
    expect(client.status()).toBe('idle');
  });

  it('tells a subscriber about a gap in the sequence, after giving it the newest value', () => {
    const { client, socket } = aClient();
    const seen: (number | string)[] = [];
    client.subscribe('hot', 'all', { onData: ({ time }) => seen.push(time), onGap: () => seen.push('gap') });
    socket().onopen?.();
    socket().say({ op: 'subscribed', channel: 'hot', key: 'all', seq: 4 });
    socket().say(data(5));
    socket().say(data(7));
    socket().say(data(8));
    expect(seen).toEqual([5, 7, 'gap', 8]);
  });

  it('takes a batch as the messages in it, up to the one that opens another connection', () => {
    const { client, socket } = aClient();
    const seen: (number | string)[] = [];
    const onData = ({ time }: { time: number }) => {
      seen.push(time);
      if (time === 7) client.reconnect();
    };
    client.subscribe('hot', 'all', { onData, onGap: () => seen.push('gap') });
    const first = socket();
    first.onopen?.();
    first.say([{ op: 'subscribed', channel: 'hot', key: 'all', seq: 4 }, data(5), data(6)]);
    const { onmessage } = first;
    onmessage?.({ data: JSON.stringify([data(7), data(8)]) });
    expect(seen).toEqual([5, 6, 7]);
  });

  it('comes back after a loss, subscribes again and has the state fetched', () => {
    const { client, sockets, socket } = aClient();
    const gaps = vi.fn();
    client.subscribe('hot', 'all', { onData: () => {}, onGap: gaps });
    socket().onopen?.();
    expect(gaps).not.toHaveBeenCalled();
    socket().lose();
    expect(client.status()).toBe('waiting');
    vi.advanceTimersByTime(backoffMs(0, 0.5));
    expect(sockets).toHaveLength(2);
    socket().onopen?.();
    expect(socket().sent).toEqual([{ op: 'batch' }, { op: 'subscribe', channel: 'hot', key: 'all' }]);
    expect(gaps).toHaveBeenCalledTimes(1);
  });

  it('has the own state fetched once nothing of it can be missed any more, at first and after a loss', () => {
    const { client, socket } = aClient('secret');
    const gaps = vi.fn();
    client.subscribe('balance', 'me', { onData: () => {}, onGap: gaps });
    for (const times of [1, 2]) {
      socket().onopen?.();
      socket().say({ op: 'authenticated' });
      expect(gaps).toHaveBeenCalledTimes(times - 1);
      socket().say({ op: 'subscribed', channel: 'balance', key: 'me', seq: 4 });
      expect(gaps).toHaveBeenCalledTimes(times);
      socket().lose();
      vi.advanceTimersByTime(1_000);
    }
  });

  it('says that the session has ended, and asks less and less often where it is refused again and again', () => {
    const { client, sockets, socket, refused } = aClient('secret');
    client.subscribe('hot', 'all', { onData: () => {} });
    socket().onopen?.();
    socket().lose();
    expect(refused).toEqual([]);
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      vi.advanceTimersByTime(backoffMs(attempt - 1, 0.5));
      expect(sockets).toHaveLength(attempt + 1);
      socket().onopen?.();
      socket().say({ op: 'error', error: 'not authenticated' });
      socket().lose(4401);
      expect(refused).toHaveLength(attempt);
    }
    vi.advanceTimersByTime(backoffMs(3, 0.5));
    socket().onopen?.();
    socket().say({ op: 'authenticated' });
    socket().lose();
    vi.advanceTimersByTime(backoffMs(0, 0.5));
    expect(sockets).toHaveLength(6);
    expect(refused).toEqual(['secret', 'secret', 'secret']);
  });

  it('waits longer after each failure, up to a limit', () => {
    expect([0, 1, 2, 3].map((attempt) => backoffMs(attempt, 0))).toEqual([250, 500, 1_000, 2_000]);
    expect(backoffMs(50, 1)).toBe(20_000);
    expect(backoffMs(3, 1)).toBe(4_000);
  });

  it('does not wait when the network is back', () => {
    const { client, sockets, socket } = aClient();
    client.subscribe('hot', 'all', { onData: () => {} });
    socket().lose();
    client.wake();
    expect(sockets).toHaveLength(2);
  });

  it('takes a silent connection for dead', () => {
    const { client, socket } = aClient();
    client.subscribe('hot', 'all', { onData: () => {} });
    socket().onopen?.();
    vi.advanceTimersByTime(20_000);
    expect(socket().sent.at(-1)).toEqual({ op: 'ping' });
    socket().say({ op: 'pong' });
    vi.advanceTimersByTime(44_000);
    expect(client.status()).toBe('open');
    vi.advanceTimersByTime(1_000);
    expect(client.status()).toBe('waiting');
  });

  it('has the state fetched where the first attempt to connect failed', () => {
    const { client, socket } = aClient();
    const gaps = vi.fn();
    client.subscribe('hot', 'all', { onData: () => {}, onGap: gaps });
    socket().lose();
    client.wake();
    socket().onopen?.();
    expect(gaps).toHaveBeenCalledOnce();
  });

  it('takes a connection for dead when the user comes back to a page that slept', () => {
    const { client, sockets, socket } = aClient();
    client.subscribe('hot', 'all', { onData: () => {} });
    socket().onopen?.();
    vi.setSystemTime(Date.now() + 44_000);
    client.wake();
    expect(sockets).toHaveLength(1);
    socket().say(data(1));
    vi.setSystemTime(Date.now() + 46_000);
    client.wake();
    expect(sockets).toHaveLength(2);
    expect(client.status()).toBe('connecting');
  });

  it('opens anew when the session changes', () => {
    const { client, sockets, socket } = aClient('other');
    client.subscribe('orders', 'me', { onData: () => {} });
    socket().onopen?.();
    client.reconnect();
    expect(sockets[0]?.closed).toBe(true);
    socket().onopen?.();
    expect(socket().sent[1]).toEqual({ op: 'auth', token: 'other' });
  });

  it('survives messages it cannot read', () => {
    const { client, socket } = aClient();
    const seen = vi.fn();
    client.subscribe('hot', 'all', { onData: seen });
    socket().onopen?.();
    socket().onmessage?.({ data: '{' });
    socket().onmessage?.({ data: new ArrayBuffer(2) });
    socket().say({ op: 'error', error: 'RATE_LIMITED' });
    socket().say({ ...data(1), key: 'other' });
    expect(seen).not.toHaveBeenCalled();
    expect(client.status()).toBe('open');
  });
});
