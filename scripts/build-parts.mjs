// What is built before the product starts: the web app, and server and local chain as a few files instead of a thousand modules.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join, relative } from 'node:path';
import { fail, pinnedEnvironment, pinnedNode, root } from './bootstrap.mjs';

const bundle = (outDir) => ['rolldown/bin/cli.mjs', '--config', 'rolldown.config.mjs', '--dir', outDir];

export const parts = [
  {
    name: 'web',
    says: 'the web app',
    inputs: ['apps/web', 'packages/domain', 'packages/contract', 'packages/verify'],
    result: 'index.html',
    hashed: 'assets',
    command: (outDir) => ['vite/bin/vite.js', 'build', '--outDir', outDir, '--emptyOutDir', '--logLevel', 'warn'],
  },
  {
    name: 'server',
    says: 'the server',
    inputs: ['apps/server', 'packages', 'scripts/built-part.mjs'],
    result: 'main.js',
    command: bundle,
  },
  {
    name: 'localnet',
    says: 'the local chain',
    inputs: ['apps/localnet', 'packages', 'scripts/built-part.mjs'],
    result: 'main.js',
    command: bundle,
  },
];

const ignored = new Set(['node_modules', 'dist', 'test-results']);
/** In each build: what it was built from, and the hashed files that it made itself. */
const RECORD = '.built.json';

function* filesBelow(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (ignored.has(entry.name)) continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesBelow(path);
    else if (!/\.test\.tsx?$/.test(entry.name)) yield path;
  }
}

/** Changes whenever a file was written that is built from these files and folders. Reading them all would take every start four times as long. */
export function buildStamp(project, inputs) {
  const hash = createHash('sha256');
  const found = [...inputs, 'package-lock.json']
    .map((input) => join(project, input))
    .filter((path) => existsSync(path));
  for (const file of found.flatMap((path) => (statSync(path).isDirectory() ? [...filesBelow(path)] : [path]))) {
    const { size, mtimeMs } = statSync(file);
    hash.update(`${relative(project, file)}\0${size}\0${mtimeMs}\0`);
  }
  return hash.digest('hex');
}

/** Builds what changed since the last time. */
export function ensureBuilt(project = root, wanted = parts) {
  // For other users to read, whatever the mask of the shell or the unit: started by root, the server has a user of its own.
  const mask = process.umask(0o022);
  for (const part of wanted) ensurePartBuilt(project, part);
  process.umask(mask);
}

function ensurePartBuilt(project, { name, says, inputs, result, hashed, command }) {
  const folder = join(project, 'apps', name);
  const built = join(folder, 'dist');
  const stamp = buildStamp(project, inputs);
  const before = recordOf(built);
  if (existsSync(join(built, result)) && before?.stamp === stamp) return;
  process.stdout.write(`Building ${says}.\n`);
  const cache = join(project, 'node_modules', '.cache', 'hunter');
  mkdirSync(cache, { recursive: true });
  // Built aside and then renamed: an instance that is running never uses half a build.
  const fresh = join(cache, `${name}-${process.pid}`);
  const [program, ...args] = command(fresh);
  const { status, stderr } = spawnSync(pinnedNode(project), [join(project, 'node_modules', program), ...args], {
    cwd: folder,
    env: { ...pinnedEnvironment(project), NODE_ENV: 'production' },
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
  });
  if (status !== 0) {
    rmSync(fresh, { recursive: true, force: true });
    process.stderr.write(stderr || '');
    fail(`Hunter could not build ${says}; the lines above say why.`);
  }
  const own = hashed ? readdirSync(join(fresh, hashed)) : [];
  if (hashed) keepBefore(join(built, hashed), before?.own ?? [], join(fresh, hashed));
  writeFileSync(join(fresh, RECORD), JSON.stringify({ stamp, own }));
  putInPlace(fresh, built, join(cache, `${name}-old-${process.pid}`));
}

/** What a build says about itself stands in it, and so goes wherever it goes. */
function recordOf(built) {
  try {
    return JSON.parse(readFileSync(join(built, RECORD), 'utf8'));
  } catch {
    return null;
  }
}

/** An instance that runs on, and each page that is open, still asks for the files of the build before, by names that hold their hash. */
function keepBefore(from, names, to) {
  for (const name of names) {
    if (existsSync(join(from, name)) && !existsSync(join(to, name))) copyFileSync(join(from, name), join(to, name));
  }
}

function putInPlace(fresh, built, old) {
  // Left by a start that was killed, whose process id this one has again, as in a container.
  rmSync(old, { recursive: true, force: true });
  try {
    if (existsSync(built)) renameSync(built, old);
    renameSync(fresh, built);
  } catch (error) {
    // Another start has put its own build there at the same moment.
    if (!['ENOENT', 'ENOTEMPTY', 'EEXIST'].includes(error.code)) throw error;
    rmSync(fresh, { recursive: true, force: true });
  }
  rmSync(old, { recursive: true, force: true });
}
