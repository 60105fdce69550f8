import { writeFileSync } from 'node:fs';

/** As niceness: some five times the time of others. */
export const FIRST = -7;
export const IN_TURN = 0;

/**
 * How much processor time a part gets where there is too little for all. Linux shares it out among sessions, each part being one. Root may
 * change that; elsewhere, and for others, a part competes like any.
 */
export function shareProcessor(pid: number, niceness: number): void {
  try {
    writeFileSync(`/proc/${pid}/autogroup`, String(niceness));
  } catch {
    // It may not, there are no such shares, or the process has ended already.
  }
}
