import { writeFileSync } from 'node:fs';
import type { Reporter, SerializedError, TestModule } from 'vitest/node';
import { failure, type Totals } from './test-totals.ts';

/** Which file the totals of a run of vitest are written to. */
export const TOTALS_FILE = 'HUNTER_TOTALS_FILE';

/** Vitest's own JSON report leaves out why a group of tests could not be prepared, and what was thrown outside of all tests. */
export default class TotalsReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const totals: Totals = {
      passed: modules.flatMap(({ children }) => [...children.allTests('passed')]).length,
      failures: [
        ...modules.flatMap(failuresOf),
        ...unhandled.map(({ message }) => failure('thrown outside of a test', message)),
      ],
    };
    writeFileSync(process.env[TOTALS_FILE]!, JSON.stringify(totals));
  }
}

function failuresOf(module: TestModule): string[] {
  const { children, moduleId } = module;
  const groups = [module, ...children.allSuites()].flatMap((group) =>
    group.errors().map(({ message }) => {
      const name = group.type === 'module' ? moduleId : `${moduleId}: ${group.fullName}`;
      return failure(`${name}: could not be prepared or ended`, message);
    }),
  );
  const tests = [...children.allTests('failed')].map((test) =>
    failure(`${moduleId}: ${test.fullName}`, test.result().errors?.[0]?.message),
  );
  return [...groups, ...tests];
}
