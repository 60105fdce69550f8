/**
 * Stands in for vitest where tests run in the process that asks for them: what a file declares is kept and can be run as often as one
 * likes, without loading anything again. Assertions are vitest's own.
 */
import { format } from 'node:util';

type Work = () => unknown;
type Hooks = { beforeAll: Work[]; afterAll: Work[]; beforeEach: Work[]; afterEach: Work[] };
type Suite = Hooks & {
  readonly name: string;
  readonly parent: Suite | null;
  readonly children: (Suite | RecordedTest)[];
};
type RecordedTest = { readonly id: string; readonly file: string; readonly work: Work };
export type TestOutcome = {
  readonly id: string;
  readonly file: string;
  readonly ms: number;
  readonly failure: string | null;
};

/** The name under which the real vitest is found where this file has taken its place. */
export const ASSERTIONS: string = 'vitest-itself';

// The assertions ask the worker of vitest for little more than that it exists.
Object.assign(globalThis, {
  __vitest_worker__: { ctx: {}, config: { snapshotOptions: {}, expect: {} }, filepath: '' },
});
export const { expect, vi } = (await import(ASSERTIONS)) as { expect: unknown; vi: unknown };

const files: Suite[] = [];
let current = aSuite('', null);

function aSuite(name: string, parent: Suite | null): Suite {
  return { name, parent, children: [], beforeAll: [], afterAll: [], beforeEach: [], afterEach: [] };
}

/** Everything that is declared until the next call belongs to this file. */
export function beginFile(file: string): void {
  current = aSuite(file, null);
  files.push(current);
}

export function describe(name: string, declare: () => void): void {
  const outer = current;
  current = aSuite(name, outer);
  outer.children.push(current);
  declare();
  current = outer;
}

/** Between name and work there may be options, such as a longer limit of time. */
export function it(name: string, ...rest: readonly unknown[]): void {
  const work = rest.find((each) => typeof each === 'function') as Work;
  const path = [name];
  let suite: Suite = current;
  for (; suite.parent !== null; suite = suite.parent) path.unshift(suite.name);
  current.children.push({ id: `${suite.name}: ${path.join(' > ')}`, file: suite.name, work });
}

it.each =
  (rows: readonly unknown[]) =>
  (name: string, work: (...values: unknown[]) => unknown): void => {
    for (const [index, row] of rows.entries()) {
      const values = Array.isArray(row) ? row : [row];
      it(`${format(name, ...values)} (${index})`, () => work(...values));
    }
  };

export const beforeAll = (work: Work): void => void current.beforeAll.push(work);
export const afterAll = (work: Work): void => void current.afterAll.push(work);
export const beforeEach = (work: Work): void => void current.beforeEach.push(work);
export const afterEach = (work: Work): void => void current.afterEach.push(work);

export type RunTests = {
  readonly wants: (id: string) => boolean;
  readonly stopsAtFailure: boolean;
  readonly onTest: (id: string | undefined) => void;
};

export async function runTests(options: RunTests): Promise<TestOutcome[]> {
  const outcomes: TestOutcome[] = [];
  for (const file of files) {
    if (hasWanted(file, options) && !(await runSuite(file, options, outcomes))) break;
  }
  return outcomes;
}

/** From now on the quickest files come first: most mutants are noticed by them. */
export function orderFiles(outcomes: readonly TestOutcome[]): void {
  const msOf = ({ name }: Suite): number =>
    outcomes.filter(({ file }) => file === name).reduce((sum, { ms }) => sum + ms, 0);
  files.sort((one, other) => msOf(one) - msOf(other));
}

function hasWanted({ children }: Suite, options: RunTests): boolean {
  return children.some((child) => ('work' in child ? options.wants(child.id) : hasWanted(child, options)));
}

/** False where a failure ends the run. */
async function runSuite(suite: Suite, options: RunTests, outcomes: TestOutcome[]): Promise<boolean> {
  const before = outcomes.length;
  try {
    for (const work of suite.beforeAll) await work();
    for (const child of suite.children) {
      if ('work' in child) {
        if (!options.wants(child.id)) continue;
        const outcome = await runTest(suite, child, options);
        outcomes.push(outcome);
        if (outcome.failure !== null && options.stopsAtFailure) return false;
      } else if (hasWanted(child, options) && !(await runSuite(child, options, outcomes))) return false;
    }
    return true;
  } catch (error) {
    outcomes.push({ id: firstOf(suite, options), file: '', ms: 0, failure: String(error) });
    return !options.stopsAtFailure && outcomes.length > before;
  } finally {
    for (const work of suite.afterAll) await work();
  }
}

function firstOf({ children }: Suite, options: RunTests): string {
  for (const child of children) {
    if ('work' in child ? options.wants(child.id) : hasWanted(child, options))
      return 'work' in child ? child.id : firstOf(child, options);
  }
  return '';
}

async function runTest(suite: Suite, { id, file, work }: RecordedTest, options: RunTests): Promise<TestOutcome> {
  const around: Suite[] = [];
  for (let each: Suite | null = suite; each !== null; each = each.parent) around.unshift(each);
  const began = performance.now();
  let failure: string | null = null;
  options.onTest(id);
  try {
    for (const hook of around.flatMap(({ beforeEach: hooks }) => hooks)) await hook();
    await work();
  } catch (error) {
    failure = error instanceof Error ? error.message : String(error);
  }
  try {
    for (const hook of around.toReversed().flatMap(({ afterEach: hooks }) => hooks)) await hook();
  } catch (error) {
    failure ??= String(error);
  }
  options.onTest(undefined);
  return { id, file, ms: performance.now() - began, failure };
}
