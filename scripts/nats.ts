import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants, existsSync } from 'node:fs';
import { createConnection } from 'node:net';
import { delimiter, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePortPair } from './free-ports.ts';

/** The NATS server of tests and proofs: NATS_SERVER_PATH, else Debian's place, else the first on the PATH. */
function findNatsServer(environment: NodeJS.ProcessEnv = process.env): string | undefined {
  const chosen = environment['NATS_SERVER_PATH'];
  const folders = ['/usr/sbin', '/usr/bin', ...(environment['PATH'] ?? '').split(delimiter)];
  const paths = chosen ? [chosen] : folders.filter(Boolean).map((folder) => join(folder, 'nats-server'));
  return paths.find((path) => {
    try {
      accessSync(path, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** Installs it where that is possible without asking; else says what to install. */
function requireNatsServer(): string {
  const found = findNatsServer();
  if (found !== undefined) return found;
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    const options = { stdio: 'ignore', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } } as const;
    spawnSync('apt-get', ['update', '-q'], options);
    spawnSync('apt-get', ['install', '-y', '-q', '--no-install-recommends', 'nats-server'], options);
  }
  const installed = findNatsServer();
  if (installed !== undefined) return installed;
  throw new Error('nats-server is needed; install with: apt-get install -y nats-server (or set NATS_SERVER_PATH)');
}

/** A NATS server of one's own; it can be killed and started again on the same port. */
export class NatsServer {
  #port: number | null = null;
  #child: ChildProcess | null = null;
  readonly #options: readonly string[];

  constructor(...options: readonly string[]) {
    this.#options = options;
  }

  get url(): string {
    return `nats://127.0.0.1:${this.#port}`;
  }

  async start(): Promise<void> {
    const program = requireNatsServer();
    this.#port ??= await freePortPair();
    this.#child = spawn(program, ['-a', '127.0.0.1', '-p', String(this.#port), ...this.#options], { stdio: 'ignore' });
    while (!(await accepts(this.#port))) await pause(20);
  }

  async kill(): Promise<void> {
    const child = this.#child;
    this.#child = null;
    if (!child) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
}

async function accepts(port: number): Promise<boolean> {
  const socket = createConnection(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
