/**
 * Runs tests for Stryker in its own process, loaded once: a mutant is switched on by a number while they run. That costs a tenth of
 * what loading everything again for every mutant does. Mutants that only act while a module loads are left out (`ignoreStatic`).
 */
import { globSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { RunTests, TestOutcome } from './recorded-tests.ts';

type Recorded = typeof import('./recorded-tests.ts');
type Coverage = { static: Record<string, number>; perTest: Record<string, Record<string, number>> };
type Namespace = {
  activeMutant?: string | undefined;
  currentTestId?: string | undefined;
  hitCount?: number | undefined;
  hitLimit?: number | undefined;
  mutantCoverage?: Coverage;
};
type MutantRun = {
  readonly activeMutant: { readonly id: string };
  readonly testFilter?: readonly string[];
  readonly hitLimit?: number;
};

/** What instrumented code reads. */
const namespace: Namespace = ((globalThis as { __stryker__?: Namespace }).__stryker__ ??= {});
const shim = new URL('./recorded-tests.ts', import.meta.url).href;
let recorded: Recorded;

const runner = {
  capabilities: () => ({ reloadEnvironment: false }),

  async init(): Promise<void> {
    registerHooks({
      resolve: (specifier, context, next) => {
        if (specifier === 'vitest') return { url: shim, shortCircuit: true };
        return next(specifier === 'vitest-itself' ? 'vitest' : specifier, context);
      },
    });
    await import('./fixed-seed.ts');
    recorded = (await import(shim)) as Recorded;
    for (const file of globSync((process.env['MUTANT_TESTS'] ?? '').split(',')).toSorted()) {
      recorded.beginFile(file);
      await import(pathToFileURL(join(process.cwd(), file)).href);
    }
  },

  async dryRun(): Promise<object> {
    const outcomes = await run({ wants: () => true, stopsAtFailure: false });
    const { mutantCoverage } = structuredClone(namespace);
    // A test that fails when it runs again would seem to notice every mutant.
    const again = await run({ wants: () => true, stopsAtFailure: false });
    const failed = again.filter(({ failure }) => failure !== null);
    recorded.orderFiles(outcomes);
    return { status: 'complete', tests: [...outcomes, ...failed].map(resultOf), mutantCoverage };
  },

  async mutantRun({ activeMutant, testFilter, hitLimit }: MutantRun): Promise<object> {
    Object.assign(namespace, {
      activeMutant: activeMutant.id,
      hitCount: hitLimit === undefined ? undefined : 0,
      hitLimit,
    });
    const wanted = testFilter && new Set(testFilter);
    const outcomes = await run({ wants: (id) => wanted?.has(id) ?? true, stopsAtFailure: true });
    const hits = namespace.hitCount;
    Object.assign(namespace, { activeMutant: undefined, hitCount: undefined, hitLimit: undefined });
    if (hits !== undefined && hits > hitLimit!) return { status: 'timeout', reason: 'hit limit reached' };
    const failed = outcomes.find(({ failure }) => failure !== null);
    if (failed === undefined) return { status: 'survived', nrOfTests: outcomes.length };
    return { status: 'killed', killedBy: [failed.id], failureMessage: failed.failure, nrOfTests: outcomes.length };
  },
};

function run(options: Omit<RunTests, 'onTest'>): Promise<TestOutcome[]> {
  return recorded.runTests({ ...options, onTest: (id) => (namespace.currentTestId = id) });
}

function resultOf({ id, file, ms, failure }: TestOutcome): object {
  const test = { id, name: id, fileName: join(process.cwd(), file), timeSpentMs: ms };
  return failure === null ? { ...test, status: 0 } : { ...test, status: 1, failureMessage: failure };
}

export const strykerPlugins = [{ kind: 'TestRunner', name: 'in-process', value: runner }];
