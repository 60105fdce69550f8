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

const ownClock: Clock = {
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

let wound: Clock | null = null;
let hasBeenWound = false;

/** The system's time, except in a process that makes the past of a local market: there it is the time of that past. */
export const systemClock: Clock = {
  nowMs: () => (wound ?? ownClock).nowMs(),
  pause: (ms, signal) => (wound ?? ownClock).pause(ms, signal),
};

/** Null goes back to the system's own time. */
export function windSystemClock(clock: Clock | null): void {
  wound = clock;
  hasBeenWound = true;
}

/** Whether this process has lived in the past. */
export function wasInPast(): boolean {
  return hasBeenWound;
}

/** Milliseconds since it was made, whatever becomes of the system's date: how long something took or may still take. */
export function stopwatch(): () => number {
  const startedMs = performance.now();
  return () => performance.now() - startedMs;
}

/** Resolves when nothing has been busy for a while, by the system's own time: also in a process that lives in the past. */
export async function untilQuiet(
  isBusy: () => boolean,
  { quietMs, atMostMs }: { quietMs: number; atMostMs: number },
): Promise<void> {
  const elapsedMs = stopwatch();
  let busyAtMs = 0;
  while (elapsedMs() < atMostMs && elapsedMs() - busyAtMs < quietMs) {
    await ownClock.pause(1);
    if (isBusy()) busyAtMs = elapsedMs();
  }
}
