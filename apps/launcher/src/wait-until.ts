import { setTimeout as delay } from 'node:timers/promises';

/** Polls until `probe` answers something other than undefined, or gives undefined when the time is over. */
export async function waitUntil<T>(
  probe: () => T | undefined | Promise<T | undefined>,
  { timeoutMs, everyMs = 20 }: { timeoutMs: number; everyMs?: number },
): Promise<T | undefined> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const found = await probe();
    if (found !== undefined) return found;
    if (performance.now() >= deadline) return undefined;
    await delay(everyMs);
  }
}
