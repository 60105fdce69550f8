import { loadCashAt } from '../ledger/balances.ts';
import type { Sql } from '../platform/postgres.ts';
import type { Trigger } from './trigger.ts';
import { loadTriggerViews } from './trigger-view.ts';
import type { Triggers } from './triggers.ts';

/** After a commit that changed triggers: brings the index up to date and tells their owners on the stream. */
export async function tellTriggers(deps: Triggers, triggers: readonly Trigger[]): Promise<void> {
  if (triggers.length === 0) return;
  await indexTriggers(deps, deps.trading.database, triggers);
  // Nobody who fires next waits for what is told.
  void publish(deps, triggers).catch((error: unknown) =>
    deps.log.warn({ err: error }, 'trigger push failed; the next read of the triggers shows them'),
  );
}

async function publish(deps: Triggers, triggers: readonly Trigger[]): Promise<void> {
  const views = await loadTriggerViews(deps, triggers);
  views.forEach((view, place) => deps.bus.publish('triggers', triggers[place]!.userId, view));
}

export async function indexTriggers(
  deps: Pick<Triggers, 'index'>,
  sql: Sql,
  triggers: readonly Trigger[],
): Promise<void> {
  const keys = triggers.map(({ bookId, mint }) => ({ bookId, asset: mint }));
  const cash = await loadCashAt(sql, keys);
  for (const trigger of triggers) deps.index.put(trigger, cash.get(`${trigger.bookId} ${trigger.mint}`) ?? 0n);
}
