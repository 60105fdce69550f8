/**
 * Kills the database server of the running product without warning while people trade: the server must be back within ten seconds of
 * the database, and nothing that anybody was told may be lost or doubled. Takes the number of kills (20) and of users (8).
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { ask, hotMints, registerUser, until, untilFunded, type ProductUser } from '../../scripts/product-client.ts';
import { SeededRandom } from '@hunter/domain/seeded-random';
import { killAtRandom, median } from './kill/kill-at-random.ts';
import { withProduct } from './running-product.ts';
import { checkInvariants } from './soak/invariants.ts';
import { notReady } from './soak/killer.ts';
import { processOf } from './soak/product-parts.ts';
import type { Figures } from '../../scripts/run-named.ts';

const BACK_MS_MAX = 10_000;
const LIFE_MS = [1_000, 4_000] as const;
/** Somebody presses the button again this often while no answer comes. */
const PRESSES_MAX = 40;

export default async function provePostgresKill([kills = '20', users = '8']: readonly string[]): Promise<Figures> {
  return withProduct({ SIMULATED_STRATEGIES: 'off' }, async ({ endpoints, dataDirectory }) => {
    const { web, postgres } = endpoints;
    const mints = (await hotMints(web)).slice(0, 4);
    const people: ProductUser[] = [];
    for (let index = 0; index < Number(users); index += 1) {
      people.push(await registerUser(web, `postgres-kill-${index}@example.com`));
    }
    await Promise.all(people.map((user) => untilFunded(web, user)));
    const crowd = new Traders(web, mints);
    const lives = people.map((user, index) => crowd.live(user, new SeededRandom(index + 1)));
    let killed = 0;
    const database = {
      kill: async () => {
        killed = processOf(dataDirectory, 'postgres')!;
        process.kill(killed, 'SIGKILL');
      },
      // The launcher starts it again by itself.
      start: () =>
        until(
          async () => processOf(dataDirectory, 'postgres') !== killed && (await answers(postgres)),
          'the database',
          60_000,
        ),
    };
    const serverBackMs: number[] = [];
    const waitedFor: Record<string, number> = {};
    const { startMs } = await killAtRandom(database, {
      kills: Number(kills),
      lifeMs: LIFE_MS,
      restarted: async (round) => {
        const upMs = performance.now();
        // Ready by its own word, and an answer that needs the database.
        const user = people[round % people.length]!;
        const works = async () => {
          const missing = await notReady(web);
          for (const reason of missing) waitedFor[reason] = (waitedFor[reason] ?? 0) + 1;
          const answer = await ask(web, 'myWallet', {}, { token: user.token, timeoutMs: 5_000 }).catch(() => null);
          if (answer?.code !== 200) waitedFor['an answer'] = (waitedFor['an answer'] ?? 0) + 1;
          return missing.length === 0 && answer?.code === 200;
        };
        await until(works, 'the server to be back', 60_000);
        serverBackMs.push(performance.now() - upMs);
      },
    });
    crowd.stop();
    await Promise.all(lives);
    const invariants = await checkInvariants(endpoints);
    const lost = await crowd.lost(postgres);
    const slowest = Math.max(...serverBackMs);
    return {
      kills: Number(kills),
      users: people.length,
      orders: invariants.orders,
      acknowledged: crowd.acknowledged.size,
      unanswered: crowd.unanswered,
      refused: crowd.refused,
      databaseUpMedianMs: median(startMs),
      databaseUpMaxMs: Math.round(Math.max(...startMs)),
      serverBackMedianMs: median(serverBackMs),
      serverBackMaxMs: Math.round(slowest),
      serverBackMs: serverBackMs.map(Math.round),
      waitedFor,
      lost,
      broken: invariants.broken,
      ok: invariants.broken.length === 0 && lost.length === 0 && slowest <= BACK_MS_MAX && crowd.acknowledged.size > 0,
    };
  });
}

/** People who trade without a pause, each press under a key of its own that is kept until an answer comes. */
class Traders {
  readonly #web: string;
  readonly #mints: readonly string[];
  /** What people were told: the orders of each key. */
  readonly acknowledged = new Map<string, string>();
  readonly #doubled: string[] = [];
  readonly refused: Record<string, number> = {};
  unanswered = 0;
  #stopped = false;

  constructor(web: string, mints: readonly string[]) {
    this.#web = web;
    this.#mints = mints;
  }

  stop(): void {
    this.#stopped = true;
  }

  async live(user: ProductUser, random: SeededRandom): Promise<void> {
    while (!this.#stopped) {
      const tokenContractAddress = random.pick(this.#mints);
      if (random.chance(0.7)) {
        const amount = `0.0${1 + random.whole(5)}`;
        await this.#press(user, 'tokenTransfer', { tokenContractAddress, side: 'buy', amount, slippageBps: 2000 });
      } else {
        await this.#press(user, 'tokenClose', { tokenContractAddress, slippageBps: 2000 });
      }
      await delay(100 + random.whole(300));
    }
  }

  /** Orders somebody was told about that are not there, and keys that were answered twice with different ones. */
  async lost(url: string): Promise<string[]> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      const { rows } = await client.query<{ id: string }>(`select id from trade_order`);
      const there = new Set(rows.map(({ id }) => id));
      const told = [...this.acknowledged].flatMap(([key, ids]) => ids.split(' ').map((id) => [key, id] as const));
      const missing = told.filter(([, id]) => !there.has(id));
      return [...this.#doubled, ...missing.map(([key, id]) => `the order ${id} of ${key} is gone`)];
    } finally {
      await client.end();
    }
  }

  async #press(user: ProductUser, name: 'tokenTransfer' | 'tokenClose', request: object): Promise<void> {
    const key = randomUUID();
    for (let attempt = 0; attempt < PRESSES_MAX; attempt += 1) {
      const answer = await ask(this.#web, name, request, { token: user.token, idempotencyKey: key }).catch(() => null);
      if (answer?.code === 200) {
        const orders = name === 'tokenClose' ? (answer.data['lists'] as { id: string }[]) : [answer.data];
        return this.#told(key, orders.map((order) => String(order['id'])).join(' '));
      }
      // Still running, or unavailable for the moment: the same button again.
      const isUnavailable = answer === null || answer.code === 1005 || answer.status >= 500;
      if (!isUnavailable) {
        const error = String(answer.data['error']);
        this.refused[error] = (this.refused[error] ?? 0) + 1;
        return;
      }
      this.unanswered += 1;
      await delay(250);
    }
  }

  #told(key: string, orders: string): void {
    const before = this.acknowledged.get(key);
    if (before !== undefined && before !== orders) this.#doubled.push(`the key ${key} gave two answers`);
    this.acknowledged.set(key, orders);
  }
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query('select 1');
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}
