import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';

// API processes answer the newest trades from memory, which follows the indexer over NATS. What they answer is compared with the
// store while messages are lost and processes die.

const LOOK_MS = 300;
/** A database that was killed may have lost trades of its last moment, until they are read from the chain again. */
const SETTLED_MS = 10_000;
/** As many connections as reach every process. */
const ASKED_AGAIN = 12;
const BEHIND_MS_MAX = 15_000;

export class MarketMemory {
  readonly different: string[] = [];
  looks = 0;
  readonly #web: string;
  readonly #postgres: string;
  readonly #mints: readonly string[];
  readonly #end = new AbortController();
  #watching: Promise<void> = Promise.resolve();

  constructor(web: string, postgres: string, mints: readonly string[]) {
    this.#web = web;
    this.#postgres = postgres;
    this.#mints = mints;
  }

  start(): void {
    this.#watching = this.#watch();
  }

  async stop(): Promise<void> {
    this.#end.abort();
    await this.#watching;
  }

  async #watch(): Promise<void> {
    for (let turn = 0; !this.#end.signal.aborted; turn += 1) {
      const mint = this.#mints[turn % this.#mints.length]!;
      // Whatever is being started again just now answers nothing, which is not different.
      const difference = await this.#difference(mint).catch(() => null);
      if (difference !== null) await this.#confirm(mint, difference);
      await delay(LOOK_MS);
    }
  }

  async #confirm(mint: string, first: string): Promise<void> {
    await delay(SETTLED_MS);
    for (let asked = 0; asked < ASKED_AGAIN; asked += 1) {
      const still = await this.#difference(mint).catch(() => null);
      if (still !== null) this.different.push(`${mint}: ${first}, and ten seconds later: ${still}`);
    }
  }

  /** Null where all trades that an API process names are those of the store, without a gap, up to a short while ago. */
  async #difference(mint: string): Promise<string | null> {
    const [due] = await this.#store(
      `select max(x.seq)::text as seq from trade x join token t on t.id = x.token_id
       where t.mint = $1 and x.at < now() - make_interval(secs => $2)`,
      [mint, BEHIND_MS_MAX / 1_000],
    );
    const named = await this.#named(mint);
    if (named.length === 0) return null;
    const stored = await this.#store(
      `select x.seq::text as seq from trade x join token t on t.id = x.token_id
       where t.mint = $1 and x.seq between $2 and $3 order by x.seq desc`,
      [mint, named.at(-1)!, named[0]!],
    );
    this.looks += 1;
    if (due?.seq && BigInt(named[0]!) < BigInt(due.seq)) return `the newest is ${named[0]}, the store had ${due.seq}`;
    const known = new Set(stored.map(({ seq }) => seq!));
    const told = new Set(named);
    const missing = [...known].filter((seq) => !told.has(seq));
    const extra = named.filter((seq) => !known.has(seq));
    return missing.length + extra.length === 0 ? null : `missing ${missing.join()}, not stored ${extra.join()}`;
  }

  async #named(mint: string): Promise<string[]> {
    const url = `${this.#web}/api/token/getTokenTransactionData?tokenContractAddress=${mint}&limit=100`;
    const response = await fetch(url, { headers: { connection: 'close' }, signal: AbortSignal.timeout(5_000) });
    const { data } = (await response.json()) as { data: { lists: { id: string }[] } };
    return data.lists.map(({ id }) => id);
  }

  async #store(text: string, values: readonly unknown[]): Promise<{ seq: string | null }[]> {
    const client = new pg.Client({ connectionString: this.#postgres });
    client.on('error', () => {});
    await client.connect();
    try {
      return (await client.query<{ seq: string | null }>(text, [...values])).rows;
    } finally {
      await client.end().catch(() => {});
    }
  }
}
