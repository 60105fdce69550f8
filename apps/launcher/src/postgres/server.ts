import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { platform, totalmem } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '../free-port.ts';
import { writeOwnFile } from '../own-file.ts';
import { fitsSocketPath } from '../socket-path.ts';
import { StartError } from '../start-error.ts';
import { waitUntil } from '../wait-until.ts';
import { findPostgresBinaries, type PostgresBinaries } from './binaries.ts';
import { DATABASE_USER, openCluster, type Cluster } from './cluster.ts';
import { clearOrphan, readPostmasterPid } from './postmaster-pid.ts';
import { invocation } from './run-as.ts';

export type PostgresOptions = {
  /** The folder that holds the cluster, its password and its remembered port. The caller has it to itself. */
  readonly folder: string;
  readonly logFile: string;
  /** Extra settings, such as `fsync=off` for tests. */
  readonly settings?: readonly string[];
  /** Where others look for it already: waited for where it is taken. Without it, any port that is free. */
  readonly port?: number | undefined;
  /** Ends a start that is not ready yet. */
  readonly signal?: AbortSignal;
};

export type RunningPostgres = {
  /** The maintenance database, with the password; by the Unix socket where there is one. */
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  readonly exited: Promise<string>;
  /** Ends open sessions, writes a checkpoint, and leaves no process behind. */
  stop(): Promise<void>;
};

/** Recovery after a crash begins anew where it is cut off, and a slow disk takes minutes for it. */
const READY_MS = 600_000;
const ATTEMPTS_MAX = 40;
const RETRY_MS = 250;
const FAST_STOP_MS = 20_000;

export async function startPostgres(options: PostgresOptions): Promise<RunningPostgres> {
  const binaries = findPostgresBinaries();
  const cluster = await openCluster(options.folder, binaries);
  await clearOrphan(cluster.directory);
  clearSockets(options.folder);
  mkdirSync(dirname(options.logFile), { recursive: true });
  const remembered = rememberedPort(cluster);
  let port = options.port ?? (await freePort(remembered));
  for (let attempt = 1; ; attempt += 1) {
    const outcome = await attemptStart({ cluster, binaries, options, port });
    if (outcome.kind === 'running') {
      // Nothing is written where nothing changed: on a full disk the server runs all the same.
      if (port !== remembered) await rememberPort(cluster, port, outcome.server);
      return outcome.server;
    }
    if (attempt === ATTEMPTS_MAX || outcome.kind === 'failed' || options.signal?.aborted) {
      throw new StartError(`PostgreSQL did not start: ${outcome.reason} (see ${options.logFile})`);
    }
    if (outcome.kind === 'port-taken' && options.port === undefined) port = await freePort();
    else await delay(RETRY_MS);
  }
}

function rememberedPort(cluster: Cluster): number | undefined {
  if (!existsSync(cluster.portFile)) return undefined;
  const port = Number(readFileSync(cluster.portFile, 'utf8'));
  return Number.isInteger(port) && port > 0 && port < 65_536 ? port : undefined;
}

async function rememberPort(cluster: Cluster, port: number, server: RunningPostgres): Promise<void> {
  try {
    writeOwnFile(cluster.portFile, `${port}\n`);
  } catch (error) {
    await server.stop();
    throw error;
  }
}

const SOCKET_PREFIX = '.s.PGSQL.';

/** A statement by a Unix socket costs both sides a fifth less than by TCP. Null where its path would be too long for the system. */
export function socketFolder(folder: string): string | null {
  return fitsSocketPath(join(folder, `${SOCKET_PREFIX}65535`)) ? folder : null;
}

export function databaseUrl(input: { password: string; port: number; socketFolder: string | null }): string {
  const url = `postgresql://${DATABASE_USER}:${input.password}@127.0.0.1:${input.port}/postgres`;
  return input.socketFolder === null ? url : `${url}?host=${encodeURIComponent(input.socketFolder)}`;
}

/** A killed server leaves socket and lock behind, and the lock's process number may be somebody else's by now. */
function clearSockets(folder: string): void {
  for (const name of readdirSync(folder)) if (name.startsWith(SOCKET_PREFIX)) rmSync(join(folder, name));
}

type Attempt =
  | { readonly kind: 'running'; readonly server: RunningPostgres }
  | { readonly kind: 'port-taken' | 'locked' | 'failed'; readonly reason: string };

