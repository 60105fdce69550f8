import { NO_FOLLOWS } from '@hunter/domain/record/creator-score';
import { describe, expect, it } from 'vitest';
import { mintNamed } from '@hunter/domain/address-for-test';
import { needsMark, StrategyMarks, type LastMark } from './strategy-marks.ts';

const NOW_MS = 1_000_000_000;
const follows = { open: [], closed: { returns: [], sums: NO_FOLLOWS } };
const aMark = (overrides: Partial<LastMark> = {}): LastMark => ({
  atMs: NOW_MS - 15_000,
  mints: new Set(['a', 'b'].map(mintNamed)),
  isSkipped: false,
  follows,
  ...overrides,
});
const moved = (...mints: string[]) => new Set(mints.map(mintNamed));

describe('a strategy needs a mark', () => {
  it('when a coin was traded that it holds, and not for other coins', () => {
    expect(needsMark(aMark(), moved('b', 'c'), NOW_MS)).toBe(true);
    expect(needsMark(aMark(), moved('c'), NOW_MS)).toBe(false);
    expect(needsMark(aMark({ mints: new Set() }), moved('a'), NOW_MS)).toBe(false);
  });

  it('five minutes after the last one, whatever was traded', () => {
    expect(needsMark(aMark({ atMs: NOW_MS - 299_999 }), moved(), NOW_MS)).toBe(false);
    expect(needsMark(aMark({ atMs: NOW_MS - 300_000 }), moved(), NOW_MS)).toBe(true);
  });

  it('where the last one was left out or is not known', () => {
    expect(needsMark(aMark({ isSkipped: true }), moved(), NOW_MS)).toBe(true);
    expect(needsMark(undefined, moved(), NOW_MS)).toBe(true);
  });
});

describe('the marks of a process', () => {
  const running = ['first', 'second'];
  async function needed(marks: StrategyMarks, ids = running): Promise<readonly string[]> {
    let asked: readonly string[] = [];
    await marks.markNeeded(ids, NOW_MS, async (these) => void (asked = these));
    return asked;
  }
  function bothMarked(): StrategyMarks {
    const marks = new StrategyMarks();
    marks.marked('first', aMark());
    marks.marked('second', aMark({ mints: new Set(['c'].map(mintNamed)) }));
    return marks;
  }

  it('count a traded coin once', async () => {
    const marks = bothMarked();
    marks.pricesMoved(['c'].map(mintNamed));
    expect(await needed(marks)).toEqual(['second']);
    expect(await needed(marks)).toEqual([]);
  });

  it('keep what was traded for the next pass where marking fails', async () => {
    const marks = bothMarked();
    marks.pricesMoved(['a'].map(mintNamed));
    await expect(
      marks.markNeeded(running, NOW_MS, () => {
        marks.pricesMoved(['c'].map(mintNamed));
        return Promise.reject(new Error('no database'));
      }),
    ).rejects.toThrow('no database');
    expect(await needed(marks)).toEqual(running);
  });

  it('forget strategies that do not run any more', async () => {
    const marks = bothMarked();
    await needed(marks, ['second']);
    expect(marks.mints()).toEqual(['c']);
    expect(await needed(marks)).toEqual(['first']);
  });

  it('know the follows for half an hour, in which nobody opens and closes one that counts', () => {
    const marks = bothMarked();
    const { atMs } = aMark();
    expect(marks.followsOf('first', atMs + 1_799_999)).toBe(follows);
    expect(marks.followsOf('first', atMs + 1_800_000)).toBeNull();
    expect(marks.followsOf('third', NOW_MS)).toBeNull();
  });
});
