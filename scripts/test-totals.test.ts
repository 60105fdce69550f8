import { describe, expect, it } from 'vitest';
import { playwrightTotals, vitestTotals } from './test-totals.ts';

describe('the totals of a test stage', () => {
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

  it('never look better than the exit code', () => {
    expect(vitestTotals('unit', '{"passed":7,"failures":[]}', 1)).toEqual({
      passed: 7,
      failures: ['unit: ended with exit code 1, and no test failed'],
    });
    const unfinished = { passed: 0, failures: ['unit: did not run to its end, and no test failed'] };
    expect(vitestTotals('unit', undefined, null)).toEqual(unfinished);
    expect(playwrightTotals('browser', 'not json', 1).failures).toHaveLength(1);
  });
});
