import { AppError } from '@hunter/contract/app-error';
import type { NewOrder } from '../trading/order.ts';
import { settleFiring } from './settle-firing.ts';
import type { Triggers } from './triggers.ts';

const underWay = new WeakMap<Triggers['trading'], Set<string>>();

function placing({ trading }: Triggers): Set<string> {
  const known = underWay.get(trading) ?? new Set();
  underWay.set(trading, known);
  return known;
}

/**
 * Hands an order of a strategy's book to its lane, where it becomes a round of all its followers. Not waited for: the lane may be busy
 * with exits. What a crash leaves without an order is handed over again under the same id.
 */
export function placeInLane(deps: Triggers, triggerId: string, order: NewOrder & { id: string }): void {
  const ids = placing(deps);
  if (ids.has(order.id)) return;
  ids.add(order.id);
  deps.trading
    .placeInStrategy(order)
    .then(
      (placed) => settleFiring(deps, triggerId, order.id, placed),
      (error: unknown) => {
        if (!(error instanceof AppError)) throw error;
        return settleFiring(deps, triggerId, order.id, error.errorName);
      },
    )
    .catch((error: unknown) =>
      deps.log.error({ triggerId, err: error }, 'placing the round of a trigger failed; retrying in 2 s'),
    )
    .finally(() => ids.delete(order.id));
}
