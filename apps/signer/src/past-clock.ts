/** Longer than any past that is made. */
const LONG_AGO_MS = 30 * 86_400_000;

/**
 * The time of a past that is being made, as the process that started this one tells it. Limits of a day then count the days of
 * that past, and the present begins without the swaps of a week in its account.
 */
export function pastClock(launcher: Pick<NodeJS.EventEmitter, 'on'> = process): () => number {
  let nowMs = Date.now() - LONG_AGO_MS;
  launcher.on('message', (message: unknown) => {
    const told = (message as { nowMs?: unknown } | null)?.nowMs;
    // Never back, and never ahead of the real time.
    if (typeof told === 'number' && told > nowMs) nowMs = Math.min(told, Date.now());
  });
  return () => nowMs;
}
