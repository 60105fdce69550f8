import { loadOrdersUnderWay } from '../trading/open-orders.ts';
import type { Strategies } from './strategies.ts';

const ORDER_WAIT_MS = 90_000;

/**
 * Waits until a wallet has no unfinished swap: one that an earlier process left is carried on by the engine's recovery. False where
 * that takes longer; the caller comes back later.
 */
export async function waitUntilQuiet(deps: Strategies, walletId: string, timeoutMs = ORDER_WAIT_MS): Promise<boolean> {
  const open = await loadOrdersUnderWay(deps.database, walletId);
  if (open.length === 0) return true;
  await deps.engine.waitFor(open, timeoutMs);
  return (await loadOrdersUnderWay(deps.database, walletId)).length === 0;
}
