import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { lockDataDirectory } from '../../apps/launcher/src/instance-lock.ts';
import { readPostmasterPid } from '../../apps/launcher/src/postgres/postmaster-pid.ts';
import { isAlive } from '../../apps/launcher/src/process-alive.ts';
import { StartError } from '../../apps/launcher/src/start-error.ts';

// Database, chain and keys only make sense together, and only of one moment. A backup is therefore taken of a stopped
// instance, under the lock that keeps it stopped, and holds all of them in one file.

const MANIFEST = 'hunter-backup.json';
const FORMAT = 1;
/** Everything that must survive; where an outside database is used, `postgres` is not there. */
const keptParts = ['postgres', 'localnet', 'signer', 'server.secret'];
const leftOut = ['lock.sqlite', '*.sock', 'postmaster.pid', 'postmaster.opts'];

export type BackupReport = { file: string; parts: string[]; bytes: number };

export function backUp(dataDirectory: string, file: string): BackupReport {
  const target = resolve(file);
  if (existsSync(target)) throw new StartError(`${target} exists already; a backup is never overwritten`);
  if (!existsSync(dirname(target))) throw new StartError(`the folder of ${target} does not exist`);
  if (!existsSync(join(dataDirectory, 'signer'))) {
    throw new StartError(`${dataDirectory} is no data folder of Hunter; set DATA_DIR`);
  }
  const lock = lockDataDirectory(dataDirectory);
  const scratch = mkdtempSync(join(tmpdir(), 'hunter-backup-'));
  try {
    const postmaster = readPostmasterPid(join(dataDirectory, 'postgres', 'cluster'));
    if (postmaster && isAlive(postmaster.pid)) {
      throw new StartError('the database of a crashed instance still runs: start Hunter and stop it once');
    }
    const parts = keptParts.filter((part) => existsSync(join(dataDirectory, part)));
    const manifest = { format: FORMAT, createdAt: new Date().toISOString(), parts };
    writeFileSync(join(scratch, MANIFEST), `${JSON.stringify(manifest)}\n`);
    // Made for the owner alone before a byte of a key is in it.
    writeFileSync(`${target}.new`, '', { mode: 0o600 });
    chmodSync(`${target}.new`, 0o600);
    const excluded = leftOut.map((name) => `--exclude=${name}`);
    tar(['-czf', `${target}.new`, ...excluded, '-C', scratch, MANIFEST, '-C', dataDirectory, ...parts]);
    renameSync(`${target}.new`, target);
    return { file: target, parts, bytes: statSync(target).size };
  } finally {
    rmSync(`${target}.new`, { force: true });
    rmSync(scratch, { recursive: true, force: true });
    lock.release();
  }
}

/** Into an empty folder only: what is there already might be the only copy of something. */
export function restore(dataDirectory: string, file: string): { createdAt: string; parts: string[] } {
  const source = resolve(file);
  if (!existsSync(source)) throw new StartError(`there is no ${source}`);
  if (existsSync(dataDirectory) && readdirSync(dataDirectory).length > 0) {
    throw new StartError(`DATA_DIR ${dataDirectory} is not empty; a backup is restored into an empty folder only`);
  }
  const manifest = readManifest(source);
  const draft = mkdtempSync(join(dirname(dataDirectory), `.${basename(dataDirectory)}-restoring-`));
  try {
    tar(['-xpzf', source, '-C', draft]);
    rmSync(join(draft, MANIFEST));
    const missing = manifest.parts.filter((part) => !existsSync(join(draft, part)));
    if (missing.length > 0) throw new StartError(`${source} is damaged: ${missing.join(', ')} is missing`);
    // The database's own user must be able to pass through.
    chmodSync(draft, 0o755);
    if (existsSync(dataDirectory)) rmSync(dataDirectory, { recursive: true });
    renameSync(draft, dataDirectory);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  return manifest;
}

function readManifest(file: string): { createdAt: string; parts: string[] } {
  const { status, stdout } = spawnSync('tar', ['-xzOf', file, MANIFEST], { encoding: 'utf8' });
  if (status !== 0) throw new StartError(`${file} is no backup of Hunter`);
  const manifest = JSON.parse(stdout) as { format: number; createdAt: string; parts: string[] };
  if (manifest.format !== FORMAT) throw new StartError(`${file} was made by a version that this one does not know`);
  return manifest;
}

function tar(args: readonly string[]): void {
  const { status, stderr, error } = spawnSync('tar', args, { encoding: 'utf8' });
  if (error) throw new StartError(`tar could not be run: ${error.message}`);
  if (status !== 0) throw new StartError(`tar failed: ${stderr.trim().split('\n')[0]}`);
}
