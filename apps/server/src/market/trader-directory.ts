import type { Sql } from '../platform/postgres.ts';

const CACHE_MAX = 100_000;

/** Small numbers for wallet addresses. Ids are remembered, because the same wallets trade again and again. */
export class TraderDirectory {
  readonly #ids = new Map<string, number>();

  /**
   * The ids in the order of the addresses. Runs outside of the trades' transaction: an id without trades is harmless, a
   * rolled-back remembered id is not.
   */
  async idsOf(sql: Sql, addresses: readonly string[]): Promise<number[]> {
    const unknown = new Set<string>();
    for (const address of addresses) if (!this.#ids.has(address)) unknown.add(address);
    if (unknown.size > 0) {
      const missing = [...unknown].sort();
      await sql.query(`insert into trader (address) select unnest($1::text[]) on conflict do nothing`, [missing]);
      const rows = await sql.query<{ id: number; address: string }>(
        `select id, address from trader where address = any($1)`,
        [missing],
      );
      for (const row of rows) this.#ids.set(row.address, row.id);
    }
    const ids = addresses.map((address) => this.#ids.get(address)!);
    if (this.#ids.size > CACHE_MAX) this.#ids.clear();
    return ids;
  }
}
