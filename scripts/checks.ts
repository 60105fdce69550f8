import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { misplacedFaults } from '../proofs/src/planted-faults/all-faults.ts';
import { checkCoverage } from './check-coverage.ts';
import { checkCpuKinds } from './check-cpu-kinds.ts';
import { checkDeploy } from './check-deploy.ts';
import { checkDocs } from './check-docs.ts';
import { checkImports } from './check-imports.ts';
import { checkMigrations } from './check-migrations.ts';
import { checkText } from './check-text.ts';
import { checkTime } from './check-time.ts';
import { checkTableOwners } from './table-owners.ts';
import { checkEnvironmentTable } from './environment-table.ts';

export type CheckResult = { readonly name: string; readonly ok: boolean; readonly output: string };
export type Check = { readonly name: string; run(project: string): Promise<CheckResult> };

function command(name: string, program: string, args: readonly string[], needs?: string): Check {
  return {
    name,
    run: (project) =>
      new Promise((resolve) => {
        if (needs !== undefined && !existsSync(join(project, needs))) {
          resolve({ name, ok: false, output: `${needs} is missing` });
          return;
        }
        const child = spawn(join(project, 'node_modules', '.bin', program), args, {
          cwd: project,
          stdio: ['ignore', 'pipe', 'pipe'],
        });
        let output = '';
        const collect = (chunk: Buffer): void => void (output += chunk.toString());
        child.stdout.on('data', collect);
        child.stderr.on('data', collect);
        child.once('error', (error) => resolve({ name, ok: false, output: error.message }));
        child.once('close', (code) => resolve({ name, ok: code === 0, output: code === 0 ? '' : output }));
      }),
  };
}

function rule(name: string, find: (project: string) => string[]): Check {
  return {
    name,
    run: (project) => {
      const complaints = find(project);
      return Promise.resolve({ name, ok: complaints.length === 0, output: complaints.join('\n') });
    },
  };
}

const coverage: Check = {
  name: 'spec coverage',
  run: (project) => {
    const { complaints, covered, notBuilt } = checkCoverage(project);
    const output = [...complaints, `${covered} promises have tests, ${notBuilt} are not built yet`].join('\n');
    return Promise.resolve({ name: 'spec coverage', ok: complaints.length === 0, output });
  },
};

/** In the order in which they are worth reading. */
export const checks: readonly Check[] = [
  command('types', 'tsc', ['-p', 'tsconfig.json']),
  command('types of the web app', 'tsc', ['-p', 'apps/web'], 'apps/web/tsconfig.json'),
  command('types of the web build', 'tsc', ['-p', 'apps/web/build-steps'], 'apps/web/build-steps/tsconfig.json'),
  command('types of the browser tests', 'tsc', ['-p', 'e2e'], 'e2e/tsconfig.json'),
  command('lint', 'oxlint', ['--type-aware']),
  command('format', 'oxfmt', ['--check', '.']),
  command('files, exports and packages that nobody uses', 'knip', ['--no-progress']),
  command('domain that only tests use', 'knip', [
    '--no-progress',
    '--production',
    '--workspace=packages/domain',
    '--include=files,exports,types',
  ]),
  command('copied code', 'jscpd', ['--config=.jscpd.json', '--exit-code=1', '--silent', '.']),
  command('first load of the web app', 'node', ['bench/src/main.ts', 'bundle']),
  rule('import rules', checkImports),
  rule('table owners', checkTableOwners),
  rule('one source of time', checkTime),
  rule('operators’ files', checkDeploy),
  rule('documents', checkDocs),
  rule('migrations', checkMigrations),
  rule('both CPU kinds', checkCpuKinds),
  rule('environment table', checkEnvironmentTable),
  rule('planted faults', misplacedFaults),
  rule('text', checkText),
  coverage,
];

/** Two at a time, whatever order they end in; each is told in its turn. */
export async function* runChecks(project: string): AsyncGenerator<CheckResult> {
  const turns = checks.map((check) => ({ check, ...Promise.withResolvers<CheckResult>() }));
  const waiting = turns.values();
  const work = async (): Promise<void> => {
    for (const { check, resolve } of waiting) resolve(await check.run(project));
  };
  const done = Promise.all([work(), work()]);
  for (const { promise } of turns) yield await Promise.race([promise, done.then(() => promise)]);
}
