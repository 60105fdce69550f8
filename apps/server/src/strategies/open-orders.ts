import { AppError } from '@hunter/contract/app-error';
import type { Sql } from '../platform/postgres.ts';
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

/**
 * Throws TRADE_UNDER_WAY. For the transaction that places a swap, behind the lock of the strategy: since the wallet was found quiet the
 * lane may have been another process's for a while, or the swap before may take longer than it is waited for.
 */
export async function requireQuiet(sql: Sql, walletId: string): Promise<void> {
  if ((await loadOrdersUnderWay(sql, walletId)).length > 0) throw new AppError('TRADE_UNDER_WAY');
}
