import type { Address } from '@hunter/solana/address';
import { loadWalletByAddress } from '../ledger/wallets.ts';
import type { Sql } from '../platform/postgres.ts';
import { loadIntentIds } from '../sending/transaction-store.ts';
import { loadOrders } from '../trading/order-store.ts';

/** Follows in a row that are looked through. */
const STEPS_MAX = 8;

/**
 * Whether a trade copies one of this user's, also through others: people who follow each other would otherwise buy after each other until
 * a limit stops them.
 */
export async function isCopyOfOwnTrade(sql: Sql, userId: string, signature: string): Promise<boolean> {
  let at = signature;
  for (let step = 0; step < STEPS_MAX; step += 1) {
    const copied = await loadCopied(sql, at);
    if (copied === null) return false;
    if ((await loadWalletByAddress(sql, copied.address))?.userId === userId) return true;
    at = copied.signature;
  }
  return false;
}

/** What a transaction copied, and whose trade that was; null where it is no copy that we made. */
async function loadCopied(sql: Sql, signature: string): Promise<{ address: Address; signature: string } | null> {
  const [order] = await loadOrders(sql, await loadIntentIds(sql, 'order', [signature]));
  if (order === undefined) return null;
  const rows = await sql.query<{ address: Address; signature: string }>(
    `select f.address, c.signature from wallet_follow f join wallet_copy c on c.follow_id = f.id
     where f.user_id = $1 and f.book_id = $2 and c.order_id = $3`,
    [order.userId, order.bookId, order.id],
  );
  return rows[0] ?? null;
}
