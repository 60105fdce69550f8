import type { Sql } from '../platform/postgres.ts';

const CACHE_MAX = 100_000;

/**
 * Numbers for wallets that may never trade. One that has a number is passed over before the insert: `on conflict` would use up
 * another one each time, and there are two thousand million.
 */
export async function addTraders(sql: Sql, addresses: readonly string[]): Promise<void> {
  await sql.write(
    `insert into trader (address) select n.address from unnest($1::text[]) n (address)
     where not exists (select 1 from trader r where r.address = n.address) order by n.address on conflict do nothing`,
    [addresses],
  );
}

type Known = { id: number; firstAtMs: number };

/**
 * Small numbers for wallet addresses, and when each was first seen to trade. Both are remembered, because the same wallets trade
 * again and again.
 */
export class TraderDirectory {
  readonly #known = new Map<string, Known>();

  /**
   * The ids in the order of the trades. Runs outside of the trades' transaction: an id without trades is harmless, a
   * rolled-back remembered id is not.
   */
  async idsOf(sql: Sql, trades: readonly { wallet: string; atMs: number }[]): Promise<number[]> {
    const unknown = new Map<string, number>();
    for (const { wallet, atMs } of trades) {
      const firstAtMs = this.#known.get(wallet)?.firstAtMs ?? Infinity;
      if (atMs < firstAtMs) unknown.set(wallet, Math.min(atMs, unknown.get(wallet) ?? Infinity));
    }
    if (unknown.size > 0) await this.#learn(sql, unknown);
    const ids = trades.map(({ wallet }) => this.#known.get(wallet)!.id);
    if (this.#known.size > CACHE_MAX) this.#known.clear();
    return ids;
  }

  async #learn(sql: Sql, firstAtMs: ReadonlyMap<string, number>): Promise<void> {
    const addresses = [...firstAtMs.keys()].sort();
    // As above, a wallet that is there already keeps its number and uses up no other.
    await sql.write(
      `insert into trader as r (id, address, first_at) overriding system value
       select coalesce((select id from trader where address = n.address), nextval('trader_id_seq')), n.address, n.first_at
       from unnest($1::text[], $2::timestamptz[]) n (address, first_at)
       on conflict (address) do update set first_at = excluded.first_at
       where r.first_at is null or excluded.first_at < r.first_at`,
      [addresses, addresses.map((address) => new Date(firstAtMs.get(address)!))],
    );
    const rows = await sql.query<{ id: number; address: string; firstAt: Date }>(
      `select id, address, first_at as "firstAt" from trader where address = any($1)`,
      [addresses],
    );
    for (const { id, address, firstAt } of rows) this.#known.set(address, { id, firstAtMs: firstAt.getTime() });
  }
}
