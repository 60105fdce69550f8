import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import { Loop } from '../../platform/loop.ts';
import { takeReserveSnapshot, type ReserveDeps } from './take-snapshot.ts';

const EVERY_MS = 10 * 60_000;
const FIRST_AFTER_MS = 30_000;

/** Under this name the server's secret gives the keys that salt the leaves of books. */
export const RESERVE_KEY = 'reserve';

export function reserveLoop(deps: ReserveDeps, { clock, log }: { clock: Clock; log: Log }): Loop<string> {
  return new Loop({
    name: 'snapshot of reserves',
    work: () => takeReserveSnapshot(deps),
    everyMs: EVERY_MS,
    firstAfterMs: FIRST_AFTER_MS,
    restFactor: 10,
    clock,
    log,
  });
}
