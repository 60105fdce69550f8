import { describe, expect, it } from 'vitest';
import { FairLimit } from './fair-limit.ts';

describe('FairLimit', () => {
  /** Tasks that end when they are told, and the order in which they began. */
  const tasksOf = (limit: FairLimit) => {
    const begun: string[] = [];
    const ends = new Map<string, () => void>();
    const run = (account: string, name: string) =>
      limit.run(account, () => {
        begun.push(name);
        return new Promise<string>((resolve) => ends.set(name, () => resolve(name)));
      });
    const end = async (name: string): Promise<void> => {
      ends.get(name)!();
      await new Promise((resolve) => setImmediate(resolve));
    };
    return { begun, run, end };
  };

  it('takes turns by account, however many somebody asks for first', async () => {
    const { begun, run, end } = tasksOf(new FairLimit({ running: 1, waiting: 10, waitingEach: 3 }));
    const first = ['a1', 'a2', 'a3', 'a4'].map((name) => run('a', name));
    const later = [run('b', 'b1'), run('b', 'b2'), run('c', 'c1')];
    for (const name of ['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']) await end(name);
    expect(begun).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']);
    const values = (await Promise.all([...first, ...later])).map((one) => one?.value);
    expect(values).toEqual(['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1']);
  });

  it('runs one of each account at a time, and leaves no place empty', async () => {
    const { begun, run, end } = tasksOf(new FairLimit({ running: 2, waiting: 10, waitingEach: 3 }));
    const all = [run('a', 'a1'), run('a', 'a2'), run('b', 'b1'), run('b', 'b2'), run('c', 'c1')];
    expect(begun).toEqual(['a1', 'b1']);
    await end('b1');
    expect(begun).toEqual(['a1', 'b1', 'b2']);
    await end('b2');
    expect(begun).toEqual(['a1', 'b1', 'b2', 'c1']);
    await end('a1');
    await end('c1');
    await end('a2');
    expect(await Promise.all(all)).not.toContain(null);
  });

  it('refuses beyond what may wait, of one account and of all', async () => {
    const { run, end } = tasksOf(new FairLimit({ running: 1, waiting: 3, waitingEach: 2 }));
    const kept = [run('a', 'a1'), run('a', 'a2'), run('a', 'a3')];
    expect(await run('a', 'a4')).toBeNull();
    kept.push(run('b', 'b1'));
    expect(await run('c', 'c1')).toBeNull();
    for (const name of ['a1', 'a2', 'b1', 'a3']) await end(name);
    expect(await Promise.all(kept)).not.toContain(null);
  });

  it('hands the place on when a task fails', async () => {
    const limit = new FairLimit({ running: 1, waiting: 1, waitingEach: 1 });
    const failing = limit.run('a', () => Promise.reject(new Error('no')));
    const next = limit.run('b', async () => 'yes');
    await expect(failing).rejects.toThrow('no');
    expect(await next).toEqual({ value: 'yes' });
  });
});
