import type { ChannelData } from '@hunter/contract/stream';
import { useCallback, useEffect, useRef, useSyncExternalStore } from 'react';
import { createLiveStore } from './live-store.ts';
import { stream } from './stream.ts';

type PriceTick = ChannelData<'price'>;

/** A quiet token has no new ticks while its changes go on with time: by then what is polled, every 30 s, is newer. */
const KEEP_MS = 35_000;

const ticks = createLiveStore<PriceTick>({ keepMs: KEEP_MS });
const watchers = new Map<string, number>();

function watch(address: string, listener: () => void): () => void {
  watchers.set(address, (watchers.get(address) ?? 0) + 1);
  const leaveStore = ticks.subscribe(address, listener);
  const leaveStream = stream.subscribe('price', address, {
    onData: (tick) => ticks.set(address, tick),
    // What was fetched again is newer than what was told before the gap.
    onGap: () => ticks.delete(address),
  });
  return () => {
    leaveStore();
    leaveStream();
    const left = (watchers.get(address) ?? 1) - 1;
    if (left > 0) {
      watchers.set(address, left);
      return;
    }
    watchers.delete(address);
    // Nobody hears the next ones, so this one would grow old unnoticed.
    ticks.delete(address);
  };
}

/**
 * The newest tick of a token while the component is mounted; undefined until the first one arrives. What is not seen does not
 * render for it, and has the newest one as soon as it is seen.
 */
export function useLivePrice(address: string, isSeen = true): PriceTick | undefined {
  const seen = useRef(isSeen);
  useEffect(() => {
    seen.current = isSeen;
  });
  const subscribe = useCallback(
    (listener: () => void) =>
      watch(address, () => {
        if (seen.current) listener();
      }),
    [address],
  );
  return useSyncExternalStore(subscribe, () => ticks.get(address));
}
