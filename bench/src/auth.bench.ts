/**
 * Market reads while people log in: password hashes run beside the event loop, so twenty logins a second may cost a read
 * at most 1.3 times its p99. The bar is for a read that is answered from memory, as lists, charts and trades are; one
 * that is answered by the database is measured beside it. Reads and logins go over HTTP to the product's own server,
 * which asks its own signer at every login, each in a process of its own. Each round compares its p99 with that of the moment before; the median of the rounds counts,
 * because a single burst of another machine on the same host decides the p99 over all of them.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Worker } from 'node:worker_threads';
import { askAtRate, type Load } from './auth-load.ts';
import { withSigner } from './bench-signer.ts';
import type { Figures } from '../../scripts/run-named.ts';
import { withDatabase } from '../../scripts/temporary-database.ts';

const LOGINS_PER_SECOND = 20;
const READS_PER_SECOND = 200;
const RATIO_MAX = 1.3;

type Ready = { url: string; mint: string };

export default async function measureAuth([seconds = '2', rounds = '15']: readonly string[]): Promise<Figures> {
  const { publicKey } = generateKeyPairSync('ed25519');
  return withDatabase((_database, databaseUrl) =>
    withSigner(publicKey.export({ format: 'jwk' }).x!, async ({ socketPath, token }) => {
      const child = spawn(process.execPath, [join(import.meta.dirname, 'auth-server.ts')], {
        env: { ...process.env, DATABASE_URL: databaseUrl, SIGNER_SOCKET: socketPath, SIGNER_TOKEN: token },
        stdio: ['pipe', 'pipe', 'inherit'],
      });
      try {
        return await measure(await ready(child), Number(seconds) * 1000, Number(rounds));
      } finally {
        const gone = new Promise((resolve) => child.once('exit', resolve));
        child.stdin?.end();
        await gone;
      }
    }),
  );
}

async function measure({ url, mint }: Ready, milliseconds: number, rounds: number): Promise<Figures> {
  // Those who log in do not share an event loop with those who read.
  const strangers = new Worker(new URL('./auth-load.ts', import.meta.url));
  const memory = new ReadTimes(`${url}/api/token/getTokenHotList?period=1h&limit=50`);
  const database = new ReadTimes(`${url}/api/token/getTokenHolders?tokenContractAddress=${mint}&limit=50`);
  const all = [memory, database];
  await Promise.all([memory.read(milliseconds), database.read(milliseconds), loginFor(strangers, url, milliseconds)]);
  let logins = 0;
  // All take turns, so that a busy machine slows each of them.
  for (let round = 0; round < rounds; round += 1) {
    for (const times of all) {
      const alone = await times.read(milliseconds);
      const loggingIn = loginFor(strangers, url, milliseconds);
      times.add(alone, await times.read(milliseconds));
      logins += await loggingIn;
    }
  }
  await strangers.terminate();
  return {
    logins,
    fromMemory: memory.figures(),
    fromDatabase: database.figures(),
    ratioMax: RATIO_MAX,
    ok: memory.ratio <= RATIO_MAX,
  };
}

/** How long one kind of read took, with and without people who log in. */
class ReadTimes {
  readonly #alone: number[] = [];
  readonly #during: number[] = [];
  readonly #roundRatios: number[] = [];
  readonly #url: string;

  constructor(url: string) {
    this.#url = url;
  }

  read(milliseconds: number): Promise<number[]> {
    return askAtRate({ url: this.#url, body: null, perSecond: READS_PER_SECOND, milliseconds });
  }

  add(alone: readonly number[], during: readonly number[]): void {
    this.#alone.push(...alone);
    this.#during.push(...during);
    this.#roundRatios.push(percentile(during, 0.99) / percentile(alone, 0.99));
  }

  /** The median of the rounds. */
  get ratio(): number {
    return percentile(this.#roundRatios, 0.5);
  }

  figures(): Figures {
    return {
      reads: this.#alone.length,
      aloneP50Ms: rounded(percentile(this.#alone, 0.5)),
      aloneP99Ms: rounded(percentile(this.#alone, 0.99)),
      duringP50Ms: rounded(percentile(this.#during, 0.5)),
      duringP99Ms: rounded(percentile(this.#during, 0.99)),
      ratio: rounded(this.ratio),
      ratioOfAllRounds: rounded(percentile(this.#during, 0.99) / percentile(this.#alone, 0.99)),
    };
  }
}

async function loginFor(strangers: Worker, url: string, milliseconds: number): Promise<number> {
  const load: Load = {
    url: `${url}/api/login/check`,
    body: { email: 'bench@example.com', password: 'the password of a bench' },
    perSecond: LOGINS_PER_SECOND,
    milliseconds,
  };
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin, unlike a window
  strangers.postMessage(load);
  const [logins] = (await once(strangers, 'message')) as [number];
  return logins;
}

function ready(child: ChildProcess): Promise<Ready> {
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the server exited with code ${code}`)));
    createInterface({ input: child.stdout! }).on('line', (line) => resolve(JSON.parse(line) as Ready));
  });
}

function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}
