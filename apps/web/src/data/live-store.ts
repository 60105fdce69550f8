// Values that change many times a second, kept outside React. Messages go into a mutable map; at the next beat of the
// live clock the subscribers of the changed keys are told, at most `rowBudget` of them, the rest at the next ones. A row
// of a table subscribes to its own key, so that one price re-renders one row.
import { liveClock } from '../live-clock.ts';

type LiveStore<Value> = {
  get: (key: string) => Value | undefined;
  set: (key: string, value: Value) => void;
  delete: (key: string) => void;
  subscribe: (key: string, listener: () => void) => () => void;
};

export type LiveStoreOptions = {
  rowBudget?: number;
  /** A value that is not told again within it is forgotten; without it, none is. */
  keepMs?: number;
  /** Replaced in tests. */
  schedule?: (flush: () => void) => void;
};

const ROWS_PER_BEAT = 60;

function nextBeat(flush: () => void): void {
  liveClock.atNext('prices', flush);
}

export function createLiveStore<Value>(options: LiveStoreOptions = {}): LiveStore<Value> {
  const { rowBudget = ROWS_PER_BEAT, schedule = nextBeat, keepMs } = options;
  const values = new Map<string, Value>();
  /** When each value was told, oldest first. */
  const toldAtMs = new Map<string, number>();
  let forgetting: ReturnType<typeof setTimeout> | undefined;
  const listeners = new Map<string, Set<() => void>>();
  const changed = new Set<string>();
  let scheduled = false;

  function flush(): void {
    scheduled = false;
    let told = 0;
    for (const key of changed) {
      if (told >= rowBudget) break;
      changed.delete(key);
      const waiting = listeners.get(key);
      if (!waiting) continue;
      told += 1;
      for (const listener of waiting) listener();
    }
    if (changed.size > 0) request();
  }

  function request(): void {
    if (scheduled) return;
    scheduled = true;
    schedule(flush);
  }

  function mark(key: string): void {
    if (!listeners.has(key)) return;
    changed.add(key);
    request();
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
