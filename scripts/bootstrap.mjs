// Plain JavaScript on built-ins: this runs under whatever Node the machine has, before anything is installed.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));
const NODE_MAJOR_MIN = 20;

/** Ends the command with one line that says what to do. */
export function fail(line) {
  process.stderr.write(`${line}\n`);
  process.exit(1);
}

export function nodeIsTooOld(version) {
  return Number(version.split('.')[0]) < NODE_MAJOR_MIN;
}

export function requireNode(version = process.versions.node) {
  if (nodeIsTooOld(version)) {
    fail(`Hunter needs Node ${NODE_MAJOR_MIN} or newer to install itself; this is Node ${version}.`);
  }
}

/** Every package.json of the project, the root's first. The workspace patterns end in `/*` or name a folder. */
export function manifests(project) {
  const { workspaces } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'));
  const folders = (workspaces || []).flatMap((pattern) => {
    if (!pattern.endsWith('/*')) return [pattern];
    const parent = pattern.slice(0, -2);
    if (!existsSync(join(project, parent))) return [];
    return readdirSync(join(project, parent)).map((name) => `${parent}/${name}`);
  });
  return ['.', ...folders.sort()]
    .map((folder) => join(project, folder, 'package.json'))
    .filter((file) => existsSync(file));
}

/** Changes whenever another set of packages would have to be installed. */
export function installStamp(project, platform = `${process.platform}-${process.arch}`) {
  const hash = createHash('sha256').update(platform);
  for (const file of [join(project, 'package-lock.json'), ...manifests(project)]) {
    hash.update('\0');
    if (existsSync(file)) hash.update(readFileSync(file));
  }
  return hash.digest('hex');
}

const stampFile = (project) => join(project, 'node_modules', '.hunter-installed');
export const pinnedNode = (project = root) => join(project, 'node_modules', '.bin', 'node');

export function isInstalled(project) {
  const file = stampFile(project);
  return existsSync(pinnedNode(project)) && existsSync(file) && readFileSync(file, 'utf8') === installStamp(project);
}

/** What npm's complaint means for the person who reads it. */
export function explainInstallFailure(complaint) {
  const code = (/npm (?:error|ERR!) code (\S+)/.exec(complaint) || [])[1];
  if (
    ['ENOTFOUND', 'EAI_AGAIN', 'ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'ENETUNREACH', 'ENOTCACHED'].includes(code)
  ) {
    return `the package registry cannot be reached (${code}); connect to the network and try again`;
  }
  const lines = complaint.split('\n').map((line) => line.replace(/^npm (error|ERR!) ?/, '').trim());
  const reason = lines.find((line) => line !== '' && !line.startsWith('code ') && !line.startsWith('npm warn'));
  return [code, reason].filter(Boolean).join(': ') || 'npm could not be run';
}

function npmInstall(project) {
  const npm = process.env.npm_execpath;
  const [file, ...first] = npm && /npm-cli\.c?js$/.test(npm) ? [process.execPath, npm] : ['npm'];
  const args = [...first, 'install', '--no-audit', '--no-fund', '--loglevel=error'];
  return new Promise((resolve) => {
    const child = spawn(file, args, {
      cwd: project,
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...process.env, PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD: '1' },
    });
    let complaint = '';
    child.stderr.on('data', (chunk) => (complaint += chunk));
    child.once('error', (error) => resolve({ ok: false, complaint: error.message }));
    child.once('close', (code) => resolve({ ok: code === 0, complaint }));
  });
}

export async function ensureInstalled(project = root) {
  if (isInstalled(project)) return;
  process.stdout.write('Installing dependencies. This takes about a minute and happens once.\n');
  const lockfile = join(project, 'package-lock.json');
  const locked = existsSync(lockfile) ? readFileSync(lockfile) : undefined;
  const { ok, complaint } = await npmInstall(project);
  // Starting the product never changes what it is made of: npm may have rewritten the lockfile for its own version.
  if (locked && !readFileSync(lockfile).equals(locked)) writeFileSync(lockfile, locked);
  if (!ok) fail(`Hunter could not install its dependencies: ${explainInstallFailure(complaint)}`);
  if (!existsSync(pinnedNode(project))) {
    fail(`Hunter could not install its dependencies: there is no Node package for ${process.platform}-${process.arch}`);
  }
  writeFileSync(stampFile(project), installStamp(project));
}

export function pinnedEnvironment(project = root) {
  const cache = join(project, 'node_modules', '.cache', 'compile');
  mkdirSync(dirname(cache), { recursive: true });
  return {
    // Compiled code is kept between runs; without it every start would compile every source again.
    NODE_COMPILE_CACHE: cache,
    ...process.env,
    PATH: `${join(project, 'node_modules', '.bin')}${delimiter}${process.env.PATH || ''}`,
  };
}

/** Runs a program on the pinned Node in place of this process: same terminal, same signals, same exit code. */
export function handOver(file, args = []) {
  return new Promise(() => {
    const child = spawn(pinnedNode(), [join(root, file), ...args], {
      // The channel carries nothing. It closes when this process is killed, and the program can then stop by itself.
      stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
      env: pinnedEnvironment(),
    });
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => child.kill(signal));
    // npm that is killed cannot tell us; our parent is then another process.
    const parent = process.ppid;
    if (process.env.npm_lifecycle_event) {
      setInterval(() => process.ppid !== parent && child.kill('SIGTERM'), 250).unref();
    }
    child.once('error', (error) => fail(`The pinned Node did not start: ${error.message}`));
    child.once('exit', (code, signal) => process.exit(signal ? 128 + constants.signals[signal] : code));
  });
}
