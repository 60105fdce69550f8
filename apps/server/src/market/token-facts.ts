import { address, type Address } from '@hunter/solana/address';
import { AppError } from '@hunter/contract/app-error';
import type { MintExtension } from '@hunter/domain/market/token-safety';
import { systemClock } from '../platform/clock.ts';
import type { Sql } from '../platform/postgres.ts';
import type { Venue } from '../venue/venue.ts';

export type TokenFact = {
  mint: Address;
  symbol: string;
  name: string;
  decimals: number;
  logoUrl: string;
  tokenProgram: Address;
  /** Of a Token-2022 mint, once it was read. */
  extensions?: readonly MintExtension[] | undefined;
};

/** What orders and lists need to know of a token. Tokens that nobody knows are left out of the answer. */
export interface TokenFacts {
  /** Whoever asks within a transaction gives it along: one that waits for a second connection can wait for itself. */
  load(mints: readonly Address[], sql?: Sql): Promise<Map<Address, TokenFact>>;
}

export async function requireToken(facts: TokenFacts, mint: Address, sql?: Sql): Promise<TokenFact> {
  const fact = (await facts.load([mint], sql)).get(mint);
  if (!fact) throw new AppError('TOKEN_UNKNOWN');
  return fact;
}

const NAMES_FRESH_MS = 60_000;
/** So long the venue is not asked again for a token that it does not know. Strangers make as many as they like. */
const UNKNOWN_MS = 30_000;
const UNKNOWN_MAX = 100_000;

/** Tokens as the market store knows them, and as the venue does where the store does not. */
export class StoredTokenFacts implements TokenFacts {
  readonly #sql: Sql;
  readonly #venue: Pick<Venue, 'tokens'>;
  readonly #known = new Map<string, { fact: TokenFact; atMs: number }>();
  /** When the venue was asked for tokens that it did not know. */
  readonly #unknown = new Map<string, number>();

  constructor(sql: Sql, venue: Pick<Venue, 'tokens'>) {
    this.#sql = sql;
    this.#venue = venue;
  }

  async load(mints: readonly Address[], sql = this.#sql): Promise<Map<Address, TokenFact>> {
    const nowMs = systemClock.nowMs();
    const stale = [...new Set(mints)].filter((mint) => (this.#known.get(mint)?.atMs ?? 0) < nowMs - NAMES_FRESH_MS);
    if (stale.length > 0) {
      const listed = await stored(sql, stale);
      const found = new Set<string>(listed.map((fact) => fact.mint));
      const missing = stale.filter(
        (mint) => !found.has(mint) && !this.#known.has(mint) && !this.#isUnknown(mint, nowMs),
      );
      const asked = missing.length > 0 ? await this.#fromVenue(missing) : [];
      this.#remember(missing, asked, nowMs);
      for (const fact of [...listed, ...asked]) this.#known.set(fact.mint, { fact, atMs: nowMs });
    }
    const facts = new Map<Address, TokenFact>();
    for (const mint of mints) {
      const known = this.#known.get(mint);
      if (known) facts.set(mint, known.fact);
    }
    return facts;
  }

  #isUnknown(mint: Address, nowMs: number): boolean {
    const atMs = this.#unknown.get(mint);
    return atMs !== undefined && nowMs - atMs < UNKNOWN_MS;
  }

  #remember(missing: readonly Address[], asked: readonly TokenFact[], nowMs: number): void {
    if (this.#unknown.size > UNKNOWN_MAX) this.#unknown.clear();
    for (const mint of missing) this.#unknown.set(mint, nowMs);
    for (const { mint } of asked) this.#unknown.delete(mint);
  }

  async #fromVenue(mints: readonly Address[]): Promise<TokenFact[]> {
    const tokens = (await this.#venue.tokens?.(mints)) ?? [];
    return tokens.map(({ mint, symbol, name, decimals, logoUrl, tokenProgram }) => ({
      mint: address(mint),
      symbol,
      name,
      decimals,
      logoUrl: logoUrl ?? '',
      tokenProgram: address(tokenProgram),
    }));
  }
}

async function stored(sql: Sql, mints: readonly Address[]): Promise<TokenFact[]> {
  const rows = await sql.query<Omit<TokenFact, 'extensions'> & { extensions: readonly MintExtension[] | null }>(
    `select t.mint, t.symbol, t.name, t.decimals, coalesce(t.logo_url, '') as "logoUrl", t.token_program as "tokenProgram",
       f.facts -> 'extensions' as extensions
     from token t left join token_safety f on f.token_id = t.id where t.mint = any($1::text[])`,
    [mints],
  );
  return rows.map(({ extensions, ...fact }) => ({ ...fact, extensions: extensions ?? undefined }));
}
