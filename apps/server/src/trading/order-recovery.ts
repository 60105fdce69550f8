import type { ExecuteOrders } from './execute-orders.ts';
import { leaveWaiting, takeWaiting } from './order-store.ts';
import type { EnginePorts } from './engine-ports.ts';
import type { HeldOrder } from './order.ts';

const BATCH = 5_000;
const PARALLEL = 16;
/** Longer than quoting and signing takes. What a process has taken that dies waits for the others as long. */
const TAKEN_MS = 10_000;

/**
 * Executes orders that hold their money, have no transaction that may still happen, and are in nobody's hands: a crash came
 * before the signature, or the last attempt is proven not to have happened. Of several engines one takes each of them.
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
    const first = await this.#take(olderThanMs);
    if (first.length === 0) return 0;
    const taken: HeldOrder[] = [];
    const { promise: done, resolve } = Promise.withResolvers<void>();
    try {
      await this.#execute.many(this.#all(first, olderThanMs, taken, done), PARALLEL);
    } finally {
      for (const { order } of taken) this.#inFlight.delete(order.id);
      resolve();
    }
    const left = taken.filter(({ order }) => order.state === 'held');
    await leaveWaiting(
      this.#ports.database,
      left.map(({ order }) => order.id),
    );
    return taken.length;
  }

  /** A few at a time, each batch when it is needed: what waits longer than it is taken for would be anybody's again. */
  async *#all(
    first: readonly HeldOrder[],
    olderThanMs: number,
    taken: HeldOrder[],
    done: Promise<void>,
  ): AsyncGenerator<HeldOrder> {
    for (let batch = first; batch.length > 0; batch = taken.length < BATCH ? await this.#take(olderThanMs) : []) {
      taken.push(...batch);
      for (const { order } of batch) this.#inFlight.set(order.id, done);
      yield* batch;
    }
  }

  #take(olderThanMs: number): Promise<HeldOrder[]> {
    const nowMs = this.#ports.clock.nowMs();
    return takeWaiting(this.#ports.database, {
      limit: PARALLEL,
      before: new Date(nowMs - olderThanMs),
      exclude: [...this.#inFlight.keys()],
      now: new Date(nowMs),
      until: new Date(nowMs + TAKEN_MS),
    });
  }
}
