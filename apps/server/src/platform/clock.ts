/** The only source of time in the server; the rest of it never asks the system for the time or for a timer. */
export interface Clock {
  /** Milliseconds since 1970. */
  nowMs(): number;
  /** Resolves after `ms`, or as soon as `signal` aborts. */
  pause(ms: number, signal?: AbortSignal): Promise<void>;
}

/** Resolves when `work` is done, or after `ms` without it; a rejection in time is passed on. */
export async function waitAtMost(clock: Clock, ms: number, work: Promise<unknown>): Promise<void> {
  const over = new AbortController();
  try {
    await Promise.race([work, clock.pause(ms, over.signal)]);
  } finally {
    over.abort();
  }
}

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  pause: (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const end = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', end);
        resolve();
      };
      const timer = setTimeout(end, ms);
      signal?.addEventListener('abort', end, { once: true });
    }),
};

/** Milliseconds since it was made, whatever becomes of the system's date: how long something took or may still take. */
export function stopwatch(): () => number {
  const startedMs = performance.now();
  return () => performance.now() - startedMs;
}
