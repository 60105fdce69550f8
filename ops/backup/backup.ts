import { spawn } from 'node:child_process';
import type { KeyObject } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  createReadStream,
  createWriteStream,
  existsSync,
  lstatSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { clearLeftovers } from '../../apps/launcher/src/child-record.ts';
import { FIRST_START_MARK } from '../../apps/launcher/src/first-past.ts';
import { lockDataDirectory } from '../../apps/launcher/src/instance-lock.ts';
import { readPostmasterPid } from '../../apps/launcher/src/postgres/postmaster-pid.ts';
import { isAlive } from '../../apps/launcher/src/process-alive.ts';
import { StartError } from '../../apps/launcher/src/start-error.ts';
import { isMountPoint } from './mount-point.ts';
import { MARK, open, seal, SealError } from './sealed-stream.ts';

// Database, chain and keys only make sense together, and only of one moment. A backup is therefore taken of a stopped
// instance, under the lock that keeps it stopped, and holds all of them in one file. Sealed to an operator's key, nothing of it
// is on disk in the clear: it goes through this process on its way from and to `tar`.

const MANIFEST = 'hunter-backup.json';
const FORMAT = 1;
/** Everything that must survive; where an outside database is used, `postgres` is not there. */
const keptParts = ['postgres', 'localnet', 'signer', 'server.secret'];
const leftOut = ['lock.sqlite', '*.sock', '.s.PGSQL.*', 'postmaster.pid', 'postmaster.opts'];

export type BackupReport = { file: string; parts: string[]; bytes: number };
type Manifest = { format: number; createdAt: string; parts: string[] };

/** `sealTo` is an X25519 public key; null leaves the file readable for whoever has it. */
export async function backUp(dataDirectory: string, file: string, sealTo: KeyObject | null): Promise<BackupReport> {
  const target = resolve(file);
  const draft = `${target}.new`;
  if (existsSync(target)) throw new StartError(`${target} exists already; a backup is never overwritten`);
  if (!existsSync(dirname(target))) throw new StartError(`the folder of ${target} does not exist`);
  if (!existsSync(join(dataDirectory, 'signer'))) {
    throw new StartError(`${dataDirectory} is no data folder of Hunter; set DATA_DIR`);
  }
  if (existsSync(join(dataDirectory, FIRST_START_MARK))) {
    throw new StartError('the first start was interrupted, so there is nothing to back up: start Hunter once');
  }
  const lock = lockDataDirectory(dataDirectory, { purpose: 'backup' });
  const scratch = mkdtempSync(join(tmpdir(), 'hunter-backup-'));
  try {
    // The parts of an instance that was killed write for a moment longer.
    await clearLeftovers(join(dataDirectory, 'children.json'));
    const postmaster = readPostmasterPid(join(dataDirectory, 'postgres', 'cluster'));
    if (postmaster && isAlive(postmaster.pid)) {
      throw new StartError('the database of a crashed instance still runs: start Hunter and stop it once');
    }
    const parts = keptParts.filter((part) => existsSync(join(dataDirectory, part)));
    refuseLinks(parts.map((part) => join(dataDirectory, part)));
    const manifest: Manifest = { format: FORMAT, createdAt: new Date().toISOString(), parts };
    writeFileSync(join(scratch, MANIFEST), `${JSON.stringify(manifest)}\n`);
    const descriptor = openOwnFile(draft);
    const excluded = leftOut.map((name) => `--exclude=${name}`);
    const written = createWriteStream(draft, { fd: descriptor, flush: true });
    await tar(['-cz', ...excluded, '-C', scratch, MANIFEST, '-C', dataDirectory, ...parts], ({ stdout }) =>
      sealTo === null ? pipeline(stdout, written) : pipeline(stdout, seal(sealTo), written),
    );
    renameSync(draft, target);
    return { file: target, parts, bytes: statSync(target).size };
  } finally {
    rmSync(draft, { force: true });
    rmSync(scratch, { recursive: true, force: true });
    lock.release();
  }
}

/**
 * An archive holds a link and not what it leads to: a database that was moved to another disk would be missing, and restored beside
 * the one it was taken of, the link would lead to that one.
 */
function refuseLinks(paths: readonly string[]): void {
  for (const path of paths) {
    const below = lstatSync(path).isDirectory() ? readdirSync(path, { recursive: true, encoding: 'utf8' }) : [];
    const link = ['', ...below].map((name) => join(path, name)).find((each) => lstatSync(each).isSymbolicLink());
    if (link !== undefined) {
      throw new StartError(
        `${link} is a link, which a backup does not follow; put what it leads to in its place, or mount it there`,
      );
    }
  }
}

