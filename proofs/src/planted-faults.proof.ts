/**
 * Plants one-line faults in a copy of the sources, one at a time: each must turn the test red that it names. Takes a part of a file
 * name to plant only the faults in such files.
 */
import type { Figures } from '../../scripts/run-named.ts';
import { root } from '../../scripts/bootstrap.mjs';
import { allFaults, misplacedFaults } from './planted-faults/all-faults.ts';
import { plantFaults } from './planted-faults/plant-faults.ts';

export default async function provePlantedFaults([part = '']: readonly string[]): Promise<Figures> {
  const misplaced = misplacedFaults(root);
  if (misplaced.length > 0) return { ok: false, misplaced };
  const faults = allFaults.filter(({ file }) => file.includes(part));
  const planted = await plantFaults(faults, { say: (line) => void process.stdout.write(`${line}\n`) });
  const named = (verdict: string): string[] =>
    planted.filter((one) => one.verdict === verdict).map(({ fault }) => `${fault.file}: ${fault.replace.trim()}`);
  const survived = named('survived');
  const broken = named('broken');
  return {
    faults: faults.length,
    noticed: named('noticed').length,
    survived,
    broken,
    ok: faults.length > 0 && survived.length === 0 && broken.length === 0,
  };
}
