import type { ExecuteOrders } from './execute-orders.ts';
import { loadWaiting } from './order-store.ts';
import type { EnginePorts } from './engine-ports.ts';

const BATCH = 5_000;
const PARALLEL = 16;

/**
 * Executes orders that hold their money, have no transaction that may still happen, and are in nobody's hands: a crash came
 * before the signature, or the last attempt is proven not to have happened.
 */
export class OrderRecovery {
  readonly #ports: EnginePorts;
  readonly #execute: ExecuteOrders;
  readonly #inFlight: Map<string, Promise<void>>;

  constructor(ports: EnginePorts, execute: ExecuteOrders, inFlight: Map<string, Promise<void>>) {
    this.#ports = ports;
    this.#execute = execute;
    this.#inFlight = inFlight;
  }

  /** Answers how many it found. */
  async resume(olderThanMs: number): Promise<number> {
    const waiting = await loadWaiting(this.#ports.database, {
      limit: BATCH,
      before: new Date(this.#ports.clock.nowMs() - olderThanMs),
      exclude: [...this.#inFlight.keys()],
    });
    if (waiting.length === 0) return 0;
    const work = this.#execute.many(waiting, PARALLEL);
    for (const { order } of waiting) this.#inFlight.set(order.id, work);
    try {
      await work;
    } finally {
      for (const { order } of waiting) this.#inFlight.delete(order.id);
    }
    return waiting.length;
  }
}
