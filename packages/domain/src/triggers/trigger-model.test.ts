import { expect, it } from 'vitest';
import { runTriggerModel } from './trigger-model-for-test.ts';

const RUNS = 150;
const EVENTS = 100;

it('fires exactly what an evaluator fires that asks every trigger after every change, through kills and replays', () => {
  let fired = 0;
  for (let run = 1; run <= RUNS; run += 1) {
    const { machine, obvious, fired: count } = runTriggerModel(`triggers ${run}`, EVENTS);
    expect([run, ...machine.toSorted()]).toEqual([run, ...obvious.toSorted()]);
    fired += count;
  }
  expect(fired).toBeGreaterThan(RUNS * 5);
});
