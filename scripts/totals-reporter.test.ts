import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { root } from './bootstrap.mjs';
import { TOTALS_FILE } from './totals-reporter.ts';

const folder = mkdtempSync(join(tmpdir(), 'hunter-totals-'));
afterAll(() => rmSync(folder, { recursive: true }));

function write(name: string, lines: string): void {
  writeFileSync(join(folder, name), `import { afterAll, beforeAll, describe, it } from 'vitest';\n${lines}\n`);
}

it('names every test and every group that failed in a run of vitest, each with its reason', () => {
  const fail = (reason: string): string => `() => { throw new Error('${reason}\\nin more words'); }`;
  write(
    'tests.test.ts',
    `it('holds', () => {});\ndescribe('a sum', () => { it('is negative', ${fail('1 is not -1')}); });`,
  );
  write('hooks.test.ts', `describe('a world', () => { beforeAll(${fail('port taken')}); it('turns', () => {}); });`);
  write('end.test.ts', `it('holds too', () => {}); afterAll(${fail('still busy')});`);
  write('load.test.ts', `throw new Error('no such module');`);
  write('stray.test.ts', `it('holds as well', () => { void Promise.reject(new Error('nobody waits')); });`);
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  const totals = join(folder, 'totals.json');
  const reporter = `--reporter=${join(root, 'scripts/totals-reporter.ts')}`;
  const { status } = spawnSync(join(root, 'node_modules/.bin/vitest'), ['run', '--root', folder, reporter], {
    env: { ...process.env, [TOTALS_FILE]: totals },
    stdio: 'ignore',
  });
  expect(status).toBe(1);
  const { passed, failures } = JSON.parse(readFileSync(totals, 'utf8')) as { passed: number; failures: string[] };
  expect(passed).toBe(3);
  expect(failures.map((line) => line.replace(`${folder}/`, '')).sort()).toEqual([
    'end.test.ts: could not be prepared or ended: still busy',
    'hooks.test.ts: a world: could not be prepared or ended: port taken',
    'load.test.ts: could not be prepared or ended: no such module',
    'tests.test.ts: a sum > is negative: 1 is not -1',
    'thrown outside of a test: nobody waits',
  ]);
});
