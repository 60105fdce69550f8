import { AppError } from '@hunter/contract/app-error';
import type { Sql } from '../platform/postgres.ts';

export type TokenFact = {
  mint: string;
  symbol: string;
  name: string;
  decimals: number;
  logoUrl: string;
  tokenProgram: string;
};

/** What trading needs to know of a token. Tokens that nobody knows are left out of the answer. */
export interface TokenFacts {
  load(mints: readonly string[]): Promise<Map<string, TokenFact>>;
}

export async function requireToken(facts: TokenFacts, mint: string): Promise<TokenFact> {
  const fact = (await facts.load([mint])).get(mint);
  if (!fact) throw new AppError('TOKEN_UNKNOWN');
  return fact;
}

const TIMEOUT_MS = 5_000;
const MINTS_PER_CALL = 50;
const NAMES_FRESH_MS = 60_000;

type SearchRow = {
  id?: unknown;
  name?: unknown;
  symbol?: unknown;
  icon?: unknown;
  decimals?: unknown;
  tokenProgram?: unknown;
};

/** Tokens as the market store knows them, and as the venue does where the store does not. */
export class StoredTokenFacts implements TokenFacts {
  readonly #sql: Sql;
  readonly #venueUrl: string;
  readonly #known = new Map<string, { fact: TokenFact; atMs: number }>();

  constructor(sql: Sql, venueUrl: string) {
    this.#sql = sql;
    this.#venueUrl = venueUrl.replace(/\/+$/, '');
  }

  async load(mints: readonly string[]): Promise<Map<string, TokenFact>> {
    const nowMs = Date.now();
    const stale = [...new Set(mints)].filter((mint) => (this.#known.get(mint)?.atMs ?? 0) < nowMs - NAMES_FRESH_MS);
    if (stale.length > 0) {
      const stored = await this.#stored(stale);
      const found = new Set(stored.map((fact) => fact.mint));
      const missing = stale.filter((mint) => !found.has(mint) && !this.#known.has(mint));
      const asked = missing.length > 0 ? await this.#fromVenue(missing) : [];
      for (const fact of [...stored, ...asked]) this.#known.set(fact.mint, { fact, atMs: nowMs });
    }
    const facts = new Map<string, TokenFact>();
    for (const mint of mints) {
      const known = this.#known.get(mint);
      if (known) facts.set(mint, known.fact);
    }
    return facts;
  }

  #stored(mints: readonly string[]): Promise<TokenFact[]> {
    return this.#sql.query<TokenFact>(
      `select mint, symbol, name, decimals, coalesce(logo_url, '') as "logoUrl", token_program as "tokenProgram"
       from token where mint = any($1::text[])`,
      [mints],
    );
  }

  async #fromVenue(mints: readonly string[]): Promise<TokenFact[]> {
    const facts: TokenFact[] = [];
    for (let start = 0; start < mints.length; start += MINTS_PER_CALL) {
      const wanted = mints.slice(start, start + MINTS_PER_CALL);
      const rows = await this.#search(wanted.join(','));
      for (const row of rows) {
        if (typeof row.id !== 'string' || !wanted.includes(row.id)) continue;
        if (typeof row.decimals !== 'number' || typeof row.tokenProgram !== 'string') continue;
        facts.push({
          mint: row.id,
          symbol: typeof row.symbol === 'string' ? row.symbol : '',
          name: typeof row.name === 'string' ? row.name : '',
          decimals: row.decimals,
          logoUrl: typeof row.icon === 'string' ? row.icon : '',
          tokenProgram: row.tokenProgram,
        });
      }
    }
    return facts;
  }

  async #search(query: string): Promise<SearchRow[]> {
    try {
      const url = `${this.#venueUrl}/tokens/v2/search?query=${encodeURIComponent(query)}`;
      const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
      const body: unknown = await response.json();
      return Array.isArray(body) ? (body as SearchRow[]) : [];
    } catch (cause) {
      throw new AppError('UNAVAILABLE', undefined, { cause });
    }
  }
}
