import { isDeepStrictEqual } from 'node:util';
import { priceOfTrade } from '@hunter/domain/price';
import type { Database, Sql } from '../platform/postgres.ts';
import { flagArray, numberArray, textArray, timeArray, type Statement } from './array-text.ts';
import { candleBatch, HOUR_MS, rollingHours, type PricedTrade } from './candle-batch.ts';
import { holderBatch, loadingHolders, type HolderPair, type HolderRow, type HolderTrade } from './holder-batch.ts';
import { lockMarketWrites } from './market-write-lock.ts';
import { CursorMoved, type MarketSink, type MarketToken, type MarketTrade } from './market-source.ts';
import { TokenDirectory, type TokenRow } from './token-directory.ts';
import { TraderDirectory } from './trader-directory.ts';

const MICRO = 1_000_000n;
const LAMPORTS_PER_SOL = 1_000_000_000n;
/** From a price with 18 decimals to micro-dollars. */
const PRICE_TO_MICRO_DECIMALS = 12;

export type StoredTrade = PricedTrade &
  HolderTrade & {
    mint: string;
    wallet: string;
    signature: string;
    priceSol: bigint;
    solUsdMicro: bigint;
    poolLamportsAfter: bigint | null;
    poolUnitsAfter: bigint | null;
  };

/** A trade of a known token by a known wallet. */
type PlacedTrade = { trade: MarketTrade; tokenId: number; traderId: number };

/** From `after`, where that is known, to `cursor`. */
type CursorMove = { source: string; cursor: unknown; after: unknown };

type Listener = (trades: readonly StoredTrade[]) => void;

/** Writes trades with everything that follows from them in one transaction with the source's cursor. */
export class MarketStore implements MarketSink {
  readonly tokens: TokenDirectory;
  readonly #database: Database;
  readonly #traders = new TraderDirectory();
  readonly #flagsOf: (token: MarketToken) => string[];
  readonly #shown: (token: MarketToken) => { name: string; symbol: string };
  readonly #listeners = new Set<Listener>();
  readonly #resetListeners = new Set<() => void>();
  /** Where each source was when the listeners were last told of its trades. */
  readonly #told = new Map<string, unknown>();

  /** `flagsOf` judges the name as the outside gave it; `shown` is what is kept of it for display. */
  constructor(
    database: Database,
    flagsOf: (token: MarketToken) => string[],
    shown: (token: MarketToken) => { name: string; symbol: string },
  ) {
    this.#database = database;
    this.#flagsOf = flagsOf;
    this.#shown = shown;
    this.tokens = new TokenDirectory(database);
  }

  /** Called after the commit with the trades that were new, oldest first. */
  onTrades(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Called where the store is not what the listeners were told: whatever follows it has to be read again. */
  onReset(listener: () => void): () => void {
    this.#resetListeners.add(listener);
    return () => this.#resetListeners.delete(listener);
  }

  async loadCursor(source: string): Promise<unknown> {
    const rows = await this.#database.query<{ cursor: unknown }>(`select cursor from market_cursor where source = $1`, [
      source,
    ]);
    const cursor = rows[0]?.cursor ?? null;
    if (this.#told.has(source) && !isDeepStrictEqual(this.#told.get(source), cursor)) {
      this.#told.delete(source);
      for (const listener of this.#resetListeners) listener();
    }
    return cursor;
  }

