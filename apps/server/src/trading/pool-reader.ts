import { AppError } from '@hunter/contract/app-error';
import { baseUnits, type BaseUnits } from '@hunter/domain/base-units';
import { lamports, type Lamports } from '@hunter/domain/lamports';
import { larger } from '@hunter/domain/rounding';
import { liquidationValue, type Pool } from '@hunter/domain/swap-maths';
import { z } from 'zod';
import type { VenueClient } from './venue-client.ts';

const raw = z
  .string()
  .regex(/^\d{1,20}$/)
  .transform(BigInt);
const sol = raw.transform(lamports);
const tokens = raw.transform(baseUnits);
const searchReply = z.array(
  z.object({
    id: z.string(),
    pool: z.object({ solReserve: sol, tokenReserve: tokens, virtualSol: sol, virtualTokens: tokens }).optional(),
  }),
);

const FRESH_MS = 2_000;
const KNOWN_MAX = 5_000;
const MINTS_PER_CALL = 50;
const TIMEOUT_MS = 5_000;
/** Two signatures, what a sale on a co-signing venue costs. */
const SALE_FEE_LAMPORTS = lamports(10_000n);

export type Holding = { mint: string; tokens: BaseUnits };

/**
 * What holdings are worth when sold now. Where the venue tells its pools, along their curve; where it does not, by its quotes.
 * Answers are kept for two seconds, so that many readers of one token cost one question; not beyond an own trade, which
 * moves the pool, so that nobody's holding after it is valued by the pool before it.
 */
export class PoolReader {
  readonly #venue: VenueClient;
  readonly #url: string;
  readonly #pools = new Map<string, { pool: Pool | null; atMs: number }>();
  readonly #quotes = new Map<string, { value: Lamports | null; atMs: number }>();
  /** When own trades last moved a pool, counted in moves. */
  readonly #movedAt = new Map<string, number>();
  #moves = 0;

  constructor(venue: VenueClient, venueUrl: string) {
    this.#venue = venue;
    this.#url = venueUrl.replace(/\/+$/, '');
  }

  /** Own trades of these tokens went through: what is known of their pools is of before. */
  moved(mints: Iterable<string>): void {
    this.#moves += 1;
    if (this.#movedAt.size > KNOWN_MAX) this.#movedAt.clear();
    for (const mint of mints) {
      this.#movedAt.set(mint, this.#moves);
      this.#pools.delete(mint);
    }
    this.#quotes.clear();
  }

  /** Pools by mint; a token whose pool the venue does not tell is left out. */
  async load(mints: readonly string[]): Promise<Map<string, Pool>> {
    const nowMs = Date.now();
    const stale = [...new Set(mints)].filter((mint) => (this.#pools.get(mint)?.atMs ?? 0) < nowMs - FRESH_MS);
    const pools = new Map<string, Pool>();
    for (const mint of mints) {
      const pool = this.#pools.get(mint)?.pool;
      if (pool && !stale.includes(mint)) pools.set(mint, pool);
    }
    for (let start = 0; start < stale.length; start += MINTS_PER_CALL) {
      for (const [mint, pool] of await this.#refresh(stale.slice(start, start + MINTS_PER_CALL), nowMs)) {
        if (pool) pools.set(mint, pool);
      }
    }
    return pools;
  }

  /** In the order asked for, net of fees; null where nobody can say. */
  async values(holdings: readonly Holding[]): Promise<(Lamports | null)[]> {
    const pools = await this.load(holdings.map(({ mint }) => mint)).catch(() => new Map<string, Pool>());
    return Promise.all(
      holdings.map(async ({ mint, tokens }) => {
        if (tokens === 0n) return lamports(0n);
        const pool = pools.get(mint);
        return pool ? liquidationValue(pool, tokens, SALE_FEE_LAMPORTS) : this.#quoted(mint, tokens);
      }),
    );
  }

  async #refresh(mints: readonly string[], nowMs: number): Promise<Map<string, Pool | null>> {
    const movesBefore = this.#moves;
    const { feeBps } = await this.#venue.facts();
    let reply: unknown;
    try {
      const url = `${this.#url}/tokens/v2/search?query=${encodeURIComponent(mints.join(','))}`;
      reply = await (await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) })).json();
    } catch (cause) {
      throw new AppError('UNAVAILABLE', undefined, { cause });
    }
    const rows = searchReply.safeParse(reply);
    const found = new Map(rows.success ? rows.data.map((row) => [row.id, row.pool]) : []);
    if (this.#pools.size > KNOWN_MAX) this.#pools.clear();
    const pools = new Map<string, Pool | null>();
    for (const mint of mints) {
      const reserves = found.get(mint);
      const pool = reserves ? { ...reserves, feeBps: BigInt(feeBps) } : null;
      pools.set(mint, pool);
      // What was asked before a trade may be of before it, and is not kept.
      if ((this.#movedAt.get(mint) ?? 0) <= movesBefore) this.#pools.set(mint, { pool, atMs: nowMs });
    }
    return pools;
  }

  async #quoted(mint: string, tokens: BaseUnits): Promise<Lamports | null> {
    const key = `${mint} ${tokens}`;
    const known = this.#quotes.get(key);
    const nowMs = Date.now();
    if (known && known.atMs > nowMs - FRESH_MS) return known.value;
    const value = await this.#venue.quote({ mint, side: 'sell', amount: tokens, slippageBps: 100 }).then(
      (quote) => lamports(larger(0n, quote.outAmount - quote.networkFeeLamports)),
      () => null,
    );
    if (this.#quotes.size > KNOWN_MAX) this.#quotes.clear();
    this.#quotes.set(key, { value, atMs: nowMs });
    return value;
  }
}
