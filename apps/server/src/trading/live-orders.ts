import type { LiveBus } from '../platform/live-bus.ts';
import type { Log } from '../platform/log.ts';
import type { Order } from './order.ts';
import { orderView } from './order-view.ts';
import type { TokenFacts } from '../market/token-facts.ts';

/** Tells users on the live stream what became of their orders, after the commit. */
export class LiveOrders {
  readonly #bus: LiveBus;
  readonly #tokens: TokenFacts;
  readonly #log: Log;
  readonly #balanceChanged: (userId: string) => void;

  constructor(deps: { bus: LiveBus; tokens: TokenFacts; log: Log; balanceChanged: (userId: string) => void }) {
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
      const isOwn = order.kind !== 'join' && order.kind !== 'exit';
      if (token && isOwn) this.#bus.publish('orders', order.userId, orderView(order, token.decimals));
      for (const userId of new Set([order.userId, ...(order.participants ?? [])])) {
        this.#bus.publish('positions', userId, { tokenContractAddresses: [order.mint] });
        this.#balanceChanged(userId);
      }
    }
  }
}
