import { describe, expect, it } from 'vitest';
import { ConcurrencyLimit } from './concurrency-limit.ts';

describe('ConcurrencyLimit', () => {
  it('runs a few at a time, queues some and turns the rest away', async () => {
    const limit = new ConcurrencyLimit(2, 3);
    const gates = Array.from({ length: 6 }, () => Promise.withResolvers<number>());
    let running = 0;
    let most = 0;
    const results = gates.map((gate) =>
      limit.run(async () => {
        running += 1;
        most = Math.max(most, running);
        const value = await gate.promise;
        running -= 1;
        return value;
      }),
    );
    expect(await results[5]).toBeNull();
    expect(limit.waiting).toBe(3);
    gates.forEach((gate, index) => gate.resolve(index));
    expect(await Promise.all(results.slice(0, 5))).toEqual([0, 1, 2, 3, 4].map((value) => ({ value })));
    expect(most).toBe(2);
  });

  it('hands the place on when a task fails', async () => {
    const limit = new ConcurrencyLimit(1, 1);
    const failing = limit.run(() => Promise.reject(new Error('no')));
    const next = limit.run(async () => 'yes');
    await expect(failing).rejects.toThrow('no');
    expect(await next).toEqual({ value: 'yes' });
  });
});
