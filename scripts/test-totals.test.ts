import { describe, expect, it } from 'vitest';
import { playwrightTotals, vitestTotals } from './test-totals.ts';

describe('the totals of a test stage', () => {
  it('name what failed in the report', () => {
    const assertionResults = [
      { fullName: 'a sum is exact', status: 'passed' },
      { fullName: 'a sum is negative', status: 'failed', failureMessages: ['AssertionError: 1 is not 2\n    at sum'] },
    ];
    const report = { numPassedTests: 7, testResults: [{ name: 'sum.test.ts', status: 'failed', assertionResults }] };
    expect(vitestTotals('unit', JSON.stringify(report), 1)).toEqual({
      passed: 7,
      failures: ['sum.test.ts: a sum is negative: AssertionError: 1 is not 2'],
    });
  });

  it('name what failed in a browser, in whichever group it is', () => {
    const results = [{ error: { message: '\u001B[31mTimeout\u001B[39m\nCall log' } }];
    const spec = (title: string, status: string) => ({
      title,
      file: 'buy.spec.ts',
      line: 5,
      tests: [{ status, results }],
    });
    const suites = [
      { specs: [spec('buys', 'expected')], suites: [{ specs: [spec('sells', 'unexpected'), spec('waits', 'flaky')] }] },
    ];
    const report = JSON.stringify({ stats: { expected: 1, unexpected: 1, flaky: 1 }, suites });
    expect(playwrightTotals('browser', report, 1)).toEqual({ passed: 2, failures: ['buy.spec.ts:5: sells: Timeout'] });
  });

  it('count a test file that does not load', () => {
    const testResults = [{ name: 'sum.test.ts', status: 'failed', assertionResults: [] }];
    const report = JSON.stringify({ numPassedTests: 7, testResults });
    expect(vitestTotals('unit', report, 1)).toEqual({ passed: 7, failures: ['sum.test.ts: could not be run'] });
  });

  it('count a test file whose preparation fails, which skips its tests', () => {
    const testResults = [{ name: 'sum.test.ts', status: 'failed', assertionResults: [{ status: 'skipped' }] }];
    const report = JSON.stringify({ numPassedTests: 7, testResults });
    expect(vitestTotals('unit', report, 1)).toEqual({ passed: 7, failures: ['sum.test.ts: could not be run'] });
  });

  it('never look better than the exit code', () => {
    expect(vitestTotals('unit', '{"numPassedTests":7}', 1)).toEqual({
      passed: 7,
      failures: ['unit: ended with exit code 1, and no test failed'],
    });
    const unfinished = { passed: 0, failures: ['unit: did not run to its end, and no test failed'] };
    expect(vitestTotals('unit', undefined, null)).toEqual(unfinished);
    expect(playwrightTotals('browser', 'not json', 1).failures).toHaveLength(1);
  });
});
