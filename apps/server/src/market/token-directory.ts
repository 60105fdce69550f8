import type { Address } from '@hunter/solana/address';
import type { Sql } from '../platform/postgres.ts';
import { columnsOf } from '../platform/columns-of.ts';
import type { TokenLink } from '../venue/venue.ts';
import type { MarketToken } from './market-source.ts';
import { TokenSearch } from './search/token-search.ts';

export type TokenRow = {
  id: number;
  mint: Address;
  name: string;
  symbol: string;
  decimals: number;
  supply: bigint;
  pool: string | null;
  creator: string | null;
  tokenProgram: string;
  logoUrl: string | null;
  createdAt: Date;
  nameFlags: string[];
  curveLamports: bigint | null;
  curvePool: string | null;
  graduatedAt: Date | null;
  links: TokenLink[] | null;
};

const COLUMNS = `id, mint, name, symbol, decimals, supply, pool, creator, token_program as "tokenProgram",
  logo_url as "logoUrl", created_at as "createdAt", name_flags as "nameFlags",
  curve_lamports as "curveLamports", curve_pool as "curvePool", graduated_at as "graduatedAt", links`;

/** The tokens of the store, kept in memory because every read and every trade needs them. Rows are never deleted. */
export class TokenDirectory {
  readonly #sql: Sql;
  readonly #writes: Sql;
  readonly #byMint = new Map<string, TokenRow>();
  readonly #byId = new Map<number, TokenRow>();
  readonly #byCreator = new Map<string, Set<number>>();
  readonly #byPool = new Map<string, TokenRow>();
  readonly #savedListeners = new Set<(ids: readonly number[]) => void>();
  readonly search = new TokenSearch();

  /** Tokens of the source are saved by `writes`; any process may read a mint's supply and save it. */
  constructor(sql: Sql, writes = sql) {
    this.#sql = sql;
    this.#writes = writes;
  }

  async load(): Promise<void> {
    for (const row of await this.#sql.query<TokenRow>(`select ${COLUMNS} from token`)) this.#remember(row);
  }

  get(mint: Address): TokenRow | undefined {
    return this.#byMint.get(mint);
  }

  byId(id: number): TokenRow | undefined {
    return this.#byId.get(id);
  }

  /** Ids of the tokens of one creator. */
  ofCreator(creator: string): ReadonlySet<number> {
    return this.#byCreator.get(creator) ?? new Set();
  }

  all(): IterableIterator<TokenRow> {
    return this.#byMint.values();
  }

  /** Whether the token is traded there, or was on its launch curve. */
  isPoolOf(mint: Address, address: string): boolean {
    const token = this.#byMint.get(mint);
    return token !== undefined && (token.pool === address || token.curvePool === address);
  }

  /** The token whose reserves an address owns. */
  ofPool(pool: string): TokenRow | undefined {
    return this.#byPool.get(pool);
  }

  /** Called with the ids of tokens that were saved, or whose pool holds something else. */
  onSaved(listener: (ids: readonly number[]) => void): () => void {
    this.#savedListeners.add(listener);
    return () => this.#savedListeners.delete(listener);
  }

  /** What their pools hold was stored. */
  changed(ids: readonly number[]): void {
    for (const listener of this.#savedListeners) listener(ids);
  }

  /** Another process has saved them. */
  async reload(ids: readonly number[]): Promise<void> {
    if (ids.length === 0) return;
    const rows = await this.#sql.query<TokenRow>(`select ${COLUMNS} from token where id = any($1)`, [ids]);
    for (const row of rows) this.#remember(row);
    this.changed(rows.map(({ id }) => id));
  }

  /** Names are the newest ones; what identifies the token (decimals, program) never changes. */
  async save(tokens: readonly (MarketToken & { flags: string[] })[]): Promise<void> {
    if (tokens.length === 0) return;
    const rows = await this.#writes.write<TokenRow>(
      `with saved as (
         -- By default, a token that is there already would use up another id each time, and pairs of holders have room for 2^22.
         insert into token (id, mint, name, symbol, decimals, token_program, logo_url, creator, pool, supply, created_at,
                            name_flags, curve_lamports, curve_pool, graduated_at, links) overriding system value
         select coalesce((select id from token known where known.mint = t.mint), nextval('token_id_seq')),
                mint, name, symbol, decimals, program, logo, creator, pool, supply, created_at, string_to_array(flags, ','),
                curve, curve_pool, graduated_at, links::jsonb
         from unnest($1::text[], $2::text[], $3::text[], $4::int[], $5::text[], $6::text[], $7::text[], $8::text[],
                     $9::numeric[], $10::timestamptz[], $11::text[], $12::numeric[], $13::timestamptz[], $14::text[], $15::text[])
              as t (mint, name, symbol, decimals, program, logo, creator, pool, supply, created_at, flags, curve, graduated_at, links,
                    curve_pool)
         on conflict (mint) do update set name = excluded.name, symbol = excluded.symbol, logo_url = excluded.logo_url,
           supply = excluded.supply, name_flags = excluded.name_flags, pool = coalesce(excluded.pool, token.pool),
           creator = coalesce(excluded.creator, token.creator), links = coalesce(excluded.links, token.links),
           curve_lamports = coalesce(excluded.curve_lamports, token.curve_lamports),
           curve_pool = coalesce(excluded.curve_pool, token.curve_pool),
           graduated_at = coalesce(token.graduated_at, excluded.graduated_at)
         returning *
       ), stats as (insert into token_stats (token_id) select id from saved on conflict do nothing)
       select ${COLUMNS} from saved`,
      [
        ...columnsOf(tokens, 'mint', 'name', 'symbol', 'decimals', 'tokenProgram', 'logoUrl', 'creator', 'pool'),
        ...columnsOf(tokens, 'supply'),
        tokens.map((token) => new Date(token.createdAtMs)),
        tokens.map((token) => token.flags.join(',')),
        tokens.map((token) => token.curveLamports),
        tokens.map((token) => (token.graduatedAtMs === null ? null : new Date(token.graduatedAtMs))),
        tokens.map((token) => (token.links === null ? null : JSON.stringify(token.links))),
        tokens.map((token) => token.curvePool),
      ],
    );
    for (const row of rows) this.#remember(row);
    this.changed(rows.map(({ id }) => id));
  }

  /** The supply as the mint's account says it. */
  async saveSupply(mint: Address, supply: bigint): Promise<void> {
    const row = this.#byMint.get(mint);
    if (!row || row.supply === supply) return;
    await this.#sql.write(`update token set supply = $2 where id = $1`, [row.id, supply]);
    row.supply = supply;
    this.changed([row.id]);
  }

  #remember(row: TokenRow): void {
    this.search.add(row);
    this.#byMint.set(row.mint, row);
    this.#byId.set(row.id, row);
    if (row.pool !== null) this.#byPool.set(row.pool, row);
    if (row.creator === null) return;
    let own = this.#byCreator.get(row.creator);
    if (!own) this.#byCreator.set(row.creator, (own = new Set()));
    own.add(row.id);
  }
}
