import type { BaseUnits } from '@hunter/domain/numbers/base-units';
import { lamports, type Lamports } from '@hunter/domain/numbers/lamports';
import { larger } from '@hunter/domain/numbers/rounding';
import { liquidationValue, type Pool } from '@hunter/domain/market/swap-maths';
import type { Address } from '@hunter/solana/address';
import { systemClock } from '../platform/clock.ts';
import type { Venue } from './venue.ts';

const FRESH_MS = 2_000;
const KNOWN_MAX = 5_000;
/** Two signatures, what a sale on a co-signing venue costs. */
const SALE_FEE_LAMPORTS = lamports(10_000n);

export type Holding = { mint: Address; tokens: BaseUnits };

/**
 * What holdings are worth when sold now. Where the venue tells its pools, along their curve; where it does not, by its quotes.
 * Answers are kept for two seconds, so that many readers of one token cost one question; not beyond an own trade, which
 * moves the pool, so that nobody's holding after it is valued by the pool before it.
 */
export class PoolCache {
  readonly #venue: Pick<Venue, 'pools' | 'quote'>;
  readonly #pools = new Map<string, { pool: Pool | null; atMs: number }>();
  readonly #quotes = new Map<string, { value: Lamports | null; atMs: number }>();
  /** When own trades last moved a pool, counted in moves. */
  readonly #movedAt = new Map<string, number>();
  #moves = 0;

  constructor(venue: Pick<Venue, 'pools' | 'quote'>) {
    this.#venue = venue;
  }

  /** Own trades of these tokens went through: what is known of their pools is of before. */
  moved(mints: Iterable<Address>): void {
    this.#moves += 1;
    if (this.#movedAt.size > KNOWN_MAX) this.#movedAt.clear();
    for (const mint of mints) {
      this.#movedAt.set(mint, this.#moves);
      this.#pools.delete(mint);
    }
    this.#quotes.clear();
  }

  /** Pools by mint; a token whose pool the venue does not tell is left out. */
  async load(mints: readonly Address[]): Promise<Map<Address, Pool>> {
    const nowMs = systemClock.nowMs();
    const stale = [...new Set(mints)].filter((mint) => (this.#pools.get(mint)?.atMs ?? 0) < nowMs - FRESH_MS);
    const pools = new Map<Address, Pool>();
    for (const mint of mints) {
      const pool = this.#pools.get(mint)?.pool;
      if (pool && !stale.includes(mint)) pools.set(mint, pool);
    }
    if (stale.length > 0) {
      for (const [mint, pool] of await this.#refresh(stale, nowMs)) if (pool) pools.set(mint, pool);
    }
    return pools;
  }

  /** In the order asked for, net of fees; null where nobody can say. */
  async values(holdings: readonly Holding[]): Promise<(Lamports | null)[]> {
    const pools = await this.load(holdings.map(({ mint }) => mint)).catch(() => new Map<Address, Pool>());
    return Promise.all(
      holdings.map(async ({ mint, tokens }) => {
        if (tokens === 0n) return lamports(0n);
        const pool = pools.get(mint);
        return pool ? liquidationValue(pool, tokens, SALE_FEE_LAMPORTS) : this.#quoted(mint, tokens);
      }),
    );
  }

  async #refresh(mints: readonly Address[], nowMs: number): Promise<Map<Address, Pool | null>> {
    const movesBefore = this.#moves;
    const found = await (this.#venue.pools?.(mints) ?? new Map<Address, Pool>());
    if (this.#pools.size > KNOWN_MAX) this.#pools.clear();
    const pools = new Map<Address, Pool | null>();
    for (const mint of mints) {
      const pool = found.get(mint) ?? null;
      pools.set(mint, pool);
      // What was asked before a trade may be of before it, and is not kept.
      if ((this.#movedAt.get(mint) ?? 0) <= movesBefore) this.#pools.set(mint, { pool, atMs: nowMs });
    }
    return pools;
  }

  async #quoted(mint: Address, tokens: BaseUnits): Promise<Lamports | null> {
    const key = `${mint} ${tokens}`;
    const known = this.#quotes.get(key);
    const nowMs = systemClock.nowMs();
    if (known && known.atMs > nowMs - FRESH_MS) return known.value;
    const asked = { mint, side: 'sell', amount: tokens, slippageBps: 100, background: true } as const;
    const value = await this.#venue.quote(asked).then(
      (quote) => lamports(larger(0n, quote.outAmount - quote.networkFeeLamports)),
      () => null,
    );
    if (this.#quotes.size > KNOWN_MAX) this.#quotes.clear();
    this.#quotes.set(key, { value, atMs: nowMs });
    return value;
  }
}
