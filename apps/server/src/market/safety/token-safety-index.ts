import type { CallReply } from '@hunter/contract/calls';
import type { CopyableCoin } from '@hunter/domain/copying/copyable-coin';
import { overallSafety, safetyBadges, transferTaxOf, type SafetyLevel } from '@hunter/domain/market/token-safety';
import type { RpcClient } from '@hunter/solana/rpc-client';
import type { Address } from '@hunter/solana/address';
import { type Clock, wasInPast } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import { Loop } from '../../platform/loop.ts';
import type { Database } from '../../platform/postgres.ts';
import type { TokenDirectory, TokenRow } from '../token-directory.ts';
import { factsOf, readMintFacts, topTenBps, type StoredFacts } from './read-mint-facts.ts';

const STALE_MS = 10 * 60_000;
/** What could not be read is tried again soon. */
const UNREAD_MS = 15_000;
const ROUND_MS = 5_000;
const TOKENS_PER_ROUND = 20;

type Known = { facts: StoredFacts; checkedAtMs: number };
/** What every trade changes: as the market's figures have it now. */
type Live = { liquidityLamports: bigint | null; topTenUnits: bigint | null };
const LIVE = `s.pool_lamports as "liquidityLamports", s.top_ten_units as "topTenUnits"`;

/** Safety badges of all tokens: read from the chain, kept in the store, refreshed the liveliest first. */
export class TokenSafetyIndex {
  readonly #rpc: RpcClient;
  readonly #database: Database;
  readonly #tokens: TokenDirectory;
  readonly #clock: Clock;
  readonly #onRead: (tokenId: number) => void;
  readonly #known = new Map<number, Known>();
  readonly #loop: Loop;

