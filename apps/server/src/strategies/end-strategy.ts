// The end of a strategy, by its creator or because its time is over:
//   1. one transaction marks the strategy ending and all its follows closing, and closes their books to anything but selling;
//   2. with auto clear every coin is sold, the creator's and all followers' together as one round at one price;
//   3. the creator's book is emptied into the personal book, and the follows close like cancelled ones.

import type { Address } from '@hunter/domain/address';
import { AppError } from '@hunter/contract/app-error';
import { beginClosingBooks, loadPersonalBook } from '../ledger/books.ts';
import type { BookRef } from '../ledger/transfers.ts';
import { isSettled, SELL_ALL, type NewOrder } from '../trading/order.ts';
import { requestOrderId } from '../trading/request-order-id.ts';
import { loadHoldings } from './book-holdings.ts';
import { closeFollow } from './cancel-follow.ts';
import { isAway, tryAgainAt } from './closing-tries.ts';
import { CLOSE_REFUSALS_MAX, CLOSING_SLIPPAGE_BPS } from './costs.ts';
import { emptyBook } from './empty-book.ts';
import { loadFollowById, tellFollow } from './follow-store.ts';
import { waitUntilQuiet } from './open-orders.ts';
import { endPerformance } from './performance/end-performance.ts';
import { markStrategies } from './performance/mark-strategies.ts';
import type { Strategies } from './strategies.ts';
import { loadStrategyById, lockStrategy, type Strategy } from './strategy-store.ts';

const FOLLOWS_PARALLEL = 8;

/** Idempotent: ending what has ended changes nothing. */
export async function endStrategy(parts: Strategies, strategyId: string): Promise<void> {
  // In the lane, so that a round of this process comes to its end first.
  const closing = await parts.lanes.run(strategyId, () => beginEnding(parts, strategyId));
  for (const id of closing) tellFollow(parts, await loadFollowById(parts.database, id));
  await continueEnding(parts, strategyId);
}

async function beginEnding(parts: Strategies, strategyId: string): Promise<string[]> {
  return parts.database.transaction(async (sql) => {
    const strategy = await lockStrategy(sql, strategyId, 'round');
    if (strategy.status === 'publishing') throw new AppError('REQUEST_IN_PROGRESS');
    if (strategy.status !== 'running') return [];
    await sql.query(`update strategy set status = 'ending' where id = $1`, [strategyId]);
    const rows = await sql.query<{ id: string; bookId: string }>(
      `update follow set status = 'closing', closed_by = 'strategy-end', in_kind = $2, progress_done = 0, progress_total = 0
       where strategy_id = $1 and status in ('opening', 'active') returning id, book_id as "bookId"`,
      [strategyId, !strategy.autoClear],
    );
    await beginClosingBooks(sql, [strategy.bookId, ...rows.map((row) => row.bookId)]);
    return rows.map((row) => row.id);
  });
}

export function continueEnding(parts: Strategies, strategyId: string): Promise<void> {
  return parts.work.run(`end ${strategyId}`, async () => {
    for (;;) {
      const strategy = await loadStrategyById(parts.database, strategyId);
      if (strategy.status !== 'ending') break;
      if (strategy.closeNotBefore !== null && strategy.closeNotBefore.getTime() > parts.clock.nowMs()) return;
      const follows = await loadClosing(parts, strategyId);
      const bookIds = [strategy.bookId, ...follows.map((follow) => follow.bookId)];
      if (!(await waitUntilQuiet(parts, bookIds))) return;
      const holdings = await loadHoldings(parts.database, bookIds);
      const sellable = strategy.autoClear && strategy.closeRefusals < CLOSE_REFUSALS_MAX;
      const own = holdings.get(strategy.bookId)!;
      if (!sellable || own.tokens.size === 0) {
        await finishStrategy(parts, strategy);
        break;
      }
      const tries = [...own.tokens.keys()].map((mint) => sellTogether(parts, strategy, follows, mint));
      const away = (await Promise.all(tries)).includes('away');
      await parts.database.query(
        `update strategy set close_attempts = close_attempts + 1, close_refusals = close_refusals + $2,
           close_not_before = $3 where id = $1`,
        [strategyId, away ? 0 : 1, away ? tryAgainAt(parts.clock.nowMs(), strategy.closeAttempts) : null],
      );
      // Somebody who is needed for it is away: it goes on later.
      if (away) return;
    }
    await closeFollows(parts, strategyId);
    await markStrategies(parts, [strategyId]);
  });
}

