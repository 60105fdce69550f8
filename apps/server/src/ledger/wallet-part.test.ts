import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { ALL_WALLETS, isWithin, rangeOf } from './wallet-part.ts';

describe('the parts of all wallets', () => {
  it('have every wallet once, at their bounds too', () => {
    const edges = ['00000000', '3fffffff', '40000000', '7fffffff', '80000000', 'bfffffff', 'c0000000', 'ffffffff'];
    const ids = [
      ...edges.map((first) => `${first}-0000-0000-0000-000000000000`),
      ...Array.from({ length: 200 }, () => randomUUID()),
    ];
    const parts = [0, 1, 2, 3].map((index) => rangeOf({ index, of: 4 }));
    for (const id of ids) expect([id, parts.filter((part) => isWithin(part, id)).length]).toEqual([id, 1]);
    expect(
      edges.map((first) => parts.findIndex((part) => isWithin(part, `${first}-0000-0000-0000-000000000000`))),
    ).toEqual([0, 0, 1, 1, 2, 2, 3, 3]);
  });

  it('are all of them where there is one', () => {
    expect(
      ['00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff'].map((id) =>
        isWithin(rangeOf(ALL_WALLETS), id),
      ),
    ).toEqual([true, true]);
  });
});