/**
 * For the owner alone before a byte of a key is in it, and new: where others may write to the folder too, one of them could have put a
 * file of his there, or a link, and would read the keys.
 */
function openOwnFile(path: string): number {
  try {
    rmSync(path, { force: true });
    return openSync(path, 'wx', 0o600);
  } catch (error) {
    throw new StartError(`${path} cannot be made: ${(error as Error).message}`);
  }
}

/** Into an empty folder only: what is there already might be the only copy of something. */
export async function restore(dataDirectory: string, file: string, privateKey: KeyObject | null): Promise<Manifest> {
  const source = resolve(file);
  if (!existsSync(source)) throw new StartError(`there is no ${source}`);
  if (existsSync(dataDirectory) && isMountPoint(dataDirectory)) {
    throw new StartError(
      `DATA_DIR ${dataDirectory} is a mount point, which the restored folder cannot take the place of; name a folder inside it, as ${join(dataDirectory, 'data')}`,
    );
  }
  if (existsSync(dataDirectory) && readdirSync(dataDirectory).length > 0) {
    throw new StartError(`DATA_DIR ${dataDirectory} is not empty; a backup is restored into an empty folder only`);
  }
  if (!existsSync(dirname(dataDirectory)))
    throw new StartError(`the folder of DATA_DIR ${dataDirectory} does not exist`);
  const isSealed = readOpening(source, MARK.length).equals(MARK);
  if (isSealed && privateKey === null) {
    throw new StartError(`${source} is encrypted; BACKUP_PRIVATE_KEY_FILE must name the file of the private key`);
  }
  const draft = mkdtempSync(join(dirname(dataDirectory), `.${basename(dataDirectory)}-restoring-`));
  try {
    const read = createReadStream(source);
    await tar(['-xpz', '-C', draft], ({ stdin }) =>
      isSealed ? pipeline(read, open(privateKey!), stdin) : pipeline(read, stdin),
    ).catch((error: Error) => {
      if (error instanceof SealError) throw new StartError(`${source} cannot be opened: ${error.message}`);
      throw new StartError(`${source} cannot be restored: ${error.message}`);
    });
    const manifest = takeManifest(draft, source);
    const missing = manifest.parts.filter((part) => !existsSync(join(draft, part)));
    if (missing.length > 0) throw new StartError(`${source} is damaged: ${missing.join(', ')} is missing`);
    // The database's own user must be able to pass through.
    chmodSync(draft, 0o755);
    if (existsSync(dataDirectory)) rmSync(dataDirectory, { recursive: true });
    renameSync(draft, dataDirectory);
    return manifest;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

function readOpening(file: string, bytes: number): Buffer {
  const opened = openSync(file, 'r');
  try {
    const opening = Buffer.alloc(bytes);
    return opening.subarray(0, readSync(opened, opening));
  } finally {
    closeSync(opened);
  }
}

function takeManifest(folder: string, source: string): Manifest {
  const path = join(folder, MANIFEST);
  if (!existsSync(path)) throw new StartError(`${source} is no backup of Hunter`);
  const manifest = JSON.parse(readFileSync(path, 'utf8')) as Manifest;
  if (manifest.format !== FORMAT) throw new StartError(`${source} was made by a version that this one does not know`);
  rmSync(path);
  return manifest;
}

/** `carry` moves what tar writes or reads. Where both fail, what it says comes first: tar then only complains that its input ended. */
async function tar(
  args: readonly string[],
  carry: (streams: { stdin: Writable; stdout: Readable }) => Promise<void>,
): Promise<void> {
  const child = spawn('tar', args, { stdio: ['pipe', 'pipe', 'pipe'] });
  let complaint = '';
  child.stderr.on('data', (chunk: Buffer) => (complaint += chunk.toString()));
  const { promise: ended, resolve: end, reject } = Promise.withResolvers<number | null>();
  child.once('error', (error) => reject(new StartError(`tar could not be run: ${error.message}`)));
  child.once('close', end);
  const carried = await carry(child).then(
    () => null,
    (error: NodeJS.ErrnoException) => error,
  );
  if (carried) child.kill();
  const status = await ended;
  if (carried instanceof SealError) throw carried;
  // A pipe that broke is what tar's end looks like from here.
  const isBrokenPipe = ['EPIPE', 'ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE'].includes(carried?.code ?? '');
  if (carried && !isBrokenPipe) throw new StartError(carried.message);
  if (status !== 0) throw new StartError(`tar failed: ${complaint.trim().split('\n')[0]}`);
  if (carried) throw carried;
}
