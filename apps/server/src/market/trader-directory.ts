import type { Sql } from '../platform/postgres.ts';

const CACHE_MAX = 100_000;

/** Small numbers for wallet addresses. Ids are remembered, because the same wallets trade again and again. */
export class TraderDirectory {
  readonly #ids = new Map<string, number>();

  /** Runs outside of the trades' transaction: an id without trades is harmless, a rolled-back remembered id is not. */
  async idsOf(sql: Sql, addresses: readonly string[]): Promise<Map<string, number>> {
    const missing = [...new Set(addresses.filter((address) => !this.#ids.has(address)))].sort();
    if (missing.length > 0) {
      await sql.query(`insert into trader (address) select unnest($1::text[]) on conflict do nothing`, [missing]);
      const rows = await sql.query<{ id: number; address: string }>(
        `select id, address from trader where address = any($1)`,
        [missing],
      );
      for (const row of rows) this.#ids.set(row.address, row.id);
    }
    const found = new Map<string, number>();
    for (const address of addresses) found.set(address, this.#ids.get(address)!);
    if (this.#ids.size > CACHE_MAX) this.#ids.clear();
    return found;
  }
}
