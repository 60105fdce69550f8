import { randomUUID } from 'node:crypto';
import { subjectOf, type Bus } from './bus/bus.ts';
import type { Clock } from './clock.ts';
import type { Log } from './log.ts';
import { Loop } from './loop.ts';
import type { RateLimit } from './rate-limit.ts';

const TELL_MS = 1_000;
/** Whoever takes less in a second is no burden to the others. */
const TOLD_MIN = 5;
/** Of one message; those who take most come first. */
const TOLD_MAX = 1_000;

type Taken = { from: string; taken: readonly (readonly [key: string, count: number])[] };

/**
 * A limit that several processes keep together: once a second each tells the others what it let pass, and they count it as if it had
 * passed there. A message that is lost leaves each process its own limit, as without the others.
 */
export function keepLimitTogether(
  name: string,
  limit: RateLimit,
  { bus, clock, log }: { bus: Bus; clock: Clock; log: Log },
): { stop(): Promise<void> } {
  const from = randomUUID();
  const subject = subjectOf('taken', name);
  const stopHearing = bus.subscribe(subject, (message) => {
    const told = message as Taken;
    if (told.from === from) return;
    for (const [key, count] of told.taken) limit.spend(key, count);
  });
  const tell = async (): Promise<void> => {
    const taken = [...limit.takenSince()]
      .filter(([, count]) => count >= TOLD_MIN)
      .sort(([, left], [, right]) => right - left)
      .slice(0, TOLD_MAX);
    if (taken.length > 0) bus.publish(subject, { from, taken } satisfies Taken);
  };
  const telling = new Loop({ name: 'telling of what passed a limit', work: tell, everyMs: TELL_MS, clock, log });
  telling.start();
  return {
    stop: async () => {
      stopHearing();
      await telling.stop();
    },
  };
}
