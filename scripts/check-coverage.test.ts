import { describe, expect, it } from 'vitest';
import { decideCoverage } from './check-coverage.ts';

const checklist = '## R\n| id | promise |\n|---|---|\n| R1 | one |\n| R2≈ | two |\n';
const coverage = (...rows: string[]): string => ['| id | tests |', '|---|---|', ...rows].join('\n');
const source = "test('opens'); test('doesn\\'t close'); test(`fits ${width} px`);";
const decide = (...rows: string[]) =>
  decideCoverage(checklist, coverage(...rows), (path) => (path === 'e2e/r.spec.ts' ? source : undefined));

describe('decideCoverage', () => {
  it('counts promises with tests and promises that are not built yet', () => {
    expect(
      decide("| R1 | `e2e/r.spec.ts`: “opens”, “doesn't close”, “fits … px” |", '| R2≈ | not built yet |'),
    ).toEqual({
      complaints: [],
      covered: 1,
      notBuilt: 1,
    });
  });

  it('complains about an id without a row, an unknown id and an id with two rows', () => {
    expect(decide('| R1 | not built yet |', '| R1 | not built yet |', '| R9 | not built yet |').complaints).toEqual([
      'R1 has two rows',
      'R9 is not in the checklist',
      'R2 has no row',
    ]);
  });

  it('complains about a file without a title and about a title that is not in it', () => {
    expect(decide('| R1 | `e2e/r.spec.ts` |', '| R2 | `e2e/r.spec.ts`: “opens”, “shuts” |').complaints).toEqual([
      'R1 names no title of e2e/r.spec.ts',
      'R2 names “shuts”, which is not in e2e/r.spec.ts',
    ]);
  });

  it('complains about a row that names no test, no such test, or something else', () => {
    expect(decide('| R1 | surely |', '| R2 | `e2e/gone.spec.ts`, `docs/page.md` |').complaints).toEqual([
      'R1 names no test and does not say "not built yet"',
      'R2 names e2e/gone.spec.ts, which does not exist',
      'R2 names docs/page.md, which is not a test',
    ]);
  });
});
