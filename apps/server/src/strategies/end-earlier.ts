// Strategies of versions before 0.2 had no wallet of their own: creator and followers traded in their personal wallets. They are
// ended at the first start, each in one transaction, by handing what their books hold to the same user's personal book. Nothing is
// sold: an upgrade trades for nobody. The records stay.

import { lamports } from '@hunter/domain/numbers/lamports';
import { loadPersonalBook } from '../ledger/books.ts';
import { loadUnsoldTrips } from '../ledger/positions.ts';
import { loadOpenOrders } from '../trading/open-orders.ts';
import { loadHoldings, mintsOf } from './book-holdings.ts';
import { emptyBook } from './empty-book.ts';
import { endPerformance } from './performance/end-performance.ts';
import type { Strategies } from './strategies.ts';

type Earlier = { id: string; userId: string; bookId: string; strategyId: string; kind: 'strategy' | 'follow' };

/** Books with an order under way wait until the engine has proven what became of it. */
export async function endEarlierStrategies(deps: Strategies): Promise<void> {
  const books = await deps.database.query<Earlier>(
    `select s.id, s.user_id as "userId", s.book_id as "bookId", s.id as "strategyId", 'strategy' as kind
     from strategy s where s.is_earlier and s.status <> 'ended'
     union all
     select f.id, f.user_id, f.book_id, f.strategy_id, 'follow'
     from follow f join strategy s on s.id = f.strategy_id where s.is_earlier and f.status <> 'closed'`,
  );
  for (const book of books) {
    if ((await loadOpenOrders(deps.database, [book.bookId])).length > 0) continue;
    await endBook(deps, book);
  }
}

async function endBook(deps: Strategies, { id, userId, bookId, strategyId, kind }: Earlier): Promise<void> {
  const holdings = await loadHoldings(deps.database, [bookId]);
  const pools = await deps.pools.load(mintsOf(holdings.values())).catch(() => new Map());
  const now = new Date(deps.clock.nowMs());
  await deps.database.transaction(async (sql) => {
    const from = { id: bookId, userId, kind };
    const unsold = await loadUnsoldTrips(sql, [bookId]);
    const emptied = await emptyBook(sql, from, await loadPersonalBook(sql, userId), pools, now);
    const value = emptied.tokens.reduce<bigint>((sum, each) => sum + each.valueLamports, emptied.lamports);
    if (kind === 'strategy') {
      await endPerformance(sql, { strategyId, bookId }, { emptied, unsold }, now);
      await sql.write(`update strategy set status = 'ended', ended_at = $2 where id = $1`, [id, now]);
    } else {
      await sql.write(
        `update follow set status = 'closed', closed_at = $2, returned_lamports = $3, closed_by = 'strategy-end' where id = $1`,
        [id, now, lamports(value)],
      );
    }
  });
  deps.balanceChanged(userId);
  deps.log.info({ userId, strategyId, kind }, 'ended by the upgrade; everything it held is in the personal book');
}