  async storeTokens(tokens: readonly MarketToken[]): Promise<void> {
    // A source may list the same token in several of its lists.
    const distinct = [...new Map(tokens.map((token) => [token.mint, token])).values()];
    await this.tokens.save(distinct.map((token) => ({ ...token, ...this.#shown(token), flags: this.#flagsOf(token) })));
  }

  async storeTrades(trades: readonly MarketTrade[], source: string, cursor: unknown, after?: unknown): Promise<void> {
    const known = trades.filter((trade) => this.tokens.get(trade.mint) && trade.baseUnits > 0n && trade.lamports > 0n);
    const traderIds = await this.#traders.idsOf(
      this.#database,
      known.map((trade) => trade.wallet),
    );
    const placed = inOrder(
      known.map((trade, index) => ({ trade, tokenId: this.tokens.get(trade.mint)!.id, traderId: traderIds[index]! })),
    );
    const capOf = (trade: StoredTrade) => marketCapOf(trade, this.tokens.get(trade.mint)!);
    const priceOf = (one: PlacedTrade) => this.#price(one);
    const move = { source, cursor, after };
    const fresh = await this.#database.transaction((sql) => storeBatch(sql, placed, move, priceOf, capOf));
    this.#told.set(source, cursor);
    if (fresh.length > 0) for (const listener of this.#listeners) listener(fresh);
  }

  #price({ trade, tokenId, traderId }: PlacedTrade): StoredTrade {
    const priceSol = priceOfTrade(trade.lamports, trade.baseUnits, this.tokens.get(trade.mint)!.decimals);
    const priceUsd = (priceSol * trade.solUsdMicro) / MICRO;
    return {
      tokenId,
      traderId,
      mint: trade.mint,
      wallet: trade.wallet,
      signature: trade.signature,
      seq: trade.seq,
      atMs: trade.atMs,
      isBuy: trade.isBuy,
      lamports: trade.lamports,
      baseUnits: trade.baseUnits,
      unitsAfter: trade.walletUnitsAfter,
      priceSol,
      priceUsd,
      valueUsd: (trade.lamports * trade.solUsdMicro) / LAMPORTS_PER_SOL,
      solUsdMicro: trade.solUsdMicro,
      poolLamportsAfter: trade.poolLamportsAfter,
      poolUnitsAfter: trade.poolUnitsAfter,
    };
  }
}

/** Oldest first, each once: a source may repeat a trade inside one batch. */
function inOrder(trades: PlacedTrade[]): PlacedTrade[] {
  trades.sort((a, b) => (a.trade.seq < b.trade.seq ? -1 : a.trade.seq > b.trade.seq ? 1 : a.tokenId - b.tokenId));
  return trades.filter((one, index) => {
    const last = trades[index - 1];
    return last === undefined || last.trade.seq !== one.trade.seq || last.tokenId !== one.tokenId;
  });
}

/**
 * Answers the trades that were new. The database and this process work at the same time: statements are sent without
 * waiting for those before them, and while one runs the next is worked out.
 */
async function storeBatch(
  sql: Sql,
  placed: readonly PlacedTrade[],
  move: CursorMove,
  priceOf: (trade: PlacedTrade) => StoredTrade,
  capOf: (trade: StoredTrade) => bigint,
): Promise<readonly StoredTrade[]> {
  const moving = moveCursor(sql, move, placed.at(-1)?.trade.seq ?? 0n);
  if (placed.length === 0) {
    await moving;
    return [];
  }
  const loading = awaitedLater(Promise.all([moving, loadHolders(sql, placed)]));
  await nextTurn();
  const trades = placed.map(priceOf);
  const columns = tradeColumns(trades);
  const [{ newestSeq, rolledToMs }, holders] = await loading;
  // Where all are newer than anything stored, none can be there before, and the insert need not look.
  if (trades[0]!.seq > newestSeq) {
    const inserting = sql.query(TRADE_ROWS, columns);
    // The first refusal is the one that counts: those after it only say that the transaction is over.
    await Promise.all([inserting, sendAll(sql, consequencesOf(trades, holders, rolledToMs, capOf))]);
    return trades;
  }
  const fresh = await insertMissing(sql, trades, columns);
  if (fresh.length === 0) return fresh;
  const held = fresh.length === trades.length ? holders : await loadHolders(sql, fresh);
  await sendAll(sql, consequencesOf(fresh, held, rolledToMs, capOf));
  return fresh;
}

/** Sends each statement as soon as it is there; settles once all have been answered, or one was refused. */
async function sendAll(sql: Sql, statements: AsyncIterable<Statement>): Promise<void> {
  const answers: Promise<unknown>[] = [];
  for await (const { text, values } of statements) answers.push(awaitedLater(sql.query(text, values)));
  await Promise.all(answers);
}

/** Until it is awaited, a refusal does not count as one that nobody handles. */
function awaitedLater<T>(answer: Promise<T>): Promise<T> {
  answer.catch(() => {});
  return answer;
}

function loadHolders(sql: Sql, trades: readonly HolderPair[]): Promise<HolderRow[]> {
  const { text, values } = loadingHolders(trades);
  return sql.query<HolderRow>(text, values);
}

/** Everything that follows from trades. Between its parts the socket gets its turn, so that each is on its way at once. */
async function* consequencesOf(
  trades: readonly StoredTrade[],
  holders: readonly HolderRow[],
  rolledToMs: number,
  capOf: (trade: StoredTrade) => bigint,
): AsyncGenerator<Statement> {
  await nextTurn();
  yield* candleBatch(trades, rolledToMs);
  await nextTurn();
  const { statements, holderChanges } = holderBatch(holders, trades);
  yield* statements;
  await nextTurn();
  yield statsBatch(trades, holderChanges, capOf);
  const newestHourMs = Math.floor(trades.at(-1)!.atMs / HOUR_MS) * HOUR_MS;
  if (newestHourMs > rolledToMs) yield* rollingHours(newestHourMs);
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/**
 * Takes the lock of the market's writers and moves the cursor; answers the newest trade stored before, and up to when
 * hours are rolled up. Commits of the market do not wait for the disk: the cursor is part of what they commit, so whatever
 * a power cut takes away is read from the chain again.
 */
async function moveCursor(
  sql: Sql,
  { source, cursor, after }: CursorMove,
  newestSeq: bigint,
): Promise<{ newestSeq: bigint; rolledToMs: number }> {
  const locking = lockMarketWrites(sql);
  const moving = sql.query<{ newest: bigint | null; rolledToMs: number }>(
    `insert into market_cursor as m (source, cursor, newest_seq) select $1, $2::jsonb, $3
     where not $4 or $5::jsonb is not distinct from (select cursor from market_cursor where source = $1)
     on conflict (source) do update set cursor = excluded.cursor, updated_at = now(),
       newest_seq = greatest(m.newest_seq, excluded.newest_seq)
     returning (select max(newest_seq) from market_cursor) as newest,
       (select (extract(epoch from rolled_to) * 1000)::float8 from candle_roll) as "rolledToMs"`,
    [source, JSON.stringify(cursor), newestSeq, after !== undefined, after == null ? null : JSON.stringify(after)],
  );
  const [rows] = await Promise.all([moving, locking]);
  if (rows.length === 0) throw new CursorMoved(source);
  return { newestSeq: rows[0]!.newest ?? 0n, rolledToMs: rows[0]!.rolledToMs };
}

const TRADE_ROWS = `insert into trade
    (token_id, seq, at, is_buy, lamports, base_units, price_sol, price_usd, value_usd, trader_id, signature)
  select * from unnest($1::int[], $2::bigint[], $3::timestamptz[], $4::bool[], $5::bigint[], $6::numeric[],
                       $7::numeric[], $8::numeric[], $9::bigint[], $10::int[], $11::text[])`;

function tradeColumns(trades: readonly StoredTrade[]): string[] {
  return [
    numberArray(trades, (trade) => trade.tokenId),
    numberArray(trades, (trade) => trade.seq),
    timeArray(trades, (trade) => trade.atMs),
    flagArray(trades, (trade) => trade.isBuy),
    numberArray(trades, (trade) => trade.lamports),
    numberArray(trades, (trade) => trade.baseUnits),
    numberArray(trades, (trade) => trade.priceSol),
    numberArray(trades, (trade) => trade.priceUsd),
    numberArray(trades, (trade) => trade.valueUsd),
    numberArray(trades, (trade) => trade.traderId),
    textArray(trades, (trade) => trade.signature),
  ];
}

/** Answers only those that were not there before. */
async function insertMissing(
  sql: Sql,
  trades: readonly StoredTrade[],
  columns: readonly string[],
): Promise<readonly StoredTrade[]> {
  const rows = await sql.query<{ tokenId: number; seq: bigint }>(
    `${TRADE_ROWS} on conflict do nothing returning token_id as "tokenId", seq`,
    columns,
  );
  const added = new Set(rows.map(({ tokenId, seq }) => `${tokenId}:${seq}`));
  return trades.filter((trade) => added.has(`${trade.tokenId}:${trade.seq}`));
}

type StatsRow = { trade: StoredTrade; count: number };

function statsBatch(
  trades: readonly StoredTrade[],
  holderChanges: ReadonlyMap<number, number>,
  capOf: (trade: StoredTrade) => bigint,
): Statement {
  const latest = new Map<number, StatsRow>();
  for (const trade of trades) {
    const row = latest.get(trade.tokenId);
    if (row) {
      row.trade = trade;
      row.count += 1;
    } else latest.set(trade.tokenId, { trade, count: 1 });
  }
  const rows = [...latest.values()].sort((a, b) => a.trade.tokenId - b.trade.tokenId);
  return {
    text: `update token_stats s set
       trades = s.trades + n.count, holders = greatest(0, s.holders + n.holders),
       last_seq = greatest(s.last_seq, n.seq),
       last_trade_at = case when n.seq > s.last_seq then n.at else s.last_trade_at end,
       price_sol = case when n.seq > s.last_seq then n.price_sol else s.price_sol end,
       price_usd = case when n.seq > s.last_seq then n.price_usd else s.price_usd end,
       pool_lamports = case when n.seq > s.last_seq then coalesce(n.pool_lamports, s.pool_lamports) else s.pool_lamports end,
       pool_tokens = case when n.seq > s.last_seq then coalesce(n.pool_tokens, s.pool_tokens) else s.pool_tokens end,
       market_cap_usd = case when n.seq > s.last_seq then n.market_cap else s.market_cap_usd end,
       liquidity_usd = case when n.seq > s.last_seq
         then coalesce(n.liquidity, trunc(2 * s.pool_lamports * n.sol_usd / 1000000000)) else s.liquidity_usd end
     from unnest($1::int[], $2::int[], $3::int[], $4::bigint[], $5::timestamptz[], $6::numeric[], $7::numeric[],
                 $8::numeric[], $9::numeric[], $10::numeric[], $11::numeric[], $12::numeric[])
          as n (token_id, count, holders, seq, at, price_sol, price_usd, pool_lamports, pool_tokens, market_cap, liquidity, sol_usd)
     where s.token_id = n.token_id`,
    values: [
      numberArray(rows, ({ trade }) => trade.tokenId),
      numberArray(rows, ({ count }) => count),
      numberArray(rows, ({ trade }) => holderChanges.get(trade.tokenId) ?? 0),
      numberArray(rows, ({ trade }) => trade.seq),
      timeArray(rows, ({ trade }) => trade.atMs),
      numberArray(rows, ({ trade }) => trade.priceSol),
      numberArray(rows, ({ trade }) => trade.priceUsd),
      numberArray(rows, ({ trade }) => trade.poolLamportsAfter),
      numberArray(rows, ({ trade }) => trade.poolUnitsAfter),
      numberArray(rows, ({ trade }) => capOf(trade)),
      numberArray(rows, ({ trade }) => liquidityOf(trade)),
      numberArray(rows, ({ trade }) => trade.solUsdMicro),
    ],
  };
}

/** Both sides of the pool: a constant product keeps them equal in value. */
function liquidityOf({ poolLamportsAfter, solUsdMicro }: StoredTrade): bigint | null {
  return poolLamportsAfter === null ? null : (2n * poolLamportsAfter * solUsdMicro) / LAMPORTS_PER_SOL;
}

function marketCapOf({ priceUsd }: StoredTrade, { supply, decimals }: TokenRow): bigint {
  return (priceUsd * supply) / 10n ** BigInt(decimals + PRICE_TO_MICRO_DECIMALS);
}
