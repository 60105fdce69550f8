import type { Address } from '@hunter/solana/address';
import { AppError } from '@hunter/contract/app-error';
import type { FollowMode } from '@hunter/domain/copying/copying';
import type { Sql } from '../platform/postgres.ts';
import { SETTINGS_COLUMNS, type SettingsRow } from './follow-settings.ts';
import type { Strategies } from './strategies.ts';

export type FollowStatus = 'opening' | 'active' | 'closing' | 'closed';

/** What joining is to buy of a coin, what the creator held of it then, and the limit that made it less at the last try. */
export type FollowPlanRow = { mint: Address; lamports?: string; heldTokens?: string; reason?: string };

export type FollowEnd = 'follower' | 'stop-loss' | 'take-profit' | 'strategy-end';

export type Follow = SettingsRow & {
  id: string;
  userId: string;
  strategyId: string;
  slug: string;
  strategyName: string;
  bookId: string;
  mode: FollowMode;
  status: FollowStatus;
  amountLamports: bigint;
  multiplierBps: number;
  plan: FollowPlanRow[];
  /** Names each try to sell out; only refusals of the market count against it. */
  closeAttempts: number;
  closeRefusals: number;
  progressDone: number;
  progressTotal: number;
  returnedLamports: bigint | null;
  openedAt: Date;
  closedAt: Date | null;
  paused: boolean;
  closedBy: FollowEnd | null;
  /** The transfer that brings SOL back at the moment. */
  returnId: string | null;
  /** Until when joining tries again what a limit left over. */
  joinUntil: Date | null;
};

const COLUMNS = `f.id, f.user_id as "userId", f.strategy_id as "strategyId", s.slug, s.name as "strategyName",
  f.book_id as "bookId", f.mode, f.status, f.amount_lamports as "amountLamports", f.multiplier_bps as "multiplierBps",
  f.plan, f.close_attempts as "closeAttempts", f.close_refusals as "closeRefusals",
  f.progress_done as "progressDone", f.progress_total as "progressTotal", f.returned_lamports as "returnedLamports",
  f.opened_at as "openedAt", f.closed_at as "closedAt", f.paused, f.closed_by as "closedBy", f.return_id as "returnId", f.join_until as "joinUntil",
  ${SETTINGS_COLUMNS}`;
export const SELECT_FOLLOW = selectFollow();

/** With further columns of `follow f` where a reader needs them. */
export function selectFollow(more?: string): string {
  return `select ${COLUMNS}${more === undefined ? '' : `, ${more}`} from follow f join strategy s on s.id = f.strategy_id`;
}

export async function loadFollowById(sql: Sql, id: string): Promise<Follow> {
  const rows = await sql.query<Follow>(`${SELECT_FOLLOW} where f.id = $1`, [id]);
  if (!rows[0]) throw new AppError('NOT_FOLLOWING');
  return rows[0];
}

export async function loadFollowOfBook(sql: Sql, bookId: string): Promise<Follow | null> {
  const rows = await sql.query<Follow>(`${SELECT_FOLLOW} where f.book_id = $1`, [bookId]);
  return rows[0] ?? null;
}

/** The open follow of a user, or the newest closed one; null where there never was one. */
export async function loadFollowOf(sql: Sql, userId: string, strategyId: string): Promise<Follow | null> {
  const rows = await sql.query<Follow>(
    `${SELECT_FOLLOW} where f.user_id = $1 and f.strategy_id = $2
     order by (f.status <> 'closed') desc, f.opened_at desc limit 1`,
    [userId, strategyId],
  );
  return rows[0] ?? null;
}

/** Moves a follow's progress and tells its owner. */
export async function setProgress(deps: Strategies, follow: Follow, done: number, total: number): Promise<void> {
  await deps.database.write(`update follow set progress_done = $2, progress_total = $3 where id = $1`, [
    follow.id,
    done,
    total,
  ]);
  tellFollow(deps, { ...follow, progressDone: done, progressTotal: total });
}

export function tellFollow(deps: Strategies, follow: Follow): void {
  const { id, slug, status, progressDone: done, progressTotal: total, userId } = follow;
  deps.bus.publish('follows', userId, { id, slug, status, progress: { done, total } });
}

/** Tells the owners of many what has become of them. */
export async function tellFollows(deps: Strategies, ids: readonly string[]): Promise<void> {
  const follows = await deps.database.query<Follow>(`${SELECT_FOLLOW} where f.id = any($1::uuid[])`, [ids]);
  for (const follow of follows) tellFollow(deps, follow);
}

/** Follows come and go between marks; their number is told at once. In the transaction that changes it. */
export async function countFollowers(sql: Sql, strategyId: string): Promise<void> {
  await sql.write(
    `update strategy_stats set followers =
       (select count(*) from follow where strategy_id = $1 and status in ('opening', 'active')) where strategy_id = $1`,
    [strategyId],
  );
}
