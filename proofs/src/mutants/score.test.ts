import { describe, expect, it } from 'vitest';
import type { EquivalentMutant } from './equivalent-mutants.ts';
import { countMutants, printTable, type MutationReport } from './score.ts';

const part = { mutate: [], tests: [], scoreMin: 60 };
const source = 'const a = left +\n  right;\n';

function aMutant(status: string, replacement = 'left -\n  right') {
  return {
    mutatorName: 'ArithmeticOperator',
    replacement,
    status,
    location: { start: { line: 1, column: 11 }, end: { line: 2, column: 8 } },
  };
}

function aReport(...statuses: string[]): MutationReport {
  return { files: { 'a.ts': { source, mutants: statuses.map((status) => aMutant(status)) } } } as MutationReport;
}

const listed: EquivalentMutant = {
  file: 'a.ts',
  mutator: 'ArithmeticOperator',
  original: 'left + right',
  replacement: 'left - right',
  reason: 'an example',
};

describe('the score of mutants', () => {
  it('counts killed and timed out ones among all that are valid', () => {
    const score = countMutants(aReport('Killed', 'Timeout', 'Killed', 'Survived', 'Ignored', 'RuntimeError'), part, []);
    expect(score).toMatchObject({ score: 75, valid: 4, problems: [] });
    expect(score.files[0]!.missed).toEqual(['1: left + right → left - right (ArithmeticOperator)']);
    expect(printTable('part', score)).toContain('75.0 %');
  });

  it('fails below the bar of the part or of a file', () => {
    const { problems } = countMutants(aReport('Killed', 'NoCoverage'), part, []);
    expect(problems).toEqual(['50 % is below the bar of 60 %', 'a.ts: 50 % is below 70 %']);
  });

  it('leaves out what is listed as equivalent', () => {
    expect(countMutants(aReport('Survived'), part, [listed])).toMatchObject({ valid: 0, equivalent: 1, problems: [] });
  });

  it('fails where a listed mutant no longer exists, or where a test notices it', () => {
    const gone = countMutants(aReport('Killed'), part, [{ ...listed, replacement: 'right' }]);
    expect(gone.problems).toEqual(['a.ts: the listed mutant "left + right" → "right" no longer exists']);
    expect(countMutants(aReport('Killed'), part, [listed]).problems[0]).toContain('is not equivalent');
  });

  it('looks only at the list of the files that were mutated', () => {
    expect(countMutants(aReport('Killed'), part, [{ ...listed, file: 'b.ts' }]).problems).toEqual([]);
  });
});
