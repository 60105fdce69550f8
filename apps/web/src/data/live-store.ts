// Values that change many times a second, kept outside React. Messages go into a mutable map; at the next beat of the
// live clock the subscribers of the changed keys are told, key by key, so that the clock can spread them. A row of a table
// subscribes to its own key, so that one price re-renders one row.
import { liveClock } from '../live-clock.ts';

type LiveStore<Value> = {
  get: (key: string) => Value | undefined;
  set: (key: string, value: Value) => void;
  delete: (key: string) => void;
  subscribe: (key: string, listener: () => void) => () => void;
};

export type LiveStoreOptions = {
  /** A value that is not told again within it is forgotten; without it, none is. */
  keepMs?: number;
  /** Replaced in tests. */
  schedule?: (tell: () => void) => void;
};

function nextBeat(tell: () => void): void {
  liveClock.atNext('prices', tell);
}

export function createLiveStore<Value>(options: LiveStoreOptions = {}): LiveStore<Value> {
  const { schedule = nextBeat, keepMs } = options;
  const values = new Map<string, Value>();
  /** When each value was told, oldest first. */
  const toldAtMs = new Map<string, number>();
  let forgetting: ReturnType<typeof setTimeout> | undefined;
  const listeners = new Map<string, Set<() => void>>();
  const changed = new Set<string>();

  function tell(key: string): void {
    changed.delete(key);
    for (const listener of listeners.get(key) ?? []) listener();
  }

  function mark(key: string): void {
    if (!listeners.has(key) || changed.has(key)) return;
    changed.add(key);
    schedule(() => tell(key));
  }

  function forget(key: string): void {
    toldAtMs.delete(key);
    if (values.delete(key)) mark(key);
  }

  /** One timer for all: moving one with each value would cost more than the value. */
  function keep(key: string, forMs: number): void {
    toldAtMs.delete(key);
    toldAtMs.set(key, performance.now());
    forgetting ??= setTimeout(forgetOld, forMs, forMs);
  }

  function forgetOld(keptMs: number): void {
    forgetting = undefined;
    for (const [key, atMs] of toldAtMs) {
      const leftMs = atMs + keptMs - performance.now();
      if (leftMs > 0) {
        forgetting = setTimeout(forgetOld, leftMs, keptMs);
        return;
      }
      forget(key);
    }
  }

  return {
    get: (key) => values.get(key),
    set(key, value) {
      values.set(key, value);
      if (keepMs !== undefined) keep(key, keepMs);
      mark(key);
    },
    delete: forget,
    subscribe(key, listener) {
      let waiting = listeners.get(key);
      if (!waiting) listeners.set(key, (waiting = new Set()));
      waiting.add(listener);
      return () => {
        waiting.delete(listener);
        if (waiting.size === 0 && listeners.get(key) === waiting) listeners.delete(key);
      };
    },
  };
}