  constructor(deps: {
    rpc: RpcClient;
    database: Database;
    tokens: TokenDirectory;
    clock: Clock;
    log: Log;
    /** Told when a token's facts were read anew. */
    onRead: (tokenId: number) => void;
  }) {
    this.#rpc = deps.rpc;
    this.#database = deps.database;
    this.#tokens = deps.tokens;
    this.#clock = deps.clock;
    this.#onRead = deps.onRead;
    this.#loop = new Loop({
      name: 'refresh of token safety',
      work: () => this.#refreshRound(),
      everyMs: ROUND_MS,
      firstAfterMs: ROUND_MS,
      clock: deps.clock,
      log: deps.log,
    });
  }

  /** Reads what is stored, of some tokens or of all. */
  async load(tokenIds: readonly number[] | null = null): Promise<void> {
    const rows = await this.#database.query<
      { tokenId: number; supply: bigint; facts: StoredFacts; checkedAt: Date } & Live
    >(
      `select f.token_id as "tokenId", t.supply, f.facts, f.checked_at as "checkedAt", ${LIVE}
       from token_safety f join token t on t.id = f.token_id join token_stats s on s.token_id = f.token_id
       where $1::int[] is null or f.token_id = any($1::int[])`,
      [tokenIds],
    );
    for (const { tokenId, supply, facts, checkedAt, topTenUnits } of rows)
      this.#known.set(tokenId, { facts: withTopTen(facts, topTenUnits, supply), checkedAtMs: checkedAt.getTime() });
  }

  start(): void {
    this.#loop.start();
  }

  stop(): Promise<void> {
    return this.#loop.stop();
  }

  /** For lists: from what is known now, without reading anything. */
  levelOf(mint: Address, nameFlags: readonly string[]): SafetyLevel {
    if (nameFlags.length > 0) return 'danger';
    const token = this.#tokens.get(mint);
    const known = token && this.#known.get(token.id);
    if (!token || !known) return 'unknown';
    return overallSafety(
      safetyBadges(factsOf(known.facts, { ageMs: undefined, liquidityLamports: undefined })).slice(0, 5),
    );
  }

  async badgesOf(token: TokenRow): Promise<CallReply<'getTokenBaseInfo'>['safety']> {
    const known = this.#known.get(token.id) ?? (await this.#read(token));
    const [live] = await this.#database.query<Live>(`select ${LIVE} from token_stats s where s.token_id = $1`, [
      token.id,
    ]);
    return this.#badges(token, known, live);
  }

  #badges(token: TokenRow, known: Known, live: Live | undefined): CallReply<'getTokenBaseInfo'>['safety'] {
    const ageMs = this.#clock.nowMs() - token.createdAt.getTime();
    const stored = withTopTen(known.facts, live?.topTenUnits ?? null, token.supply);
    const facts = factsOf(stored, { ageMs, liquidityLamports: live?.liquidityLamports ?? undefined });
    return {
      checkedAt: known.checkedAtMs,
      transferTax: transferTaxOf(facts.extensions),
      badges: [
        ...safetyBadges(facts),
        {
          key: 'name',
          level: token.nameFlags.length > 0 ? 'danger' : 'ok',
          value: token.nameFlags.length > 0 ? token.nameFlags.join(', ') : null,
        },
      ],
    };
  }

  /** What decides whether followers may buy a coin, as far as it stands in its mint and its badges. */
  async copyFactsOf(mint: Address): Promise<Pick<CopyableCoin, 'badges' | 'mintAuthority' | 'ageMs'>> {
    const token = this.#tokens.get(mint);
    if (!token) return { badges: ['unknown'], mintAuthority: 'unknown', ageMs: 0 };
    // Money depends on it, so it is read where every process sees the same.
    const [stored] = await this.#database.query<{ facts: StoredFacts | null; checkedAt: Date | null } & Live>(
      `select f.facts, f.checked_at as "checkedAt", ${LIVE}
       from token t left join token_safety f on f.token_id = t.id left join token_stats s on s.token_id = t.id where t.id = $1`,
      [token.id],
    );
    const { facts, checkedAt } = stored!;
    if (facts !== null) this.#known.set(token.id, { facts, checkedAtMs: checkedAt!.getTime() });
    // What could not be read before may be readable now, and a follower's purchase waits for it.
    const known = facts?.mintAuthority === undefined ? await this.#read(token) : this.#known.get(token.id)!;
    const { mintAuthority } = known.facts;
    return {
      badges: this.#badges(token, known, stored).badges.map(({ level }) => level),
      mintAuthority: mintAuthority === undefined ? 'unknown' : mintAuthority === null ? 'given-up' : 'kept',
      ageMs: this.#clock.nowMs() - token.createdAt.getTime(),
    };
  }

  async #read(token: TokenRow): Promise<Known> {
    const { facts, supply } = await readMintFacts(this.#rpc, this.#database, token);
    if (supply !== undefined) await this.#tokens.saveSupply(token.mint, supply);
    const known = { facts, checkedAtMs: this.#clock.nowMs() };
    this.#known.set(token.id, known);
    await this.#database.write(
      `insert into token_safety (token_id, facts, checked_at) values ($1, $2, $3)
       on conflict (token_id) do update set facts = excluded.facts, checked_at = excluded.checked_at`,
      [token.id, JSON.stringify(facts), new Date(known.checkedAtMs)],
    );
    this.#onRead(token.id);
    return known;
  }

  async #refreshRound(): Promise<void> {
    const nowMs = this.#clock.nowMs();
    // In a past that is being made hours pass in a moment: what could be read once will do.
    const staleMs = wasInPast() ? 0 : nowMs - STALE_MS;
    const rows = await this.#database.query<{ mint: Address }>(
      `select t.mint from token t join token_stats s on s.token_id = t.id left join token_safety f on f.token_id = t.id
       where f.token_id is null or f.checked_at < $1
          or (f.checked_at < $2 and (f.facts -> 'extensions' is null or f.facts -> 'topTenBps' is null))
       order by s.score desc limit $3`,
      [new Date(staleMs), new Date(nowMs - UNREAD_MS), TOKENS_PER_ROUND],
    );
    for (const { mint } of rows) {
      const token = this.#tokens.get(mint);
      if (token) await this.#read(token);
    }
  }
}

function withTopTen(facts: StoredFacts, topTenUnits: bigint | null, supply: bigint): StoredFacts {
  return wasInPast() ? facts : { ...facts, topTenBps: topTenBps(topTenUnits, supply) };
}
