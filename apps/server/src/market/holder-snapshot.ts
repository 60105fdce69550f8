import type { Address } from '@hunter/solana/address';
import { encodeBase58 } from '@hunter/solana/base58';
import type { RpcClient } from '@hunter/solana/rpc-client';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import { Loop } from '../platform/loop.ts';
import type { Database } from '../platform/postgres.ts';
import { loadingTransferred, transferBatch, type HolderRow } from './holder-batch.ts';
import type { MarketStore } from './market-store.ts';
import { lockMarketWrites } from './market-write-lock.ts';
import type { TokenRow } from './token-directory.ts';
import { TokenReading } from './token-reading.ts';
import { addTraders } from './trader-directory.ts';

const ROUND_MS = 2_000;
const TOKENS_PER_ROUND = 4;
const STALE_MS = 60 * 60_000;
const PLACES_PER_SLOT = 65_536n;
/** A token account: mint (32), owner (32), amount (8). Only the last two are asked for. */
const OWNER_AND_AMOUNT = { offset: 32, length: 40 };

/**
 * Trades say what traders hold; tokens that were handed out at the start or moved by plain transfers they do not show.
 * So each token's accounts are read from the chain when it is first seen and again every hour, the liveliest first and one
 * in turn. A row is dated by the slot that the node answered from: a trade after it says the newer truth and wins, whichever of
 * the two is stored first. Tokens that left a wallet without a sale are its loss, once the trades up to that slot are stored.
 */
export class HolderSnapshots {
  readonly #rpc: RpcClient;
  readonly #database: Database;
  readonly #store: MarketStore;
  readonly #clock: Clock;
  readonly #onRead: (tokenId: number) => void;
  readonly #reading: TokenReading;
  readonly #loop: Loop;
  /** Tokens whose last reading may be ahead of the trades, and when it is dated. */
  readonly #readAhead = new Map<number, bigint>();

  constructor(deps: {
    rpc: RpcClient;
    database: Database;
    store: MarketStore;
    clock: Clock;
    log: Log;
    /** Told after what was read is stored. */
    onRead: (tokenId: number) => void;
  }) {
    this.#rpc = deps.rpc;
    this.#database = deps.database;
    this.#store = deps.store;
    this.#clock = deps.clock;
    this.#onRead = deps.onRead;
    const name = 'reading of holders';
    this.#reading = new TokenReading({ name, tokens: deps.store.tokens, clock: deps.clock, log: deps.log });
    this.#loop = new Loop({
      name,
      work: () => this.#round(),
      everyMs: ROUND_MS,
      firstAfterMs: ROUND_MS,
      clock: deps.clock,
      log: deps.log,
    });
  }

  start(): void {
    this.#loop.start();
  }

  stop(): Promise<void> {
    return this.#loop.stop();
  }

  async #round(): Promise<void> {
    await this.writeOffTransfers();
    const rows = await this.#database.query<{ id: number }>(
      `with stale as (
         select t.id, s.score, coalesce(t.holders_read_at, t.created_at) as waiting_since
         from token t join token_stats s on s.token_id = t.id
         where (t.holders_read_at is null or t.holders_read_at < $1) and t.id <> all($3::int[])
       )
       (select id from stale order by score desc limit $2)
       union (select id from stale order by waiting_since limit 1)`,
      [new Date(this.#clock.nowMs() - STALE_MS), TOKENS_PER_ROUND - 1, this.#reading.leftAlone()],
    );
    await this.#reading.each(
      rows.map(({ id }) => id),
      (token) => this.read(token),
    );
  }

  async read(token: TokenRow): Promise<void> {
    const { value: accounts, contextSlot: slot } = await this.#rpc.getProgramAccounts(token.tokenProgram as Address, {
      filters: [{ memcmp: { offset: 0, bytes: token.mint } }],
      dataSlice: OWNER_AND_AMOUNT,
    });
    const amounts = new Map<string, bigint>();
    for (const { account } of accounts) {
      if (account.data.length < OWNER_AND_AMOUNT.length) continue;
      const owner = encodeBase58(account.data.subarray(0, 32));
      const amount = Buffer.from(account.data).readBigUInt64LE(32);
      if (owner !== token.pool) amounts.set(owner, (amounts.get(owner) ?? 0n) + amount);
    }
    const seq = slot * PLACES_PER_SLOT + PLACES_PER_SLOT - 1n;
    await this.#save(token, [...amounts], seq);
    this.#readAhead.set(token.id, seq);
    this.#onRead(token.id);
  }

  async writeOffTransfers(): Promise<void> {
    if (this.#readAhead.size === 0) return;
    const [cursor] = await this.#database.query<{ newest: bigint | null }>(
      `select max(newest_seq) as newest from market_cursor`,
    );
    const newestSeq = cursor?.newest ?? 0n;
    const reached = [...this.#readAhead].filter(([, seq]) => seq < newestSeq).map(([id]) => id);
    if (reached.length === 0) return;
    const loading = loadingTransferred(reached, newestSeq);
    await this.#database.transaction(async (sql) => {
      await lockMarketWrites(sql);
      const rows = await sql.query<HolderRow>(loading.text, loading.values);
      if (rows.length === 0) return;
      const found = { atMs: this.#clock.nowMs(), seq: newestSeq };
      for (const { text, values } of transferBatch(rows, found)) await sql.write(text, values);
    });
    for (const id of reached) this.#readAhead.delete(id);
  }

  async #save(token: TokenRow, amounts: readonly (readonly [string, bigint])[], seq: bigint): Promise<void> {
    const owners = amounts.map(([owner]) => owner).sort();
    await addTraders(this.#database, owners);
    await this.#database.transaction(async (sql) => {
      await lockMarketWrites(sql);
      this.#store.storedPairs.forget(token.id);
      await sql.write(
        `insert into holder as h (token_id, trader_id, amount, seq)
         select $1, r.id, a.amount, $4 from unnest($2::text[], $3::numeric[]) as a (address, amount)
         join trader r on r.address = a.address order by r.id
         on conflict (token_id, trader_id) do update set amount = excluded.amount, seq = excluded.seq
         where h.seq < excluded.seq`,
        [token.id, amounts.map(([owner]) => owner), amounts.map(([, amount]) => amount), seq],
      );
      // Whoever is not on the chain any more has nothing left. Of all others the rows are as new as this, or newer, by now.
      await sql.write(`update holder set amount = 0, seq = $2 where token_id = $1 and amount > 0 and seq < $2`, [
        token.id,
        seq,
      ]);
      await sql.write(
        `update token_stats set holders = (select count(*) from holder where token_id = $1 and amount > 0) where token_id = $1`,
        [token.id],
      );
      await sql.write(`update token set holders_read_at = $2 where id = $1`, [token.id, new Date(this.#clock.nowMs())]);
    });
  }
}
