import { loadOpenOrders } from '../trading/open-orders.ts';
import { settleCopies } from './copying/copy-store.ts';
import type { Strategies } from './strategies.ts';

/** Between looks at intents whose order is just being placed. */
const LOOK_AGAIN_MS = 100;
const ORDER_WAIT_MS = 8_000;

/**
 * Waits until nothing is under way in these books any more: no order on its way and no intent that may still become one. False where
 * that takes longer than `timeoutMs`; the caller comes back later.
 */
export async function waitUntilQuiet(
  parts: Strategies,
  bookIds: readonly string[],
  timeoutMs = ORDER_WAIT_MS,
): Promise<boolean> {
  const { database, engine, clock } = parts;
  const deadlineMs = clock.nowMs() + timeoutMs;
  for (;;) {
    const orders = await loadOpenOrders(database, bookIds);
    const intents = await database.query<{ orderId: string }>(
      `select c.order_id as "orderId" from copy c join follow f on f.id = c.follow_id
       where f.book_id = any($1::uuid[]) and c.state = 'pending'`,
      [bookIds],
    );
    if (orders.length === 0 && intents.length === 0) return true;
    const leftMs = deadlineMs - clock.nowMs();
    if (leftMs <= 0) return false;
    if (orders.length > 0) {
      await engine.waitFor(
        orders.map((order) => order.id),
        leftMs,
      );
    } else {
      const orderIds = intents.map(({ orderId }) => orderId);
      const settled = await settleCopies(database, { orderIds }, new Date(clock.nowMs()));
      if (settled.length === 0) await clock.pause(LOOK_AGAIN_MS);
    }
  }
}
