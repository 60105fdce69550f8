export type Totals = { readonly passed: number; readonly failed: number };

export const none: Totals = { passed: 0, failed: 0 };

export function add(a: Totals, b: Totals): Totals {
  return { passed: a.passed + b.passed, failed: a.failed + b.failed };
}

/**
 * A stage that ends badly without a failing test (a crash, a suite that does not load, no report at all) counts as one
 * failure, so that the totals can never look better than the exit code.
 */
function honest(totals: Totals, exitCode: number | null): Totals {
  return exitCode !== 0 && totals.failed === 0 ? { ...totals, failed: 1 } : totals;
}

function parse(text: string | undefined): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text ?? '');
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

const count = (value: unknown): number => (typeof value === 'number' ? value : 0);

/** From vitest's JSON report. */
export function vitestTotals(report: string | undefined, exitCode: number | null): Totals {
  const { numPassedTests, numFailedTests, testResults } = parse(report);
  // A file that fails to load, or whose preparation fails, has no failed test to count.
  const broken = Array.isArray(testResults)
    ? (testResults as { status?: string; assertionResults?: { status?: string }[] }[]).filter(
        ({ status, assertionResults }) =>
          status === 'failed' && !(assertionResults ?? []).some((test) => test.status === 'failed'),
      ).length
    : 0;
  return honest({ passed: count(numPassedTests), failed: count(numFailedTests) + broken }, exitCode);
}

/** From Playwright's JSON report; a test that passed only at a second attempt counts as passed and is named in the output. */
export function playwrightTotals(report: string | undefined, exitCode: number | null): Totals {
  const stats = parse(report)['stats'];
  const { expected, unexpected, flaky } = (stats ?? {}) as Record<string, unknown>;
  return honest({ passed: count(expected) + count(flaky), failed: count(unexpected) }, exitCode);
}
