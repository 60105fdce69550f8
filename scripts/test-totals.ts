import { stripVTControlCharacters } from 'node:util';

/** What a stage came to; each failure is named, so that the end of the output tells what to look for above. */
export type Totals = { readonly passed: number; readonly failures: readonly string[] };

export const none: Totals = { passed: 0, failures: [] };

export function add(a: Totals, b: Totals): Totals {
  return { passed: a.passed + b.passed, failures: [...a.failures, ...b.failures] };
}

/**
 * A stage that ends badly without a failing test (a crash, no report at all) counts as one failure, so that the totals
 * can never look better than the exit code.
 */
function honest(stage: string, totals: Totals, exitCode: number | null): Totals {
  if (exitCode === 0 || totals.failures.length > 0) return totals;
  const end = exitCode === null ? 'did not run to its end' : `ended with exit code ${exitCode}`;
  return { ...totals, failures: [`${stage}: ${end}, and no test failed`] };
}

function parse(text: string | undefined): object {
  try {
    const value: unknown = JSON.parse(text ?? '');
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}

/** A test and why it failed, in one line. */
export function failure(test: string, message = ''): string {
  const [reason] = stripVTControlCharacters(message).split('\n');
  return reason ? `${test}: ${reason}` : test;
}

/** From what the reporter of totals wrote. */
export function vitestTotals(stage: string, report: string | undefined, exitCode: number | null): Totals {
  return honest(stage, { ...none, ...parse(report) }, exitCode);
}

type PlaywrightTest = { status: string; results?: { error?: { message?: string } }[] };

type PlaywrightSuite = {
  suites?: PlaywrightSuite[];
  specs?: { title: string; file: string; line: number; tests: PlaywrightTest[] }[];
};

type PlaywrightReport = PlaywrightSuite & { stats: { expected: number; flaky: number } };

/** From Playwright's JSON report; a test that passed only at a second attempt counts as passed and is named in the output. */
export function playwrightTotals(stage: string, report: string | undefined, exitCode: number | null): Totals {
  const { stats, ...suite } = parse(report) as Partial<PlaywrightReport>;
  return honest(stage, { passed: (stats?.expected ?? 0) + (stats?.flaky ?? 0), failures: unexpected(suite) }, exitCode);
}

function unexpected({ suites = [], specs = [] }: PlaywrightSuite): string[] {
  const own = specs.flatMap(({ title, file, line, tests }) =>
    tests
      .filter(({ status }) => status === 'unexpected')
      .map(({ results }) => failure(`${file}:${line}: ${title}`, results?.at(-1)?.error?.message)),
  );
  return [...own, ...suites.flatMap(unexpected)];
}
