import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { reasonOf, StartError } from './start-error.ts';

export type InstanceLock = { release(): void };

/** Creates the folder and makes sure that it can be written, so that nothing fails halfway for that reason. */
export function prepareDataDirectory(directory: string, freeBytes: (directory: string) => number = freeOnDisk): void {
  const probe = join(directory, `.probe-${process.pid}`);
  try {
    makeFolder(directory);
    writeFileSync(probe, '');
    rmSync(probe);
  } catch (error) {
    throw new StartError(`DATA_DIR ${directory} cannot be written: ${reasonOf(error)}`);
  }
  // Found out later it would be a database or a chain that stops in the middle of something.
  const freeMb = Math.floor(freeBytes(directory) / 1024 ** 2);
  if (freeMb < FREE_MB_MIN) {
    throw new StartError(
      `the disk of DATA_DIR ${directory} has ${freeMb} MB left; Hunter needs at least ${FREE_MB_MIN} MB to start`,
    );
  }
}

const FREE_MB_MIN = 256;

/** Whoever may write to it can put folders of his own in the place of the keys' and the database's. */
const FOLDER_MODE = 0o755;

/** Node's own `recursive` tries for ever below a folder that takes no others, such as `/proc`. */
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  if (dirname(path) !== path) makeFolder(dirname(path));
  try {
    mkdirSync(path, FOLDER_MODE);
  } catch (error) {
    // Another process may have made it meanwhile.
    if (!existsSync(path)) throw error;
  }
}

function freeOnDisk(directory: string): number {
  const { bavail, bsize } = statfsSync(directory);
  return bavail * bsize;
}

/**
 * One instance per data folder. Node has no file locks of its own, but its SQLite takes them from the system, which
 * releases them however the process ends: there is no stale lock to guess about.
 */
export function lockDataDirectory(
  directory: string,
  { patienceMs = 2000, purpose = 'start' }: { patienceMs?: number; purpose?: 'start' | 'backup' } = {},
): InstanceLock {
  const holderFile = join(directory, 'instance.pid');
  const lockFile = join(directory, 'instance.lock');
  keepToOurselves(lockFile);
  // The patience is for an instance that is draining: a restart follows it closely.
  const database = new DatabaseSync(lockFile, { timeout: patienceMs });
  const holder: Holder = { pid: process.pid, host: hostname(), purpose };
  try {
    database.exec('pragma journal_mode = off; pragma locking_mode = exclusive; begin exclusive');
    writeFileSync(holderFile, `${JSON.stringify(holder)}\n`);
  } catch (error) {
    database.close();
    const { errcode, code } = error as { errcode?: number; code?: string };
    if (errcode === SQLITE_FULL || code === 'ENOSPC') {
      throw new StartError(
        `the disk of DATA_DIR ${directory} is full, and a lock in it needs a few KB: free some space`,
      );
    }
    if (errcode !== SQLITE_BUSY) throw new StartError(`DATA_DIR ${directory} cannot be locked: ${reasonOf(error)}`);
    const after = purpose === 'start' ? 'or set another DATA_DIR' : 'and take the backup then';
    throw new StartError(`DATA_DIR ${directory} is in use by ${holderIn(holderFile)} ${after}`);
  }
  return {
    release: () => {
      rmSync(holderFile, { force: true });
      database.close();
    },
  };
}

const SQLITE_BUSY = 5;
const SQLITE_FULL = 13;

/** Whoever may read it may lock it, and then nothing starts. */
function keepToOurselves(file: string): void {
  try {
    closeSync(openSync(file, 'a', 0o600));
    if (process.getuid === undefined || statSync(file).uid === process.getuid()) chmodSync(file, 0o600);
  } catch (error) {
    throw new StartError(`${file} cannot be opened: ${reasonOf(error)}`);
  }
}

/** The name of the machine or container, because a process id means something there only. */
type Holder = { readonly pid: number; readonly host: string; readonly purpose: 'start' | 'backup' };

function holderIn(file: string): string {
  let holder: Partial<Holder>;
  try {
    holder = JSON.parse(readFileSync(file, 'utf8')) as Partial<Holder>;
  } catch {
    holder = {};
  }
  const { pid, host, purpose } = holder;
  if (pid === undefined) return 'another Hunter; stop it';
  const process = `process ${pid} on ${host}`;
  if (purpose === 'backup') return `a backup of it (${process}); wait for its end`;
  return `another Hunter (${process}); stop it there (Ctrl-C in its terminal, or kill ${pid})`;
}
