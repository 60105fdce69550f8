import { describe, expect, it } from 'vitest';
import { root } from '../../scripts/bootstrap.mjs';
import { allFaults, misplacedFaults } from './planted-faults/all-faults.ts';
import { hasTitle, misplaced } from './planted-faults/fault.ts';
import { plantFaults } from './planted-faults/plant-faults.ts';

describe('planted faults', () => {
  it('all have a place and a test', () => {
    expect(misplacedFaults(root)).toEqual([]);
  });

  it('turn the tests red that they name, for two of them', async () => {
    const cheap = allFaults.filter(({ test }) => !test.endsWith('.db.test.ts'));
    const two = [0, 0.5].map((share) => cheap[Math.floor(share * cheap.length)]!);
    const planted = await plantFaults(two);
    expect(planted.filter(({ verdict }) => verdict !== 'noticed')).toEqual([]);
  });

  it('are not believed where the test would not notice', async () => {
    const [fault] = allFaults.filter(({ test }) => !test.endsWith('.db.test.ts'));
    const harmless = { ...fault!, replace: `${fault!.find} ` };
    expect(await plantFaults([harmless])).toMatchObject([{ verdict: 'survived' }]);
  });
});

describe('misplaced', () => {
  const fault = { file: 'a.ts', find: 'x > 0', replace: 'x >= 0', test: 'a.test.ts', title: "it's above zero" };
  const files: Record<string, string> = { 'a.ts': 'return x > 0;', 'a.test.ts': "it('it\\'s above zero')" };
  const read = (file: string): string | null => files[file] ?? null;

  it('accepts a fault whose text stands once and whose test exists', () => {
    expect(misplaced(fault, read)).toBeNull();
  });

  it('names a place, a file or a test that is gone', () => {
    expect(misplaced({ ...fault, find: 'y > 0' }, read)).toBe('a.ts has 0 places that read: y > 0');
    expect(misplaced({ ...fault, file: 'b.ts' }, read)).toBe('b.ts does not exist');
    expect(misplaced({ ...fault, title: 'gone' }, read)).toBe('a.test.ts has no test "gone"');
  });
});

describe('hasTitle', () => {
  it('finds a title that is spelt out, and one that is a row of a table', () => {
    const tests = "it('adds');\nit.each(rows)('draws %s candles, %j of them', run);";
    expect(hasTitle(tests, 'adds')).toBe(true);
    expect(hasTitle(tests, 'draws 1m candles, 5 of them')).toBe(true);
    expect(hasTitle(tests, 'draws 1m candles')).toBe(false);
    expect(hasTitle(tests, 'subtracts')).toBe(false);
  });
});
