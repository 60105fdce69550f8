import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fail, pinnedEnvironment, pinnedNode, root } from './bootstrap.mjs';

const inputs = ['apps/web', 'packages/domain', 'packages/contract', 'packages/verify'];
const ignored = new Set(['node_modules', 'dist', 'test-results']);

function* filesBelow(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (ignored.has(entry.name)) continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesBelow(path);
    else if (!/\.test\.tsx?$/.test(entry.name)) yield path;
  }
}

/** Changes whenever the built web app would. */
export function webInputsStamp(project) {
  const hash = createHash('sha256');
  const folders = inputs.map((folder) => join(project, folder)).filter((folder) => existsSync(folder));
  for (const file of [...folders.flatMap((folder) => [...filesBelow(folder)]), join(project, 'package-lock.json')]) {
    if (existsSync(file)) hash.update(relative(project, file)).update('\0').update(readFileSync(file)).update('\0');
  }
  return hash.digest('hex');
}

/** Builds the web app where its sources changed since the last time. */
export function ensureWebBuilt() {
  const web = join(root, 'apps', 'web');
  const built = join(web, 'dist');
  const cache = join(root, 'node_modules', '.cache', 'hunter');
  const stampFile = join(cache, 'web.stamp');
  const stamp = webInputsStamp(root);
  if (existsSync(join(built, 'index.html')) && existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp)
    return;
  process.stdout.write('Building the web app.\n');
  mkdirSync(cache, { recursive: true });
  // Built aside and then renamed: an instance that is running never serves half a build.
  const fresh = join(cache, `web-${process.pid}`);
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js');
  const result = spawnSync(pinnedNode(), [vite, 'build', '--outDir', fresh, '--emptyOutDir', '--logLevel', 'warn'], {
    cwd: web,
    env: { ...pinnedEnvironment(), NODE_ENV: 'production' },
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
  });
  if (result.status !== 0) {
    rmSync(fresh, { recursive: true, force: true });
    process.stderr.write(result.stderr || '');
    fail('Hunter could not build its web app; the lines above say why.');
  }
  const old = join(cache, `web-old-${process.pid}`);
  if (existsSync(built)) renameSync(built, old);
  renameSync(fresh, built);
  rmSync(old, { recursive: true, force: true });
  writeFileSync(stampFile, stamp);
}
