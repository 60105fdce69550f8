import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { attackFaults } from './attack-faults.ts';
import { misplaced, type Fault } from './fault.ts';
import { newerFaults } from './newer-faults.ts';
import { serverFaults } from './server-faults.ts';
import { triggerFaults } from './trigger-faults.ts';
import { webFaults } from './web-faults.ts';

export const allFaults: readonly Fault[] = [
  ...serverFaults,
  ...triggerFaults,
  ...newerFaults,
  ...attackFaults,
  ...webFaults,
];

/** A fault whose place or test no longer exists proves nothing: it has to follow the code, or to go. */
export function misplacedFaults(project: string): string[] {
  const texts = new Map<string, string | null>();
  const read = (file: string): string | null => {
    const path = join(project, file);
    if (!texts.has(file)) texts.set(file, existsSync(path) ? readFileSync(path, 'utf8') : null);
    return texts.get(file) ?? null;
  };
  return allFaults.flatMap((fault) => misplaced(fault, read) ?? []);
}
