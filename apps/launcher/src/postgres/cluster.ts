import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  lchownSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { StartError } from '../start-error.ts';
import type { PostgresBinaries } from './binaries.ts';
import { chooseRunAs, fileOwner, invocation, type RunAs } from './run-as.ts';

export const DATABASE_USER = 'hunter';

export type Cluster = {
  /** The server's data directory. */
  readonly directory: string;
  readonly password: string;
  readonly runAs: RunAs;
  /** Where the port of the last start is remembered, so that tools keep their address. */
  readonly portFile: string;
};

/**
 * Opens the database folder, creating it on first use. `initdb` works in a folder of its own that is renamed when it is
 * complete: a start that was interrupted leaves something to delete, never half a database.
 */
export async function openCluster(folder: string, binaries: PostgresBinaries): Promise<Cluster> {
  const runAs = chooseRunAs(folder, binaries.postgres);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  giveTo(folder, runAs);
  const directory = join(folder, 'cluster');
  const passwordFile = join(folder, 'password');
  if (!existsSync(directory)) await createCluster({ folder, directory, passwordFile, binaries, runAs });
  return {
    directory,
    password: readFileSync(passwordFile, 'utf8').trim(),
    runAs,
    portFile: join(folder, 'port'),
  };
}

async function createCluster(input: {
  folder: string;
  directory: string;
  passwordFile: string;
  binaries: PostgresBinaries;
  runAs: RunAs;
}): Promise<void> {
  const { folder, directory, passwordFile, binaries, runAs } = input;
  for (const name of readdirSync(folder)) {
    if (name.startsWith('cluster.new-')) rmSync(join(folder, name), { recursive: true });
  }
  writeFileSync(passwordFile, `${randomBytes(24).toString('base64url')}\n`, { mode: 0o600 });
  giveTo(folder, runAs, { always: true });
  const unfinished = join(folder, `cluster.new-${process.pid}`);
  await runToEnd(runAs, binaries.initdb, [
    `--pgdata=${unfinished}`,
    `--username=${DATABASE_USER}`,
    '--auth=scram-sha-256',
    `--pwfile=${passwordFile}`,
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--data-checksums',
  ]);
  renameSync(unfinished, directory);
}

function runToEnd(runAs: RunAs, file: string, args: string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const call = invocation(runAs, file, args);
    const child = spawn(call.file, call.args, {
      cwd: '/',
      env: call.env,
      stdio: ['ignore', 'ignore', 'pipe'],
      ...(call.uid === undefined ? {} : { uid: call.uid, gid: call.gid }),
    });
    let complaint = '';
    child.stderr.on('data', (chunk: Buffer) => (complaint += chunk.toString()));
    child.once('error', (error) => reject(new StartError(`initdb did not start: ${error.message}`)));
    child.once('close', (code) => {
      if (code === 0) resolve();
      else reject(new StartError(`initdb failed: ${complaint.trim().split('\n').slice(-2).join(' ')}`));
    });
  });
}

/**
 * A folder once used by another identity (the project moved, or root took over from a user) changes hands as a whole,
 * because the server insists on owning every file.
 */
function giveTo(folder: string, runAs: RunAs, { always = false } = {}): void {
  const owner = fileOwner(runAs);
  // Started by root, the product's server has a user of its own, who passes through to the socket.
  chmodSync(folder, owner === undefined ? 0o700 : 0o711);
  if (owner === undefined) return;
  if (!always && statSync(folder).uid === owner.uid) return;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    lchownSync(join(entry.parentPath, entry.name), owner.uid, owner.gid);
  }
  // The folder itself comes last: an interrupted change of hands is then seen and finished at the next start.
  chownSync(folder, owner.uid, owner.gid);
}