async function attemptStart(input: {
  cluster: Cluster;
  binaries: PostgresBinaries;
  options: PostgresOptions;
  port: number;
}): Promise<Attempt> {
  const { cluster, options, port } = input;
  const logStart = existsSync(options.logFile) ? statSync(options.logFile).size : 0;
  const child = spawnServer(input);
  let ended: string | undefined;
  const exited = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve((ended = error.message)));
    child.once('exit', (code, signal) => resolve((ended = `exited with ${signal ?? code}`)));
  });
  const state = await waitUntil(
    () => {
      if (ended !== undefined || options.signal?.aborted === true) return 'ended' as const;
      const found = readPostmasterPid(cluster.directory);
      return found?.pid === child.pid && found?.status === 'ready' ? ('ready' as const) : undefined;
    },
    { timeoutMs: READY_MS, everyMs: 10 },
  );
  if (state === 'ready' && child.pid !== undefined) {
    const url = databaseUrl({ password: cluster.password, port, socketFolder: socketFolder(options.folder) });
    return { kind: 'running', server: { url, port, pid: child.pid, exited, stop: () => stopServer(child, exited) } };
  }
  const reason = ended ?? `was not ready within ${READY_MS / 1000} s`;
  await stopServer(child, exited);
  if (options.signal?.aborted) return { kind: 'failed', reason: 'it was interrupted' };
  return decideFailure(readFileSync(options.logFile).subarray(logStart).toString(), reason);
}

/** What the server's own words mean for another attempt. */
export function decideFailure(log: string, reason: string): Attempt {
  const said = /FATAL: {2}(.*)/.exec(log)?.[1];
  if (/could not bind|could not create any TCP\/IP sockets/.test(log)) {
    return { kind: 'port-taken', reason: said ?? reason };
  }
  // Sessions of a killed server hold its shared memory for a moment longer than the server itself lives.
  if (/lock file .* already exists|pre-existing shared memory block/.test(log)) {
    return { kind: 'locked', reason: said ?? reason };
  }
  return { kind: 'failed', reason: said ?? reason };
}

const BUFFERS_MB_MIN = 128;
const BUFFERS_MB_MAX = 512;

/** An eighth of the machine: the indexes of two million trades fit, and a small machine keeps its memory. */
export function sharedBuffersMb(machineBytes: number): number {
  return Math.min(BUFFERS_MB_MAX, Math.max(BUFFERS_MB_MIN, Math.floor(machineBytes / 8 / 2 ** 20)));
}

function spawnServer(input: {
  cluster: Cluster;
  binaries: PostgresBinaries;
  options: PostgresOptions;
  port: number;
}): ChildProcess {
  const { cluster, binaries, options, port } = input;
  const settings = [
    'listen_addresses=127.0.0.1',
    `port=${port}`,
    // A list, in which quotes make a path one name.
    `unix_socket_directories=${socketFolder(options.folder) === null ? '' : `"${options.folder.replaceAll('"', '""')}"`}`,
    // Twenty for each process of a role, with room for those that a killed one leaves behind for a moment.
    'max_connections=300',
    `shared_buffers=${sharedBuffersMb(totalmem())}MB`,
    // After a crash every file must be on the disk before recovery: one call instead of one for each of thousands.
    ...(platform() === 'linux' ? ['recovery_init_sync_method=syncfs'] : []),
    'log_min_messages=warning',
    'log_line_prefix=%m [%p] ',
    ...(options.settings ?? []),
  ];
  const call = invocation(cluster.runAs, binaries.postgres, [
    '-D',
    cluster.directory,
    ...settings.flatMap((setting) => ['-c', setting]),
  ]);
  // The log file is the server's own descriptor: it keeps logging when our process dies.
  const log = openSync(options.logFile, 'a', 0o600);
  try {
    return spawn(call.file, call.args, {
      cwd: '/',
      env: call.env,
      // Its own process group, because Ctrl-C must reach it last, through us.
      detached: true,
      stdio: ['ignore', log, log],
      ...(call.uid === undefined ? {} : { uid: call.uid, gid: call.gid }),
    });
  } finally {
    closeSync(log);
  }
}

async function stopServer(child: ChildProcess, exited: Promise<string>): Promise<void> {
  // Fast shutdown: sessions are ended, nothing committed is lost.
  child.kill('SIGINT');
  const timer = setTimeout(() => child.kill('SIGQUIT'), FAST_STOP_MS);
  await exited;
  clearTimeout(timer);
}
