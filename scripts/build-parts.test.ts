import { spawnSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { readMigrationFiles } from '../apps/server/src/platform/migration-files.ts';
import { pinnedNode, root } from './bootstrap.mjs';
import { buildStamp, ensureBuilt, parts } from './build-parts.mjs';

let project: string;
const folders = ['apps/server', 'packages'];
const write = (file: string, text: string): void => {
  mkdirSync(join(project, file, '..'), { recursive: true });
  writeFileSync(join(project, file), text);
};

beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), 'hunter-build-'));
  write('apps/server/src/main.ts', 'one');
  write('packages/domain/src/rule.ts', 'two');
  write('package-lock.json', '{}');
});
afterEach(() => rmSync(project, { recursive: true }));

describe('what was built', () => {
  it('is built again once a source, the set of sources, a migration or a package has changed', () => {
    const stamps = [buildStamp(project, folders)];
    write('packages/domain/src/rule.ts', 'three');
    stamps.push(buildStamp(project, folders));
    write('packages/domain/src/other.ts', '');
    stamps.push(buildStamp(project, folders));
    rmSync(join(project, 'apps/server/src/main.ts'));
    stamps.push(buildStamp(project, folders));
    write('apps/server/migrations/0001-first.sql', '');
    stamps.push(buildStamp(project, folders));
    write('package-lock.json', '{ }');
    stamps.push(buildStamp(project, folders));
    expect(new Set(stamps).size).toBe(stamps.length);
  });

  it('is built again after a change that kept the length', () => {
    const before = buildStamp(project, folders);
    write('apps/server/src/main.ts', 'two');
    utimesSync(join(project, 'apps/server/src/main.ts'), 1, 1);
    expect(buildStamp(project, folders)).not.toBe(before);
  });

  it('stays for tests, for what was built before, and for folders of others', () => {
    const before = buildStamp(project, folders);
    write('apps/server/src/main.test.ts', 'x');
    write('apps/server/dist/main.js', 'x');
    write('apps/server/node_modules/pg/index.js', 'x');
    write('apps/web/src/main.tsx', 'x');
    expect(buildStamp(project, folders)).toBe(before);
  });
});

describe('a build', () => {
  const page = {
    name: 'web',
    says: 'a page',
    inputs: ['apps/web'],
    result: 'index.html',
    hashed: 'assets',
    command: (outDir: string) => ['builder.mjs', outDir],
  };
  const dist = (file: string): string => join(project, 'apps/web/dist', file);
  const build = (text: string): void => {
    write('apps/web/page.txt', text);
    ensureBuilt(project, [page]);
  };
  let mask: number;

  beforeEach(() => {
    write(
      'node_modules/builder.mjs',
      `import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
       const [, , outDir] = process.argv;
       const text = readFileSync('page.txt', 'utf8');
       mkdirSync(outDir + '/assets', { recursive: true });
       writeFileSync(outDir + '/assets/' + text + '.js', text);
       writeFileSync(outDir + '/index.html', text);`,
    );
    mkdirSync(join(project, 'node_modules/.bin'));
    symlinkSync(process.execPath, join(project, 'node_modules/.bin/node'));
    vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    mask = process.umask();
  });
  afterEach(() => {
    process.umask(mask);
    vi.restoreAllMocks();
  });

  it('is made once for the same sources', () => {
    build('one');
    write('apps/web/dist/index.html', 'touched');
    ensureBuilt(project, [page]);
    expect(readFileSync(dist('index.html'), 'utf8')).toBe('touched');
    build('two');
    expect(readFileSync(dist('index.html'), 'utf8')).toBe('two');
  });

  it('can be read by other users under any mask, which stays as it was', () => {
    process.umask(0o077);
    build('one');
    expect(['', 'assets', 'index.html', 'assets/one.js'].map((file) => statSync(dist(file)).mode & 0o777)).toEqual([
      0o755, 0o755, 0o644, 0o644,
    ]);
    expect(process.umask()).toBe(0o077);
  });

  it('has the scripts of the one before, which an instance that runs still names, and no older ones', () => {
    build('one');
    build('two');
    expect(readdirSync(dist('assets'))).toEqual(['one.js', 'two.js']);
    build('three');
    expect(readdirSync(dist('assets'))).toEqual(['three.js', 'two.js']);
  });

  it('takes the place of the one before also where a killed start with this process id has left its own', () => {
    build('one');
    write(`node_modules/.cache/hunter/web-old-${process.pid}/index.html`, 'older');
    build('two');
    expect(readFileSync(dist('index.html'), 'utf8')).toBe('two');
    expect(readdirSync(join(project, 'node_modules/.cache/hunter'))).toEqual([]);
  });
});

it('gives a built server the migrations that it was built with, whatever stands in the folder when it starts', async () => {
  const server = join(root, 'apps/server');
  write(
    'rolldown.config.mjs',
    `import server from ${JSON.stringify(join(server, 'rolldown.config.mjs'))};
     export default { ...server, input: ${JSON.stringify(join(server, 'src/platform/own-migrations.ts'))} };`,
  );
  const run = (...args: string[]) => spawnSync(pinnedNode(), args, { cwd: project, encoding: 'utf8' });
  const config = join(project, 'rolldown.config.mjs');
  const built = run(join(root, 'node_modules/rolldown/bin/cli.mjs'), '--config', config, '--dir', 'apps/server/dist');
  expect(built.status, built.stderr).toBe(0);
  write('apps/server/migrations/0999-of-a-newer-version.sql', '');
  const module = join(project, 'apps/server/dist/own-migrations.js');
  const print = `import(${JSON.stringify(module)}).then(async ({ ownMigrations }) => process.stdout.write(
    JSON.stringify(await ownMigrations())))`;
  const { stdout } = run('-e', print);
  expect(JSON.parse(stdout)).toEqual(await readMigrationFiles(join(server, 'migrations')));
});

it('loads nothing from the built server once it runs: by then another build may stand there', () => {
  const outDir = mkdtempSync(join(tmpdir(), 'hunter-build-'));
  const [program, ...args] = parts.find(({ name }) => name === 'server')!.command(outDir);
  const options = { cwd: join(root, 'apps/server'), encoding: 'utf8' } as const;
  const { status, stderr } = spawnSync(pinnedNode(), [join(root, 'node_modules', program!), ...args], options);
  expect(status, stderr).toBe(0);
  const code = readdirSync(outDir).map((file) => readFileSync(join(outDir, file), 'utf8'));
  rmSync(outDir, { recursive: true });
  const later = code.flatMap((text) => [...text.matchAll(/\bimport\("(\.\/[^"]+\.js)"/g)].map(([, file]) => file));
  const withTheStart = ['./nodemailer.js', './tracer.js', './transport-node.js'];
  expect(new Set(later)).toEqual(new Set(withTheStart));
});
