import { describe, expect, it } from 'vitest';
import type { Database } from '../platform/postgres.ts';
import { SharedWork } from './shared-work.ts';
import { OwnsAllLanes, StrategyLanes } from './strategy-lanes.ts';

describe('lanes', () => {
  let taken = 0;
  const database = {
    write: async () => {
      taken += 1;
      return [{ epoch: 1n }];
    },
  } as unknown as Database;

  it('are owned before work in them begins, and taken once', async () => {
    const lanes = new StrategyLanes(new OwnsAllLanes(database));
    const before = taken;
    for (let turn = 0; turn < 2; turn += 1) {
      await lanes.run('a', 'creator', async () => expect(taken).toBe(before + 1));
    }
  });

  it('do one thing at a time per strategy, in the order asked for, also after a failure', async () => {
    const lanes = new StrategyLanes(new OwnsAllLanes(database));
    const seen: string[] = [];
    const gate = Promise.withResolvers<void>();
    const first = lanes.run('a', 'creator', async () => {
      await gate.promise;
      seen.push('first');
      throw new Error('failed');
    });
    const second = lanes.run('a', 'creator', async () => void seen.push('second'));
    await lanes.run('b', 'creator', async () => void seen.push('other'));
    gate.resolve();
    await expect(first).rejects.toThrow('failed');
    await second;
    expect(seen).toEqual(['other', 'first', 'second']);
  });

  it('let those who leave go first, then the creator, then those who join, each group in one run', async () => {
    const lanes = new StrategyLanes(new OwnsAllLanes(database));
    const seen: string[] = [];
    const gate = Promise.withResolvers<void>();
    const running = lanes.run('a', 'creator', () => gate.promise);
    const note = (what: string) => async () => void seen.push(what);
    const all = [
      lanes.run('a', 'join', note('join'), 'join'),
      lanes.run('a', 'creator', note('creator')),
      lanes.run('a', 'exit', note('exit'), 'exit'),
      lanes.run('a', 'join', note('joined before'), 'join'),
      lanes.run('a', 'exit', note('left before'), 'exit'),
    ];
    gate.resolve();
    await Promise.all([running, ...all]);
    expect(seen).toEqual(['exit', 'creator', 'join']);
  });
});

describe('a lane in which somebody takes out crumbs all day', () => {
  it('lets the creator and those who join have a turn after four others', async () => {
    const lanes = new StrategyLanes(new OwnsAllLanes({ write: async () => [{ epoch: 1n }] } as unknown as Database));
    const seen: string[] = [];
    let left = 20;
    const takeOut = async (): Promise<void> => {
      seen.push('exit');
      left -= 1;
      if (left > 0) void lanes.run('a', 'exit', takeOut);
      else done.resolve();
    };
    const done = Promise.withResolvers<void>();
    const waiting = (['creator', 'creator', 'join'] as const).map((turn) =>
      lanes.run('a', turn, async () => void seen.push(turn)),
    );
    const [first] = waiting;
    await first;
    void lanes.run('a', 'exit', takeOut);
    await Promise.all([...waiting, done.promise]);
    const order = seen.slice(0, 12).join(' ');
    expect(order).toBe('creator exit exit exit join creator exit exit exit exit exit exit');
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
