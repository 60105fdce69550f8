// The end of a strategy, by its creator or because its time is over:
//   1. one transaction marks the strategy ending and all its follows closing, and closes their books to anything but selling;
//   2. with auto clear every coin is sold in one swap, the creator's and all followers' together; without it followers' coins are
//      sold and the creator's go to him in kind;
//   3. what followers have is returned, as many per transaction as fit; then the creator's own.

import { AppError } from '@hunter/contract/app-error';
import { lamports } from '@hunter/domain/numbers/lamports';
import { smaller } from '@hunter/domain/numbers/rounding';
import { raiseAlerts } from '../alerts/raise-alerts.ts';
import { beginClosingBooks, loadPersonalBook } from '../ledger/books.ts';
import { lockCashOf } from '../ledger/balances.ts';
import { SOL } from '../ledger/journal.ts';
import { loadUnsoldTrips } from '../ledger/positions.ts';
import { hasUnclaimed } from '../ledger/wallet-balance.ts';
import { ACCOUNT_MINIMUM_LAMPORTS, WALLET_MINIMUM_LAMPORTS } from '../ledger/wallet-minimum.ts';
import type { Sql } from '../platform/postgres.ts';
import { requestOrderId } from '../trading/request-order-id.ts';
import { placeTransfer } from '../treasury/transfers/place-transfer.ts';
import { haveReturnsFailed, loadFrozenBooks, loadReturned } from '../treasury/transfers/transfer-store.ts';
import { loadHoldings } from './book-holdings.ts';
import { closeFollows } from './cancel-follow.ts';
import { tryAgainAt } from './closing-tries.ts';
import { closingSlippage, sellTogether, trySale } from './copying/exit-follows.ts';
import { CLOSE_REFUSALS_MAX, CLOSING_FEES_LAMPORTS, RETURN_FEE_LAMPORTS } from './costs.ts';
import { tellFollows } from './follow-store.ts';
import { waitUntilQuiet } from './open-orders.ts';
import { endPerformance } from './performance/end-performance.ts';
import { markStrategies } from './performance/mark-strategies.ts';
import { loadReferences, valueInKind } from './performance/value-in-kind.ts';
import { coinsToSend, largestReturn, loadCommitted } from './return-funds.ts';
import type { Strategies } from './strategies.ts';
import { loadStrategyById, lockStrategy, type Strategy } from './strategy-store.ts';

/** A coin that cannot be sent, such as one whose issuer froze the account, then no longer keeps the SOL beside it. */
const FAILED_BESIDE_COINS_MAX = 3;

/** Idempotent: ending what has ended changes nothing. */
export async function endStrategy(deps: Strategies, strategyId: string): Promise<void> {
  const closing = await deps.lanes.run(strategyId, 'exit', () => beginEnding(deps, strategyId));
  await tellFollows(deps, closing);
  await continueEnding(deps, strategyId);
}

async function beginEnding(deps: Strategies, strategyId: string): Promise<string[]> {
  return deps.database.transaction(async (sql) => {
    await deps.lanes.requireOwned(sql, strategyId);
    const strategy = await lockStrategy(sql, strategyId, 'round');
    if (strategy.status === 'publishing') throw new AppError('TRADE_UNDER_WAY');
    if (strategy.status !== 'running') return [];
    await sql.write(`update strategy set status = 'ending' where id = $1`, [strategyId]);
    const rows = await sql.write<{ id: string; userId: string; bookId: string }>(
      `update follow set status = 'closing', closed_by = 'strategy-end', progress_done = 0, progress_total = 0
       where strategy_id = $1 and status in ('opening', 'active') returning id, user_id as "userId", book_id as "bookId"`,
      [strategyId],
    );
    const body = { kind: 'strategy-ended', slug: strategy.slug, strategyName: strategy.name } as const;
    const told = new Set([strategy.userId, ...rows.map(({ userId }) => userId)]);
    await raiseAlerts(
      sql,
      [...told].map((userId) => ({ userId, reference: strategyId, body })),
    );
    await beginClosingBooks(sql, [strategy.bookId, ...rows.map((row) => row.bookId)]);
    return rows.map((row) => row.id);
  });
}

