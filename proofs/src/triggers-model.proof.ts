/**
 * Triggers as the product decides them against an evaluator that asks every trigger after every change. Takes the number of
 * histories, 10,000 unless told, and the number of changes in each, 200 unless told; a failure names its seed.
 */
import { isDeepStrictEqual } from 'node:util';
import { runTriggerModel } from '@hunter/domain/triggers/trigger-model-for-test';
import type { Figures } from '../../scripts/run-named.ts';

export default async function proveTriggerModel([runs = '10000', events = '200']: readonly string[]): Promise<Figures> {
  const startedMs = performance.now();
  let happened = 0;
  for (let run = 1; run <= Number(runs); run += 1) {
    const { machine, obvious, fired } = runTriggerModel(`triggers ${run}`, Number(events));
    if (!isDeepStrictEqual(machine.toSorted(), obvious.toSorted())) {
      throw new Error(
        `the evaluators differ with the seed "triggers ${run}":\n${machine.join('\n')}\n--\n${obvious.join('\n')}`,
      );
    }
    happened += fired;
  }
  const seconds = Math.round((performance.now() - startedMs) / 1000);
  return { runs: Number(runs), events: Number(events), happened, seconds, ok: true };
}