type ClosingFollow = { id: string; userId: string; bookId: string };

async function loadClosing(parts: Strategies, strategyId: string): Promise<ClosingFollow[]> {
  return parts.database.query<ClosingFollow>(
    `select id, user_id as "userId", book_id as "bookId" from follow where strategy_id = $1 and status = 'closing'`,
    [strategyId],
  );
}

/** `away` where it says nothing about the coin that it was not sold. */
async function sellTogether(
  parts: Strategies,
  strategy: Strategy,
  follows: readonly ClosingFollow[],
  mint: Address,
): Promise<'tried' | 'away'> {
  const attempt = String(strategy.closeAttempts);
  const holdings = await loadHoldings(parts.database, [strategy.bookId, ...follows.map((follow) => follow.bookId)]);
  const sale = { side: 'sell', mint, slippageBps: CLOSING_SLIPPAGE_BPS, kind: 'close' } as const;
  const lead: NewOrder = {
    ...sale,
    id: requestOrderId('end', strategy.id, mint, attempt),
    userId: strategy.userId,
    bookId: strategy.bookId,
    amountIn: holdings.get(strategy.bookId)!.tokens.get(mint) ?? 0n,
  };
  const copies = follows
    .filter((follow) => holdings.get(follow.bookId)!.tokens.has(mint))
    .map((follow): NewOrder => ({
      ...sale,
      id: requestOrderId('end', follow.id, mint, attempt),
      userId: follow.userId,
      bookId: follow.bookId,
      amountIn: SELL_ALL,
      fit: true,
      parentId: lead.id!,
    }));
  if (lead.amountIn === 0n) return 'tried';
  try {
    const round = await parts.engine.placeRound({ lead, copies, slippageBps: CLOSING_SLIPPAGE_BPS });
    return !isSettled(round.lead.state) || isAway(round.lead.error) ? 'away' : 'tried';
  } catch (error) {
    // What cannot be sold now is tried again, and in the end handed over as it is.
    if (!(error instanceof AppError)) throw error;
    parts.log.warn(
      { strategy: strategy.slug, mint, error: error.errorName },
      'a coin of an ending strategy was not sold',
    );
    return isAway(error.errorName) ? 'away' : 'tried';
  }
}

async function finishStrategy(parts: Strategies, strategy: Strategy): Promise<void> {
  const { database, clock } = parts;
  // The record is complete before the book is emptied.
  await markStrategies(parts, [strategy.id]);
  const { tokens } = (await loadHoldings(database, [strategy.bookId])).get(strategy.bookId)!;
  const pools = await parts.pools.load([...tokens.keys()]);
  await database.transaction(async (sql) => {
    const { status } = await lockStrategy(sql, strategy.id, 'round');
    if (status !== 'ending') return;
    const now = new Date(clock.nowMs());
    const from: BookRef = { id: strategy.bookId, userId: strategy.userId, kind: 'strategy' };
    const emptied = await emptyBook(sql, from, await loadPersonalBook(sql, strategy.userId), pools, now);
    await endPerformance(sql, strategy.id, emptied, now);
    await sql.query(`update strategy set status = 'ended', ended_at = $2 where id = $1`, [strategy.id, now]);
  });
  parts.balanceChanged(strategy.userId);
}

async function closeFollows(parts: Strategies, strategyId: string): Promise<void> {
  const queue = (await loadClosing(parts, strategyId)).values();
  const worker = async (): Promise<void> => {
    for (const { id } of queue) {
      await closeFollow(parts, id).catch((error: Error) =>
        parts.log.warn({ error: error.message, follow: id }, 'closing is taken up later'),
      );
    }
  };
  await Promise.all(Array.from({ length: FOLLOWS_PARALLEL }, worker));
}
