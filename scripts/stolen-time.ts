// What a virtual machine's host took of its processors: figures taken meanwhile say more about the neighbours.

import { readFileSync } from 'node:fs';

type Ticks = { stolen: number; all: number };

/** Answers the percent of all processor time that was stolen since, or null where the system does not tell. */
export function watchStolenTime(read: () => string = readStat): () => number | null {
  const before = ticksIn(read);
  return () => {
    const after = ticksIn(read);
    if (before === null || after === null || after.all === before.all) return null;
    return Math.round(((after.stolen - before.stolen) / (after.all - before.all)) * 1000) / 10;
  };
}

function readStat(): string {
  return readFileSync('/proc/stat', 'utf8');
}

/** The first line of /proc/stat: user, nice, system, idle, iowait, irq, softirq, steal. */
function ticksIn(read: () => string): Ticks | null {
  try {
    const [label, ...numbers] = (read().split('\n')[0] ?? '').split(/\s+/);
    const ticks = numbers.slice(0, 8).map(Number);
    if (label !== 'cpu' || ticks.length < 8) return null;
    return { stolen: ticks[7]!, all: ticks.reduce((sum, count) => sum + count, 0) };
  } catch {
    return null;
  }
}
