import type { LiveBus } from '../platform/live-bus.ts';
import type { Log } from '../platform/log.ts';
import type { Sql } from '../platform/postgres.ts';
import { isSaleOfFollows, type Order } from './order.ts';
import { loadOrdersOf } from './order-store.ts';
import { orderView } from './order-view.ts';
import type { TokenFacts } from '../market/token-facts.ts';

/** Tells users on the live stream what became of their orders, after the commit. */
export class LiveOrders {
  readonly #database: Sql;
  readonly #bus: LiveBus;
  readonly #tokens: TokenFacts;
  readonly #log: Log;
  readonly #balanceChanged: (userId: string) => void;

  constructor(deps: {
    database: Sql;
    bus: LiveBus;
    tokens: TokenFacts;
    log: Log;
    balanceChanged: (userId: string) => void;
  }) {
    this.#database = deps.database;
    this.#bus = deps.bus;
    this.#tokens = deps.tokens;
    this.#log = deps.log;
    this.#balanceChanged = deps.balanceChanged;
  }

  settled(orders: readonly Order[]): void {
    if (orders.length === 0) return;
    // Posting comes first: telling waits for the next turn of the event loop.
    setImmediate(() => {
      this.#tell(orders).catch((error: unknown) =>
        this.#log.warn({ err: error }, 'order push failed; the next read of the orders shows them'),
      );
    });
  }

  async #tell(orders: readonly Order[]): Promise<void> {
    const tokens = await this.#tokens.load(orders.map((order) => order.mint));
    for (const order of orders) {
      const token = tokens.get(order.mint);
      const own = await this.#asItsOwnerHasIt(order);
      if (token && own) this.#bus.publish('orders', own.userId, orderView(own, token.decimals));
      for (const userId of new Set([order.userId, ...(order.participants ?? [])])) {
        this.#bus.publish('positions', userId, { tokenContractAddresses: [order.mint] });
        this.#balanceChanged(userId);
      }
    }
  }

  /** Nobody asked for a join. What somebody sells in his follow is a sale with no part but his. */
  async #asItsOwnerHasIt(order: Order): Promise<Order | undefined> {
    if (!isSaleOfFollows(order)) return order.kind === 'join' ? undefined : order;
    const [seller, ...others] = order.participants ?? [];
    if (seller === undefined || others.length > 0) return undefined;
    return (await loadOrdersOf(this.#database, seller, [order.id]))[0];
  }
}
