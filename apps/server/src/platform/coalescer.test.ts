import { describe, expect, it } from 'vitest';
import { Coalescer } from './coalescer.ts';

describe('a coalescer', () => {
  it('gathers those who come while a batch is under way, up to its limit', async () => {
    const batches: number[][] = [];
    const gate = Promise.withResolvers<void>();
    const coalescer = new Coalescer<number, number>(
      async (items) => {
        batches.push(items);
        await gate.promise;
        return items.map((item) => item * 2);
      },
      { batchMax: 3, parallelMax: 1 },
    );
    const first = coalescer.submit(1);
    await Promise.resolve();
    const rest = Promise.all([2, 3, 4, 5].map((item) => coalescer.submit(item)));
    gate.resolve();
    expect(await first).toBe(2);
    expect(await rest).toEqual([4, 6, 8, 10]);
    expect(batches).toEqual([[1], [2, 3, 4], [5]]);
  });

  it('fails the bad one alone', async () => {
    const coalescer = new Coalescer<number, number>(
      async (items) => {
        if (items.includes(13)) throw new Error('bad luck');
        return items;
      },
      { batchMax: 10, parallelMax: 1 },
    );
    const results = await Promise.allSettled([1, 13, 2].map((item) => coalescer.submit(item)));
    expect(results.map((result) => result.status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });
});
