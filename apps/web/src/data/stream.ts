import { useEffect, useRef, useSyncExternalStore } from 'react';
import type { ChannelData, ChannelName } from '@hunter/contract/stream';
import { leaveSession } from './api.ts';
import { session, useLoggedIn } from './session.ts';
import { createStreamClient } from './stream-client.ts';
import type { StreamSocket, StreamStatus } from './stream-client.ts';

export const stream = createStreamClient({
  openSocket: () => {
    const { protocol, host } = globalThis.location;
    return new WebSocket(`${protocol === 'https:' ? 'wss:' : 'ws:'}//${host}/api/stream`) as StreamSocket;
  },
  token: () => session.storedToken(),
  onRefused: leaveSession,
  random: Math.random,
  nowMs: () => Date.now(),
  setTimer: (run, delayMs) => setTimeout(run, delayMs),
  clearTimer: (timer) => clearTimeout(timer as number),
});

let tokenInUse = session.store.getState().user?.token;
session.store.subscribe(({ user }) => {
  if (user?.token === tokenInUse) return;
  tokenInUse = user?.token;
  stream.reconnect();
});
globalThis.addEventListener('online', stream.wake);
document.addEventListener('visibilitychange', () => {
  if (!document.hidden) stream.wake();
});

/**
 * Subscribes while the component is mounted. `key` null subscribes to nothing, for keys that are not known yet. The
 * callbacks may change between renders without a new subscription.
 */
export function useStream<Name extends ChannelName>(
  channel: Name,
  key: string | null,
  onData: (data: ChannelData<Name>) => void,
  onGap?: () => void,
): void {
  const latest = useRef({ onData, onGap });
  useEffect(() => {
    latest.current = { onData, onGap };
  });
  useEffect(() => {
    if (key === null) return undefined;
    return stream.subscribe(channel, key, {
      onData: (data) => latest.current.onData(data),
      onGap: () => latest.current.onGap?.(),
    });
  }, [channel, key]);
}

/** A channel of the user's own. Visitors have none. */
export function useMyStream<Name extends ChannelName>(
  channel: Name,
  onData: (data: ChannelData<Name>) => void,
  onGap?: () => void,
): void {
  useStream(channel, useLoggedIn() ? 'me' : null, onData, onGap);
}

export function useStreamStatus(): StreamStatus {
  return useSyncExternalStore(stream.onStatus, stream.status);
}
