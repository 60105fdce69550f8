// Cancelling: closing → every coin sold in the lane → SOL back to the personal wallet → closed. The follow is marked under a lock
// that no round holds at the same time; a round that was under way comes to its end before the exit has its turn.

import { AppError } from '@hunter/contract/app-error';
import { raiseAlerts } from '../alerts/raise-alerts.ts';
import { beginClosingBooks } from '../ledger/books.ts';
import { waitAtMost } from '../platform/clock.ts';
import { exitFollows } from './copying/exit-follows.ts';
import {
  countFollowers,
  loadFollowById,
  loadFollowOf,
  tellFollows,
  type Follow,
  type FollowEnd,
} from './follow-store.ts';
import { finishReturn, returnFollows } from './return-funds.ts';
import type { Strategies } from './strategies.ts';
import { loadStrategy, lockStrategy } from './strategy-store.ts';

/** How long the caller waits for the end of it; closing goes on by itself. */
const REPLY_WAIT_MS = 10_000;

/**
 * `inKind` takes the coins out as they are, also of a follow that is being sold already. Whoever asks again, because the answer was lost,
 * gets the follow as it is: one that is over has been canceled.
 */
export async function cancelFollow(
  deps: Strategies,
  userId: string,
  slug: string,
  { inKind = false }: { inKind?: boolean } = {},
): Promise<Follow> {
  const { database } = deps;
  const strategy = await loadStrategy(database, slug);
  const follow = await loadFollowOf(database, userId, strategy.id);
  if (!follow) throw new AppError('NOT_FOLLOWING');
  if (follow.status === 'closed') return follow;
  await beginClosing(deps, strategy.id, [{ follow, by: 'follower', inKind }]);
  const closing = closeFollows(deps, strategy.id).catch((error: unknown) =>
    deps.log.warn({ err: error, followId: follow.id }, 'closing a follow failed; retrying with the next pass'),
  );
  await waitAtMost(deps.clock, REPLY_WAIT_MS, closing);
  return loadFollowById(database, follow.id);
}

export type FollowClosing = { follow: Follow; by: FollowEnd; inKind?: boolean };

function isGuard(by: FollowEnd): by is 'stop-loss' | 'take-profit' {
  return by === 'stop-loss' || by === 'take-profit';
}

/** Those of one strategy in one transaction, so that whoever sells next sells for all of them. */
export async function beginClosing(
  deps: Strategies,
  strategyId: string,
  closings: readonly FollowClosing[],
): Promise<void> {
  await deps.database.transaction(async (sql) => {
    if (closings.some(({ by }) => isGuard(by))) await deps.lanes.requireOwned(sql, strategyId);
    await lockStrategy(sql, strategyId, 'follower');
    // A guard closes what it reached by the settings of now: whoever changes them makes it begin anew.
    const closed = await sql.write<{ id: string }>(
      `update follow f set status = 'closing', closed_by = v.closed_by, progress_done = 0, progress_total = 0
       from unnest($1::uuid[], $2::text[], $3::boolean[]) v (id, closed_by, by_guard)
       where f.id = v.id and f.status in ('opening', 'active') and (not v.by_guard or f.guard = v.closed_by) returning f.id`,
      [closings.map(({ follow }) => follow.id), closings.map(({ by }) => by), closings.map(({ by }) => isGuard(by))],
    );
    const isClosed = new Set(closed.map(({ id }) => id));
    await raiseAlerts(
      sql,
      closings.flatMap(({ follow: { id, userId, slug, strategyName }, by }) => {
        if (!isClosed.has(id) || !isGuard(by)) return [];
        return [{ userId, reference: id, body: { kind: 'follow-stopped', slug, strategyName, by } as const }];
      }),
    );
    const inKind = closings.flatMap((closing) => (closing.inKind === true ? [closing.follow.id] : []));
    if (inKind.length > 0) {
      await sql.write(`update follow set in_kind = true where id = any($1::uuid[]) and status = 'closing'`, [inKind]);
    }
    await beginClosingBooks(
      sql,
      closings.flatMap(({ follow }) => (isClosed.has(follow.id) ? [follow.bookId] : [])),
    );
    await countFollowers(sql, strategyId);
  });
  deps.due.add(strategyId);
  await tellFollows(
    deps,
    closings.map(({ follow }) => follow.id),
  );
}

/** Carries the closing follows of a strategy on, as far as chain and market answer; called again until they are closed. */
export async function closeFollows(deps: Strategies, strategyId: string): Promise<void> {
  await exitFollows(deps, strategyId);
  await deps.work.run(`return ${strategyId}`, async () => {
    await resumeReturns(deps, strategyId);
    await returnFollows(deps, strategyId);
  });
}

/** Returns that an earlier try left under way. */
async function resumeReturns(deps: Strategies, strategyId: string): Promise<void> {
  const rows = await deps.database.query<{ id: string }>(
    `select distinct return_id as id from follow where strategy_id = $1 and return_id is not null`,
    [strategyId],
  );
  const ids = rows.map(({ id }) => id);
  const views = await deps.transfers.waitFor(ids, 0);
  for (const view of views) await finishReturn(deps, view);
}
