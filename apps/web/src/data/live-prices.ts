import type { ChannelData } from '@hunter/contract/stream';
import { useCallback, useEffect, useRef, useSyncExternalStore } from 'react';
import { createLiveStore } from './live-store.ts';
import { stream } from './stream.ts';

type PriceTick = ChannelData<'price'>;

/** A quiet token has no new ticks while its changes go on with time: by then what is polled, every 30 s, is newer. */
const KEEP_MS = 35_000;

const ticks = createLiveStore<PriceTick>({ keepMs: KEEP_MS });
/** One subscription for all figures of a token: each would put the same tick into the store. */
const watched = new Map<string, { watchers: number; leave: () => void }>();

function watch(address: string, listener: () => void): () => void {
  let entry = watched.get(address);
  if (!entry) {
    const leave = stream.subscribe('price', address, {
      onData: (tick) => ticks.set(address, tick),
      // What was fetched again is newer than what was told before the gap.
      onGap: () => ticks.delete(address),
    });
    watched.set(address, (entry = { watchers: 0, leave }));
  }
  const joined = entry;
  joined.watchers += 1;
  const leaveStore = ticks.subscribe(address, listener);
  return () => {
    leaveStore();
    joined.watchers -= 1;
    if (joined.watchers > 0) return;
    joined.leave();
    watched.delete(address);
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

const RATE_DIGITS = 6;

/** Dollars per SOL in the newest tick of a token; undefined until the first one arrives. Renders when that changes, not with every price. */
export function useLiveUsdPerSol(address: string): number | undefined {
  const subscribe = useCallback((listener: () => void) => watch(address, listener), [address]);
  return useSyncExternalStore(subscribe, () => {
    const tick = ticks.get(address);
    return tick && usdPerSol(tick);
  });
}

/** What the two prices of one trade say; undefined where there was none. */
export function usdPerSol({ price, priceSol }: Pick<PriceTick, 'price' | 'priceSol'>): number | undefined {
  return Number(priceSol) > 0 ? Number((Number(price) / Number(priceSol)).toPrecision(RATE_DIGITS)) : undefined;
}