/** Carries an ending strategy on, as far as chain and market answer; called again until it has ended. */
export function continueEnding(deps: Strategies, strategyId: string): Promise<void> {
  return deps.work.run(`end ${strategyId}`, async () => {
    const isSold = await deps.lanes.run(strategyId, 'exit', () => sellEverything(deps, strategyId), 'end');
    await closeFollows(deps, strategyId);
    // A rest that nobody buys keeps its follow open, but not the creator's capital: that waits only for first tries and returns.
    const [open] = await deps.database.query(
      `select 1 from follow where strategy_id = $1 and status <> 'closed' and (close_attempts = 0 or return_id is not null) limit 1`,
      [strategyId],
    );
    if (isSold && open === undefined) await finishStrategy(deps, await loadStrategyById(deps.database, strategyId));
  });
}

/** True once nothing of the creator's is left to be sold. */
async function sellEverything(deps: Strategies, strategyId: string): Promise<boolean> {
  const { database, clock } = deps;
  const strategy = await loadStrategyById(database, strategyId);
  if (strategy.status !== 'ending') return false;
  const isSelling = strategy.autoClear && strategy.closeRefusals < CLOSE_REFUSALS_MAX;
  if (isSelling && strategy.closeNotBefore !== null && strategy.closeNotBefore.getTime() > clock.nowMs()) return false;
  // Also where nothing is sold: what a round still trades belongs into the record and what is returned.
  if (!(await waitUntilQuiet(deps, strategy.walletId))) return false;
  if (!isSelling) return true;
  const follows = await database.query<{ followId: string; userId: string; bookId: string }>(
    `select id as "followId", user_id as "userId", book_id as "bookId" from follow
     where strategy_id = $1 and status = 'closing' and not in_kind`,
    [strategyId],
  );
  const own = { followId: null, userId: strategy.userId, bookId: strategy.bookId };
  const { tokens } = (await loadHoldings(database, [strategy.bookId])).get(strategy.bookId)!;
  if (tokens.size === 0) return true;
  const slippageBps = closingSlippage(strategy.closeRefusals);
  const results = [];
  for (const mint of tokens.keys()) {
    const sale = sellTogether(deps, strategy, mint, [own, ...follows], { slippageBps, kind: 'close' });
    results.push(await trySale(sale));
  }
  const isWaiting = results.includes('unavailable');
  await database.write(
    `update strategy set close_attempts = close_attempts + 1, close_refusals = close_refusals + $2, close_not_before = $3
     where id = $1`,
    [
      strategyId,
      results.includes('refused') ? 1 : 0,
      isWaiting ? tryAgainAt(clock.nowMs(), strategy.closeAttempts) : null,
    ],
  );
  return results.every((result) => result === 'sold');
}

async function finishStrategy(deps: Strategies, strategy: Strategy): Promise<void> {
  const { database, clock } = deps;
  if (strategy.status !== 'ending') return;
  // The record is complete before the book is emptied.
  await markStrategies(deps, [strategy.id]);
  const { tokens } = (await loadHoldings(database, [strategy.bookId])).get(strategy.bookId)!;
  const mints = [...tokens.keys()];
  const [pools, references] = await Promise.all([deps.pools.load(mints), loadReferences(deps, strategy.id, mints)]);
  await database.transaction(async (sql) => {
    const { status } = await lockStrategy(sql, strategy.id, 'round');
    if (status !== 'ending') return;
    // What was posted since the mark is in the record as well as in what is returned, or in neither.
    await lockCashOf(sql, strategy.bookId, SOL);
    const unrecorded = await deps.loadUnrecorded(sql, [strategy.id]);
    const book = (await loadHoldings(sql, [strategy.bookId])).get(strategy.bookId)!;
    const coins = await valueInKind(sql, strategy.bookId, book, { pools, references });
    const now = new Date(clock.nowMs());
    const emptied = { lamports: lamports(book.lamports + book.rentLamports), tokens: coins };
    const unsold = await loadUnsoldTrips(sql, [strategy.bookId]);
    const ended = { strategyId: strategy.id, bookId: strategy.bookId };
    await endPerformance(sql, ended, { emptied, unsold }, now, unrecorded);
    await sql.write(`update strategy set status = 'ended', ended_at = $2 where id = $1`, [strategy.id, now]);
  });
  await returnCapital(deps, strategy.id);
}

