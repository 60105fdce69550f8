import type { Address } from '@hunter/solana/address';
import { AppError } from '@hunter/contract/app-error';
import type { Sql } from '../platform/postgres.ts';

export type StrategyStatus = 'publishing' | 'running' | 'ending' | 'ended';

export type PlannedBuy = { mint: Address; lamports: string };

export type Strategy = {
  id: string;
  userId: string;
  bookId: string;
  walletId: string;
  /** Decides how much followers may put beside the creator's own. */
  tier: 'new' | 'ranked';
  slug: string;
  name: string;
  description: string;
  status: StrategyStatus;
  autoClear: boolean;
  capitalLamports: bigint;
  durationMinutes: number | null;
  plan: PlannedBuy[];
  publishedAt: Date;
  endsAt: Date | null;
  endedAt: Date | null;
  /** As of a follow. */
  closeAttempts: number;
  closeRefusals: number;
  closeNotBefore: Date | null;
};

export const STRATEGY_COLUMNS = `s.id, s.user_id as "userId", s.book_id as "bookId", s.wallet_id as "walletId",
  (select t.tier from strategy_stats t where t.strategy_id = s.id) as tier, s.slug, s.name, s.description, s.status,
  s.auto_clear as "autoClear", s.capital_lamports as "capitalLamports", s.duration_minutes as "durationMinutes", s.plan,
  s.published_at as "publishedAt", s.ends_at as "endsAt", s.ended_at as "endedAt", s.close_attempts as "closeAttempts",
  s.close_refusals as "closeRefusals", s.close_not_before as "closeNotBefore"`;

export async function loadStrategy(sql: Sql, slug: string): Promise<Strategy> {
  const rows = await sql.query<Strategy>(`select ${STRATEGY_COLUMNS} from strategy s where s.slug = $1`, [slug]);
  if (!rows[0]) throw new AppError('STRATEGY_NOT_FOUND');
  return rows[0];
}

export async function loadStrategyById(sql: Sql, id: string): Promise<Strategy> {
  const rows = await sql.query<Strategy>(`select ${STRATEGY_COLUMNS} from strategy s where s.id = $1`, [id]);
  if (!rows[0]) throw new AppError('STRATEGY_NOT_FOUND');
  return rows[0];
}

/** Null where the book belongs to no strategy. */
export async function loadStrategyOfBook(sql: Sql, bookId: string): Promise<Strategy | null> {
  const rows = await sql.query<Strategy>(`select ${STRATEGY_COLUMNS} from strategy s where s.book_id = $1`, [bookId]);
  return rows[0] ?? null;
}

/** A strategy that its creator may change. */
export async function loadOwnStrategy(sql: Sql, userId: string, slug: string): Promise<Strategy> {
  const strategy = await loadStrategy(sql, slug);
  if (strategy.userId !== userId) throw new AppError('NOT_YOUR_STRATEGY');
  return strategy;
}

/**
 * Locks a strategy for as long as the transaction lasts. `round` is alone with it; any number of `follower` locks stand beside
 * each other, but never beside a round.
 */
export async function lockStrategy(sql: Sql, id: string, by: 'round' | 'follower'): Promise<Strategy> {
  const rows = await sql.query<Strategy>(
    `select ${STRATEGY_COLUMNS} from strategy s where s.id = $1 ${by === 'round' ? 'for no key update' : 'for share'}`,
    [id],
  );
  if (!rows[0]) throw new AppError('STRATEGY_NOT_FOUND');
  return rows[0];
}
