import { tellTriggers } from './tell-triggers.ts';
import { pausedByFreeze } from './trigger.ts';
import { loadOpenOf, lockTriggers, saveTriggers } from './trigger-store.ts';
import type { Triggers } from './triggers.ts';

/**
 * Of a frozen account: whoever placed them, they buy again only after their owner has looked at them. By any engine and without the
 * lease: the one that fires them decides by their rows, and forgets them once it has found them paused.
 */
export async function pausePurchases(deps: Triggers, userId: string): Promise<void> {
  const paused = await deps.trading.database.transaction(async (sql) => {
    const open = await loadOpenOf(sql, userId);
    const buying = open.filter(({ rule }) => rule.side === 'buy').map(({ id }) => id);
    const rows = await lockTriggers(sql, buying);
    const changed = rows
      .filter(({ rule, state }) => rule.side === 'buy' && (state === 'open' || state === 'firing'))
      .map(pausedByFreeze);
    await saveTriggers(sql, changed);
    return changed;
  });
  await tellTriggers(deps, paused);
}
