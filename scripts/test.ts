/**
 * `npm test`: checks, then unit tests mixed with tests on a database, then tests in a browser. A failing stage does not
 * hide the ones after it. What failed is named at the end; the last line is `N passed, N failed`. `npm test -- checks
 * unit` runs only the named stages.
 */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './bootstrap.mjs';
import { ensureBrowser } from './browser.ts';
import { runChecks } from './checks.ts';
import { printCheck } from './print-check.ts';
import { makeTestFolder } from './test-folder.ts';
import { add, none, playwrightTotals, vitestTotals, type Totals } from './test-totals.ts';
import { TOTALS_FILE } from './totals-reporter.ts';

const folder = makeTestFolder();
const running = new Set<ReturnType<typeof spawn>>();
let interrupted = false;
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
  process.on(signal, () => {
    interrupted = true;
    for (const child of running) child.kill(signal);
  });
}

function run(
  program: string,
  args: readonly string[],
  environment: Record<string, string> = {},
): Promise<number | null> {
  return new Promise((resolve) => {
    const child = spawn(join(root, 'node_modules', '.bin', program), args, {
      cwd: root,
      env: { ...process.env, TMPDIR: folder, ...environment },
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    running.add(child);
    child.once('error', () => resolve(null));
    child.once('close', (code) => {
      running.delete(child);
      resolve(code);
    });
  });
}

function report(name: string): { file: string; read: () => string | undefined } {
  const file = join(folder, `${name}.json`);
  return { file, read: () => (existsSync(file) ? readFileSync(file, 'utf8') : undefined) };
}

async function checkAll(): Promise<Totals> {
  let totals = none;
  for await (const result of runChecks(root)) {
    if (interrupted) break;
    printCheck(result);
    totals = add(totals, result.ok ? { passed: 1, failures: [] } : { passed: 0, failures: [`check: ${result.name}`] });
  }
  return totals;
}

async function runVitest(...projects: ('unit' | 'db')[]): Promise<Totals> {
  const name = projects.join(' and ');
  const { file, read } = report(projects.join('-'));
  const reporters = ['--reporter=default', '--reporter=./scripts/totals-reporter.ts'];
  const args = ['run', ...projects.map((project) => `--project=${project}`), ...reporters];
  const code = await run('vitest', args, { [TOTALS_FILE]: file });
  return vitestTotals(name, read(), code);
}

async function runBrowser(): Promise<Totals> {
  const { ok, reason } = ensureBrowser();
  if (!ok) return { passed: 0, failures: [`browser: ${reason}`] };
  const { file, read } = report('browser');
  const code = await run('playwright', ['test', '--config', 'e2e/playwright.config.ts'], {
    PLAYWRIGHT_JSON_OUTPUT_FILE: file,
    PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD: '1',
  });
  return playwrightTotals('browser', read(), code);
}

const stages: Readonly<Record<string, { title: string; run: () => Promise<Totals> }>> = {
  checks: { title: 'Checks', run: checkAll },
  tests: { title: 'Unit tests and tests on a database', run: () => runVitest('unit', 'db') },
  unit: { title: 'Unit tests', run: () => runVitest('unit') },
  db: { title: 'Tests on a database', run: () => runVitest('db') },
  browser: { title: 'Tests in a browser', run: runBrowser },
};

const wanted = process.argv.length > 2 ? process.argv.slice(2) : ['checks', 'tests', 'browser'];
const unknown = wanted.find((name) => stages[name] === undefined);
if (unknown !== undefined) {
  process.stderr.write(`There is no stage "${unknown}"; choose from ${Object.keys(stages).join(', ')}.\n`);
  process.exit(1);
}

let totals = none;
for (const [name, stage] of Object.entries(stages)) {
  if (interrupted || !wanted.includes(name)) continue;
  process.stdout.write(`\n== ${stage.title}\n`);
  totals = add(totals, await stage.run());
}
rmSync(folder, { recursive: true, force: true });
if (interrupted) totals = add(totals, { passed: 0, failures: ['interrupted'] });
process.stdout.write('\n');
for (const failure of totals.failures) process.stdout.write(`FAILED ${failure.replace(`${root}/`, '')}\n`);
process.stdout.write(`${totals.passed} passed, ${totals.failures.length} failed\n`);
process.exit(totals.failures.length === 0 ? 0 : 1);
