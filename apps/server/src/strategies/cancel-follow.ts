// Cancelling: closing → every token sold → SOL back to the personal book → closed. The follow is marked under a lock that no round
// holds at the same time, and its book refuses new copies from that moment on; a copy that was under way is waited for.

import { AppError } from '@hunter/contract/app-error';
import { beginClosingBooks, loadPersonalBook } from '../ledger/books.ts';
import type { BookRef } from '../ledger/transfers.ts';
import { isSettled, SELL_ALL } from '../trading/order.ts';
import { waitAtMost } from '../platform/clock.ts';
import { requestOrderId } from '../trading/request-order-id.ts';
import { loadHoldings } from './book-holdings.ts';
import { isAway, tryAgainAt } from './closing-tries.ts';
import { CLOSE_REFUSALS_MAX, CLOSING_SLIPPAGE_BPS } from './costs.ts';
import { emptyBook } from './empty-book.ts';
import {
  countFollowers,
  loadFollowById,
  loadFollowOf,
  setProgress,
  tellFollow,
  type Follow,
  type FollowEnd,
} from './follow-store.ts';
import { waitUntilQuiet } from './open-orders.ts';
import type { Strategies } from './strategies.ts';
import { loadStrategy, lockStrategy } from './strategy-store.ts';

/** How long the caller waits for the end of it; closing goes on by itself. */
const REPLY_WAIT_MS = 10_000;

export async function cancelFollow(parts: Strategies, userId: string, slug: string): Promise<Follow> {
  const { database } = parts;
  const strategy = await loadStrategy(database, slug);
  const follow = await loadFollowOf(database, userId, strategy.id);
  if (!follow || follow.status === 'closed') throw new AppError('NOT_FOLLOWING');
  await beginClosing(parts, follow, 'follower');
  const closing = closeFollow(parts, follow.id);
  // Where it fails, the worker takes it up again.
  closing.catch((error: Error) =>
    parts.log.warn({ error: error.message, follow: follow.id }, 'closing is taken up later'),
  );
  await waitAtMost(
    parts.clock,
    REPLY_WAIT_MS,
    closing.catch(() => {}),
  );
  return loadFollowById(database, follow.id);
}

export async function beginClosing(parts: Strategies, follow: Follow, by: FollowEnd): Promise<void> {
  await parts.database.transaction(async (sql) => {
    await lockStrategy(sql, follow.strategyId, 'follower');
    await sql.query(
      `update follow set status = 'closing', closed_by = $2, progress_done = 0, progress_total = 0
       where id = $1 and status in ('opening', 'active')`,
      [follow.id, by],
    );
    await beginClosingBooks(sql, [follow.bookId]);
    await countFollowers(sql, follow.strategyId);
  });
  parts.due.add(follow.strategyId);
  tellFollow(parts, await loadFollowById(parts.database, follow.id));
}

/** Carries a closing follow to its end, as far as the chain answers; comes back to it as often as it is called. */
export function closeFollow(parts: Strategies, followId: string): Promise<void> {
  return parts.work.run(`close ${followId}`, async () => {
    for (;;) {
      const follow = await loadFollowById(parts.database, followId);
      if (follow.status !== 'closing') return;
      if (follow.closeNotBefore !== null && follow.closeNotBefore.getTime() > parts.clock.nowMs()) return;
      if (!(await waitUntilQuiet(parts, [follow.bookId]))) return;
      const mints = await heldMints(parts, follow.bookId);
      if (mints.length === 0 || follow.inKind || follow.closeRefusals >= CLOSE_REFUSALS_MAX) {
        await finishFollow(parts, follow, mints);
        return;
      }
      if (!(await sellOut(parts, follow, mints))) return;
    }
  });
}

async function heldMints(parts: Strategies, bookId: string): Promise<string[]> {
  return [...(await loadHoldings(parts.database, [bookId])).get(bookId)!.tokens.keys()];
}

/**
 * One try for every token. The ids carry the number of the try, so that a restart finds the orders of the same one. False
 * where somebody who is needed for it is away: then it goes on later.
 */
async function sellOut(parts: Strategies, follow: Follow, mints: readonly string[]): Promise<boolean> {
  const total = Math.max(follow.progressTotal, follow.progressDone + mints.length);
  await setProgress(parts, follow, total - mints.length, total);
  let sold = 0;
  let away = false;
  await Promise.all(
    mints.map(async (mint) => {
      const [order] = await parts.engine.placeMany([
        {
          id: requestOrderId('close', follow.id, mint, String(follow.closeAttempts)),
          userId: follow.userId,
          bookId: follow.bookId,
          side: 'sell',
          mint,
          amountIn: SELL_ALL,
          slippageBps: CLOSING_SLIPPAGE_BPS,
          kind: 'close',
          fit: true,
        },
      ]);
      if (!order || !isSettled(order.state) || isAway(order.error)) away = true;
      if (!order || order.filledOut === null) return;
      sold += 1;
      await setProgress(parts, follow, total - mints.length + sold, total);
    }),
  );
  await parts.database.query(
    `update follow set close_attempts = close_attempts + 1, close_refusals = close_refusals + $2, close_not_before = $3
     where id = $1`,
    [follow.id, away ? 0 : 1, away ? tryAgainAt(parts.clock.nowMs(), follow.closeAttempts) : null],
  );
  return !away;
}

async function finishFollow(parts: Strategies, follow: Follow, mints: readonly string[]): Promise<void> {
  const { database, clock } = parts;
  const pools = mints.length > 0 ? await parts.pools.load(mints) : new Map();
  await database.transaction(async (sql) => {
    const rows = await sql.query(`select 1 from follow where id = $1 and status = 'closing' for update`, [follow.id]);
    if (rows.length === 0) return;
    const now = new Date(clock.nowMs());
    const from: BookRef = { id: follow.bookId, userId: follow.userId, kind: 'follow' };
    const { lamports, tokens } = await emptyBook(sql, from, await loadPersonalBook(sql, follow.userId), pools, now);
    const returned = tokens.reduce<bigint>((sum, { valueLamports }) => sum + valueLamports, lamports);
    await sql.query(
      `update follow set status = 'closed', closed_at = $2, returned_lamports = $3, progress_done = progress_total where id = $1`,
      [follow.id, now, returned],
    );
  });
  parts.due.add(follow.strategyId);
  parts.balanceChanged(follow.userId);
  if (mints.length > 0) parts.bus.publish('positions', follow.userId, { tokenContractAddresses: [...mints] });
  tellFollow(parts, await loadFollowById(database, follow.id));
}
