import { describe, expect, it } from 'vitest';
import { playwrightTotals, vitestTotals } from './test-totals.ts';

describe('the totals of a test stage', () => {
  it('are those of the report', () => {
    expect(vitestTotals('{"numPassedTests":7,"numFailedTests":2}', 1)).toEqual({ passed: 7, failed: 2 });
    expect(playwrightTotals('{"stats":{"expected":3,"unexpected":1,"flaky":1}}', 1)).toEqual({ passed: 4, failed: 1 });
  });

  it('count a test file that does not load', () => {
    const report = { numPassedTests: 7, numFailedTests: 0, testResults: [{ status: 'failed', assertionResults: [] }] };
    expect(vitestTotals(JSON.stringify(report), 1)).toEqual({ passed: 7, failed: 1 });
  });

  it('count a test file whose preparation fails, which skips its tests', () => {
    const testResults = [{ status: 'failed', assertionResults: [{ status: 'skipped' }] }];
    const report = JSON.stringify({ numPassedTests: 7, numFailedTests: 1, testResults });
    expect(vitestTotals(report, 1)).toEqual({ passed: 7, failed: 2 });
  });

  it('never look better than the exit code', () => {
    expect(vitestTotals('{"numPassedTests":7,"numFailedTests":0}', 1)).toEqual({ passed: 7, failed: 1 });
    expect(vitestTotals(undefined, null)).toEqual({ passed: 0, failed: 1 });
    expect(playwrightTotals('not json', 1)).toEqual({ passed: 0, failed: 1 });
  });
});
