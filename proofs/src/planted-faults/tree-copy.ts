import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { projectFiles } from '../../../scripts/project-files.ts';
import type { Fault } from './fault.ts';

/** `passed`, `failed`, or `absent` where the test did not run at all. */
export type Outcome = 'passed' | 'failed' | 'absent';

/**
 * The sources in a folder of their own, so that a fault never stands in the tree somebody works in. Packages from outside are linked;
 * the project's own are the copy's.
 */
export class TreeCopy {
  readonly folder = mkdtempSync(join(tmpdir(), 'hunter-planted-'));

  constructor(project: string) {
    for (const file of projectFiles(project)) {
      mkdirSync(dirname(join(this.folder, file)), { recursive: true });
      cpSync(join(project, file), join(this.folder, file));
    }
    const packages = join(project, 'node_modules');
    mkdirSync(join(this.folder, 'node_modules'));
    for (const name of readdirSync(packages)) {
      if (name !== '@hunter') symlinkSync(join(packages, name), join(this.folder, 'node_modules', name));
    }
    cpSync(join(packages, '@hunter'), join(this.folder, 'node_modules', '@hunter'), {
      recursive: true,
      verbatimSymlinks: true,
    });
  }

  /** Runs `work` with the fault planted. */
  async with<T>({ file, find, replace }: Fault, work: () => Promise<T>): Promise<T> {
    const path = join(this.folder, file);
    const original = readFileSync(path, 'utf8');
    writeFileSync(
      path,
      original.replace(find, () => replace),
    );
    try {
      return await work();
    } finally {
      writeFileSync(path, original);
    }
  }

  /** How the named tests ended, in the order of the faults that name them. */
  async outcomes(faults: readonly Fault[]): Promise<Outcome[]> {
    const results = new Map<string, Outcome>();
    const isDatabase = ({ test }: Fault): boolean => test.endsWith('.db.test.ts');
    for (const [project, some] of [
      ['unit', faults.filter((fault) => !isDatabase(fault))],
      ['db', faults.filter(isDatabase)],
    ] as const) {
      if (some.length > 0) for (const [key, outcome] of await this.#run(project, some)) results.set(key, outcome);
    }
    return faults.map(({ test, title }) => results.get(`${test} ${title}`) ?? 'absent');
  }

  async #run(project: 'unit' | 'db', faults: readonly Fault[]): Promise<Map<string, Outcome>> {
    const report = join(this.folder, `report-${project}.json`);
    const files = [...new Set(faults.map(({ test }) => test))];
    const titles = faults.map(({ title }) => title.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
    const args = ['run', `--project=${project}`, '--reporter=json', `--outputFile=${report}`, '-t', titles.join('|')];
    const child = spawn(join(this.folder, 'node_modules', '.bin', 'vitest'), [...args, ...files], {
      cwd: this.folder,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let complaints = '';
    child.stderr.on('data', (chunk: Buffer) => (complaints = `${complaints}${chunk.toString()}`.slice(-4_000)));
    await new Promise((resolve) => child.once('close', resolve));
    return readReport(this.folder, report, complaints);
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

type Report = {
  testResults: { name: string; assertionResults: { title: string; status: string }[] }[];
};

function readReport(folder: string, file: string, complaints: string): Map<string, Outcome> {
  let report: Report;
  try {
    report = JSON.parse(readFileSync(file, 'utf8')) as Report;
  } catch {
    throw new Error(`vitest gave no report:\n${complaints}`);
  }
  rmSync(file);
  const outcomes = new Map<string, Outcome>();
  for (const { name, assertionResults } of report.testResults) {
    for (const { title, status } of assertionResults) {
      if (status === 'passed' || status === 'failed') outcomes.set(`${name.slice(folder.length + 1)} ${title}`, status);
    }
  }
  return outcomes;
}
