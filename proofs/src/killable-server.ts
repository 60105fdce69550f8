import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Address } from '@hunter/solana/address';
import type { ChainServices } from '../../apps/server/src/trading/world-for-test.ts';

const PASSWORD = 'correct horse battery 7';

export type KillableUser = { token: string; address: Address };

/** The real server as a process of its own, which can be killed at any moment and started again on the same database. */
export class KillableServer {
  readonly #services: ChainServices;
  readonly #databaseUrl: string;
  readonly #folder: string;
  #child: ChildProcess | null = null;
  #url = '';

  constructor(services: ChainServices, databaseUrl: string, folder: string) {
    this.#services = services;
    this.#databaseUrl = databaseUrl;
    this.#folder = folder;
  }

  get url(): string {
    return this.#url;
  }

  /** With `crashAt` it dies by itself at that point (see crash-points.ts). */
  async start(options: { crashAt?: string } = {}): Promise<void> {
    const services = this.#services;
    const file = fileURLToPath(new URL('../../apps/server/src/main.ts', import.meta.url));
    const preload = new URL('./crash-at.ts', import.meta.url).href;
    const args = options.crashAt === undefined ? [file] : ['--import', preload, file];
    const child = spawn(process.execPath, args, {
      env: {
        ...process.env,
        HUNTER_MODE: 'local',
        PORT: '0',
        HOST: '127.0.0.1',
        CHAIN_ID: '501_1',
        DATABASE_URL: this.#databaseUrl,
        SOLANA_RPC_URL: services.rpcUrl,
        SOLANA_WS_URL: services.rpcWs,
        VENUE_URL: services.venueUrl,
        SIGNER_SOCKET: services.signerSocket,
        SIGNER_TOKEN: services.signerToken,
        DATA_DIR: this.#folder,
        SIMULATED_STRATEGIES: 'off',
        LOG_LEVEL: 'error',
        RATE_LIMIT_PER_SECOND: '100000',
        WEB_DIR: this.#folder,
        ...(options.crashAt === undefined ? {} : { CRASH_AT: options.crashAt }),
      },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    this.#child = child;
    this.#url = await new Promise<string>((resolve, reject) => {
      child.once('exit', (code) => reject(new Error(`the server ended with ${code}`)));
      createInterface({ input: child.stdout }).on('line', (line) => {
        if (line.startsWith('{"ready":true')) resolve((JSON.parse(line) as { web: string }).web);
      });
    });
  }

  /** False where it still lives after the time. */
  async died(timeoutMs: number): Promise<boolean> {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return true;
    return Promise.race([once(child, 'exit').then(() => true), delay(timeoutMs, false, { ref: false })]);
  }

  async kill(): Promise<void> {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  }

  get password(): string {
    return PASSWORD;
  }

  async call<Data>(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Data> {
    const response = await fetch(this.#url + path, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const reply = (await response.json()) as { code: number; msg: string; data: Data };
    if (reply.code !== 200) throw new Error(`${path}: ${reply.code} ${reply.msg}`);
    return reply.data;
  }

  /** A user whose welcome money has arrived. */
  async register(): Promise<KillableUser> {
    const email = `${randomBytes(6).toString('hex')}@example.com`;
    await this.call('POST', '/api/login/sendEmailCode', { email });
    const verificationCode = await until(async () => {
      const { lists } = await this.call<{ lists: { code: string }[] }>('GET', `/api/dev/mailbox?email=${email}`);
      return lists[0]?.code;
    });
    const { token, wallet } = await this.call<{ token: string; wallet: { address: string } }>(
      'POST',
      '/api/login/register',
      { email, password: PASSWORD, confirmPassword: PASSWORD, verificationCode, inviteCode: 'HUNTER', agreement: true },
    );
    await until(async () => {
      const mine = await this.call<{ walletInfo: { available: string } }>('GET', '/api/user/myWallet', undefined, {
        token,
      });
      return mine.walletInfo.available === '0' ? undefined : true;
    });
    return { token, address: wallet.address as Address };
  }
}

export async function until<Value>(look: () => Promise<Value | undefined>, timeoutMs = 60_000): Promise<Value> {
  const deadlineMs = Date.now() + timeoutMs;
  for (;;) {
    const value = await look();
    if (value !== undefined) return value;
    if (Date.now() > deadlineMs) throw new Error('it did not happen in time');
    await delay(200);
  }
}