/**
 * Sends what an ended strategy's own book has to its creator: SOL and, where that is worth it, coins. Called again for what comes later, such
 * as deposits of token accounts. The wallet stays alive as long as anything else is in it.
 */
export async function returnCapital(deps: Strategies, strategyId: string): Promise<void> {
  const strategy = await loadStrategyById(deps.database, strategyId);
  const { tokens } = (await loadHoldings(deps.database, [strategy.bookId])).get(strategy.bookId)!;
  const pools = await deps.pools.load([...tokens.keys()]);
  const transferId = await deps.database.transaction(async (sql) => {
    await lockStrategy(sql, strategyId, 'round');
    const book = (await loadHoldings(sql, [strategy.bookId])).get(strategy.bookId)!;
    const frozen = await loadFrozenBooks(sql, [strategy.bookId]);
    const goesAlone = await haveReturnsFailed(sql, strategy.bookId, FAILED_BESIDE_COINS_MAX);
    const coins = goesAlone ? [] : coinsToSend(book, pools);
    const isLast =
      coins.length === book.tokens.size &&
      book.rentLamports === 0n &&
      !(await hasUnclaimed(sql, strategy.walletId)) &&
      !(await hasOpenFollows(sql, strategyId));
    const returned = (await loadReturned(sql, [strategy.bookId])).get(strategy.bookId) ?? 0n;
    const most = largestReturn(strategy.capitalLamports, returned, await loadCommitted(sql, strategyId));
    // What stays behind must keep the wallet alive, also when it pays for closing its token accounts: a wallet that a fee brings
    // below the minimum cannot pay it.
    const kept = WALLET_MINIMUM_LAMPORTS + (book.rentLamports > 0n ? CLOSING_FEES_LAMPORTS : 0n);
    const free = book.freeLamports - (isLast ? 0n : kept);
    const amount = free <= most ? free : smaller(most, book.freeLamports - kept);
    if (frozen.has(strategy.bookId) || book.freeLamports !== book.lamports || amount <= RETURN_FEE_LAMPORTS)
      return null;
    // With less, as earlier versions left it, no transaction can pay its fee.
    if (amount > free - ACCOUNT_MINIMUM_LAMPORTS && free - RETURN_FEE_LAMPORTS < ACCOUNT_MINIMUM_LAMPORTS) return null;
    const way = { fromBookId: strategy.bookId, toBookId: (await loadPersonalBook(sql, strategy.userId)).id };
    const legs = [{ ...way, asset: SOL, amount }, ...coins.map((coin) => ({ ...way, ...coin }))];
    const id = requestOrderId('return-capital', strategyId, String(strategy.closeAttempts));
    await placeTransfer(sql, { id, kind: 'return', legs }, new Date(deps.clock.nowMs()));
    await sql.write(`update strategy set close_attempts = close_attempts + 1 where id = $1`, [strategyId]);
    return id;
  });
  if (transferId === null) return;
  await deps.transfers.run(transferId);
  deps.balanceChanged(strategy.userId);
}

async function hasOpenFollows(sql: Sql, strategyId: string): Promise<boolean> {
  const rows = await sql.query(`select 1 from follow where strategy_id = $1 and status <> 'closed' limit 1`, [
    strategyId,
  ]);
  return rows.length > 0;
}
