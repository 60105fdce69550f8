import { AppError } from '@hunter/contract/app-error';
import type { CallParsedRequest } from '@hunter/contract/calls';
import { chooseSettings, settingsValues } from './follow-settings.ts';
import { loadFollowById, loadFollowOf, type Follow } from './follow-store.ts';
import type { Strategies } from './strategies.ts';
import { loadStrategy, lockStrategy } from './strategy-store.ts';

/**
 * Changes what a follower chose; a round that is being planned has either the old or the new settings. A guard that was
 * reached under other settings begins anew. Throws NOT_FOLLOWING and INVALID_INPUT.
 */
export async function updateFollow(
  deps: Strategies,
  userId: string,
  { slug, paused, protection }: CallParsedRequest<'updateFollow'>,
): Promise<Follow> {
  const strategy = await loadStrategy(deps.database, slug);
  return deps.database.transaction(async (sql) => {
    await lockStrategy(sql, strategy.id, 'follower');
    const follow = await loadFollowOf(sql, userId, strategy.id);
    if (!follow || (follow.status !== 'active' && follow.status !== 'opening')) throw new AppError('NOT_FOLLOWING');
    const next = chooseSettings(follow, protection);
    await sql.write(
      `update follow set run_up_bps = $2, coin_cap_bps = $3, cap_per_trade_lamports = $4, stop_loss_bps = $5,
         take_profit_bps = $6, paused = coalesce($7, paused), guard = null, guard_since = null where id = $1`,
      [follow.id, ...settingsValues(next), paused ?? null],
    );
    return loadFollowById(sql, follow.id);
  });
}
