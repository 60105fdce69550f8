import { describe, expect, it } from 'vitest';
import { SharedWork } from './shared-work.ts';
import { StrategyLanes } from './strategy-lanes.ts';

describe('lanes', () => {
  it('do one thing at a time per strategy, in the order asked for, also after a failure', async () => {
    const lanes = new StrategyLanes();
    const seen: string[] = [];
    const gate = Promise.withResolvers<void>();
    const first = lanes.run('a', async () => {
      await gate.promise;
      seen.push('first');
      throw new Error('failed');
    });
    const second = lanes.run('a', async () => void seen.push('second'));
    await lanes.run('b', async () => void seen.push('other'));
    gate.resolve();
    await expect(first).rejects.toThrow('failed');
    await second;
    expect(seen).toEqual(['other', 'first', 'second']);
  });
});

describe('shared work', () => {
  it('runs once for all who ask at the same time', async () => {
    const work = new SharedWork();
    const gate = Promise.withResolvers<void>();
    let runs = 0;
    const ask = () =>
      work.run('close', async () => {
        runs += 1;
        await gate.promise;
      });
    const both = Promise.all([ask(), ask()]);
    gate.resolve();
    await both;
    expect(runs).toBe(1);
    await ask();
    expect(runs).toBe(2);
    await work.idle();
  });
});
