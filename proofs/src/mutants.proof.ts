/**
 * Every line of the rules matters to a test: one operator, text or condition after the other is changed, and a test must fail. Takes
 * the parts to run (domain, copying, trading, signer …), all of them unless told, or single files of a part (domain/swap-maths); a
 * part remembers what it has run and repeats only what changed. MUTANT_WORKERS processes share the work, two unless told.
 */
import { existsSync, globSync, mkdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Stryker } from '@stryker-mutator/core';
import type { Figures } from '../../scripts/run-named.ts';
import { equivalentMutants } from './mutants/equivalent-mutants.ts';
import { type MutantPart, mutantParts } from './mutants/parts.ts';
import { countMutants, printTable, type MutationReport, type PartScore } from './mutants/score.ts';

const root = join(import.meta.dirname, '../..');
const cache = join(root, '.cache/mutants');

export default async function proveMutants(names: readonly string[]): Promise<Figures> {
  const chosen = names.length > 0 ? names : Object.keys(mutantParts);
  const scores: Record<string, PartScore> = {};
  for (const name of chosen) {
    const [partName = '', file] = name.split('/');
    const part = mutantParts[partName];
    if (!part) throw new Error(`there is no part "${partName}"; the parts are ${Object.keys(mutantParts).join(', ')}`);
    const files = file === undefined ? part.mutate : [fileOf(part, file)];
    // A file with tests of its own answers to them alone, which is stricter and much faster.
    const own = files[0]!.replace(/\.ts$/, '.test.ts');
    const tests = file !== undefined && existsSync(join(root, own)) ? [own] : part.tests;
    const report = await mutate(name.replace('/', '-'), files, tests);
    const score = countMutants(report, part, equivalentMutants);
    process.stdout.write(printTable(name, score));
    scores[name] = score;
  }
  const figures = Object.entries(scores).map(([name, { score, valid, equivalent, problems }]) => [
    name,
    { scorePercent: score, mutants: valid, equivalent, problems },
  ]);
  return { ...Object.fromEntries(figures), ok: Object.values(scores).every(({ problems }) => problems.length === 0) };
}

/** A file of the part by its name alone. */
function fileOf({ mutate: patterns }: MutantPart, name: string): string {
  const files = globSync([...patterns], { cwd: root });
  const found = files.find((path) => basename(path) === `${name}.ts`);
  if (found === undefined) throw new Error(`no file of that part is named "${name}"`);
  return found;
}

async function mutate(name: string, files: readonly string[], tests: readonly string[]): Promise<MutationReport> {
  mkdirSync(cache, { recursive: true });
  const fileName = join(cache, `${name}-report.json`);
  process.chdir(root);
  process.env['MUTANT_TESTS'] = tests.join(',');
  await new Stryker({
    mutate: [...files],
    // The mutator of patterns writes some that do not parse; every other one is on.
    mutator: { excludedMutations: ['Regex'] },
    // A mutant that is only reached while a module loads needs a run of its own for each: data tables, mostly.
    ignoreStatic: true,
    testRunner: 'in-process',
    coverageAnalysis: 'perTest',
    // The machine may have other work; the first run decides nothing.
    dryRunTimeoutMinutes: 20,
    ignorePatterns: [
      '**',
      '!packages',
      '!packages/**',
      '!apps',
      '!apps/server/**',
      '!apps/signer/**',
      '!proofs',
      '!proofs/src/mutants/**',
      '!scripts/**',
      '!package.json',
    ],
    // Stryker's preprocessor calls an API that TypeScript 7 no longer has; without a file it leaves the sources alone.
    tsconfigFile: 'proofs/src/mutants/none.json',
    tempDirName: '.cache/mutants/sandbox',
    incremental: true,
    incrementalFile: join(cache, `${name}.json`),
    reporters: ['json', 'progress-append-only'],
    jsonReporter: { fileName },
    concurrency: Number(process.env['MUTANT_WORKERS'] ?? 2),
    timeoutMS: 20_000,
    plugins: [join(import.meta.dirname, 'mutants/in-process-runner.ts')],
  }).runMutationTest();
  return JSON.parse(readFileSync(fileName, 'utf8')) as MutationReport;
}
