import type { OffMarketReason } from '@hunter/domain/record/off-market';
import type { Address } from '@hunter/solana/address';
import type { Strategies } from '../strategies/strategies.ts';
import type { Strategy } from '../strategies/strategy-store.ts';

// What a prospective follower wants to know besides the figures: how copies went, which trips look arranged, and what the creator
// holds on the side.

export const ROUNDS_SHOWN = 20;
const OFF_MARKET_SHOWN = 10;

type Copies = { filled: number; skipped: number; reasons: { reason: string; count: number }[] };

/** The copies of the last rounds, and why those were skipped that were. */
export async function loadCopies(deps: Strategies, strategyId: string): Promise<Copies> {
  const rows = await deps.database.query<{ reason: string | null; count: number }>(
    `select a.reason, count(*)::int as count from allocation a
     where a.follow_id is not null and a.order_id in (
       select o.id from strategy s join trade_order o on o.book_id = s.book_id
       where s.id = $1 and o.filled_out is not null and o.kind not in ('join', 'exit', 'open-strategy')
       order by o.created_at desc limit ${ROUNDS_SHOWN})
     group by a.reason order by count desc, a.reason`,
    [strategyId],
  );
  const reasons = rows.flatMap(({ reason, count }) => (reason === null ? [] : [{ reason, count }]));
  return {
    filled: rows.find(({ reason }) => reason === null)?.count ?? 0,
    skipped: reasons.reduce((sum, { count }) => sum + count, 0),
    reasons,
  };
}

type OffMarketTrip = {
  mint: Address;
  openedAt: Date;
  closedAt: Date | null;
  reason: OffMarketReason;
  isLost: boolean;
  /** Of all of them. */
  total: number;
};

export async function loadOffMarket(deps: Strategies, strategyId: string): Promise<OffMarketTrip[]> {
  return deps.database.query<OffMarketTrip>(
    `select mint, opened_at as "openedAt", closed_at as "closedAt", off_market as reason,
       coalesce(outcome = 'lost', false) as "isLost", count(*) over ()::int as total
     from record_trip where strategy_id = $1 and off_market is not null
     order by opened_at desc, id desc limit ${OFF_MARKET_SHOWN}`,
    [strategyId],
  );
}

type CreatorHolding = { mint: Address; since: Date; where: 'personal' | 'strategy' | 'both' };

/**
 * Which coins of a strategy its creator also holds in other books that he steers: a book that follows a wallet is one of them,
 * because the wallet may be his own. How much is his own business.
 */
export async function loadCreatorHoldings(deps: Strategies, { bookId, userId }: Strategy): Promise<CreatorHolding[]> {
  return deps.database.query<CreatorHolding>(
    `select p.mint, min(p.opened_at) as since,
       case when bool_and(k.kind <> 'strategy') then 'personal' when bool_or(k.kind <> 'strategy') then 'both' else 'strategy' end
         as "where"
     from position p join book k on k.id = p.book_id
       join position q on q.book_id = $1 and q.mint = p.mint and q.quantity + q.uncosted_tokens > 0
     where p.user_id = $2 and p.book_id <> $1 and k.kind <> 'follow' and p.quantity + p.uncosted_tokens > 0
       and p.opened_at is not null
     group by p.mint order by since`,
    [bookId, userId],
  );
}
