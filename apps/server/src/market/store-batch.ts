import type { Sql } from '../platform/postgres.ts';
import type { Statement } from './bulk-rows.ts';
import { candleBatch, HOUR_MS, rollingHours } from './candle-batch.ts';
import { holderBatch, loadingHolders, type HolderPair, type HolderRow } from './holder-batch.ts';
import { CursorMoved, type MarketTrade } from './market-source.ts';
import { lockMarketWrites } from './market-write-lock.ts';
import { statsBatch } from './stats-batch.ts';
import type { StoredPairs } from './stored-pairs.ts';
import type { StoredTrade } from './stored-trade.ts';
import { insertingTrades, tradeColumns } from './trade-rows.ts';

const TRADE_ROWS = insertingTrades('trade');

/** Who catches up learns which holders tokens have, some tokens at a time; for the few trades of a moment it is not worth it. */
const LEARN_FROM_TRADES = 1_000;
const LEARN_TOKENS_MAX = 100;

/** A trade of a known token by a known wallet. */
export type PlacedTrade = { trade: MarketTrade; tokenId: number; traderId: number };

/** From `after`, where that is known, to `cursor`. */
type CursorMove = { source: string; cursor: unknown; after: unknown };

/**
 * Answers the trades that were new. The database and this process work at the same time: statements are sent without
 * waiting for those before them, and while one runs the next is worked out.
 */
export async function storeBatch(
  sql: Sql,
  placed: readonly PlacedTrade[],
  move: CursorMove,
  storedPairs: StoredPairs,
  priceOf: (trade: PlacedTrade) => StoredTrade,
  capOf: (trade: StoredTrade) => bigint,
): Promise<readonly StoredTrade[]> {
  const moving = awaitedLater(moveCursor(sql, move, placed));
  if (placed.length === 0) {
    await moving;
    return [];
  }
  const unasked = placed.filter((pair) => !storedPairs.mayHave(pair));
  const asked = unasked.length === 0 ? placed : placed.filter((pair) => storedPairs.mayHave(pair));
  const loading = awaitedLater(loadHolders(sql, asked));
  const learning = awaitedLater(learnPairs(sql, placed, storedPairs));
  await nextTurn();
  const trades = placed.map(priceOf);
  const columns = tradeColumns(trades);
  const { newestSeq, rolledToMs } = await moving;
  // Until the lock was ours, somebody else may have stored some of them.
  const late = unasked.filter((pair) => storedPairs.mayHave(pair));
  const loadingLate = late.length > 0 ? awaitedLater(loadHolders(sql, late)) : [];
  // Where all are newer than anything stored, none can be there before, and the insert need not look.
  const isNew = trades[0]!.seq > newestSeq;
  const inserting = isNew ? awaitedLater(sql.write(TRADE_ROWS, columns)) : undefined;
  const holders = [...(await loading), ...(await loadingLate)];
  await learning;
  storedPairs.add(placed);
  if (inserting) {
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
  for await (const { text, values } of statements) answers.push(awaitedLater(sql.write(text, values)));
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

/** Learns the stored pairs of tokens that a large batch trades, as they are before it. */
async function learnPairs(sql: Sql, trades: readonly HolderPair[], storedPairs: StoredPairs): Promise<void> {
  if (trades.length < LEARN_FROM_TRADES) return;
  const unknown = new Set<number>();
  for (const { tokenId } of trades) {
    if (unknown.size < LEARN_TOKENS_MAX && !storedPairs.hasLearnt(tokenId)) unknown.add(tokenId);
  }
  if (unknown.size === 0) return;
  const tokenIds = [...unknown];
  const stored = await sql.query<HolderPair>(
    `select token_id as "tokenId", trader_id as "traderId" from holder where token_id = any($1)`,
    [tokenIds],
  );
  storedPairs.learn(tokenIds, stored);
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
  placed: readonly PlacedTrade[],
): Promise<{ newestSeq: bigint; rolledToMs: number }> {
  const locking = lockMarketWrites(sql);
  const moving = sql.write<{ newest: bigint | null; rolledToMs: number }>(
    `insert into market_cursor as m (source, cursor, newest_seq, since) select $1, $2::jsonb, $3, $6
     where not $4 or $5::jsonb is not distinct from (select cursor from market_cursor where source = $1)
     on conflict (source) do update set cursor = excluded.cursor, updated_at = now(),
       newest_seq = greatest(m.newest_seq, excluded.newest_seq), since = least(m.since, excluded.since)
     returning (select max(newest_seq) from market_cursor) as newest,
       (select (extract(epoch from rolled_to) * 1000)::float8 from candle_roll) as "rolledToMs"`,
    [
      source,
      JSON.stringify(cursor),
      placed.at(-1)?.trade.seq ?? 0n,
      after !== undefined,
      after == null ? null : JSON.stringify(after),
      placed[0] ? new Date(placed[0].trade.atMs) : null,
    ],
  );
  const [rows] = await Promise.all([moving, locking]);
  if (rows.length === 0) throw new CursorMoved(source);
  return { newestSeq: rows[0]!.newest ?? 0n, rolledToMs: rows[0]!.rolledToMs };
}

/** Answers only those that were not there before. */
async function insertMissing(
  sql: Sql,
  trades: readonly StoredTrade[],
  columns: readonly string[],
): Promise<readonly StoredTrade[]> {
  const rows = await sql.write<{ tokenId: number; seq: bigint }>(
    `${TRADE_ROWS} on conflict do nothing returning token_id as "tokenId", seq`,
    columns,
  );
  const added = new Set(rows.map(({ tokenId, seq }) => `${tokenId}:${seq}`));
  return trades.filter((trade) => added.has(`${trade.tokenId}:${trade.seq}`));
}
