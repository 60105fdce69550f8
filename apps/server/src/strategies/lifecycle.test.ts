import { expect, it } from 'vitest';
import { systemClock as clock } from '../platform/clock.ts';
import { createLog } from '../platform/log.ts';
import { StrategyLifecycle } from './lifecycle.ts';
import { StrategyMarks } from './performance/strategy-marks.ts';

it('marks a strategy with the next routine whose mark failed', async () => {
  const marks = new StrategyMarks();
  marks.marked('a', { atMs: clock.nowMs(), follows: {} as never, mints: new Set(), isSkipped: false });
  const due = new Set<string>();
  let isBroken = false;
  const deps = {
    database: {
      query: async (text: string) => {
        if (isBroken && text.includes('from strategy where id = any')) throw new Error('the database is away');
        return [];
      },
      write: async () => [],
      transaction: async () => undefined,
    },
    pools: { load: async () => new Map() },
    lanes: { mineValue: [], mineCondition: () => 'true' },
    due,
    marks,
    clock,
    log: createLog('silent'),
  };
  const lifecycle = new StrategyLifecycle(deps as never);
  await lifecycle.pass().catch(() => {});
  marks.marked('a', { atMs: clock.nowMs(), follows: {} as never, mints: new Set(), isSkipped: false });
  due.add('a');
  isBroken = true;
  await expect(lifecycle.pass()).rejects.toThrow('the database is away');
  expect([...due]).toEqual([]);
  const needed: string[] = [];
  await marks.markNeeded(['a'], clock.nowMs(), async (ids) => void needed.push(...ids));
  expect(needed).toEqual(['a']);
});
