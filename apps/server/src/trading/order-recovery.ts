import type { ExecuteOrders } from './execute-orders.ts';
import { loadOrders, loadWaiting } from './order-store.ts';
import type { HeldOrder } from './order.ts';
import type { EnginePorts } from './engine-ports.ts';
import { PhaseTimings } from './phase-timings.ts';

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
    const work = this.#executeAgain(waiting);
    for (const { order } of waiting) this.#inFlight.set(order.id, work);
    try {
      await work;
    } finally {
      for (const { order } of waiting) this.#inFlight.delete(order.id);
    }
    return waiting.length;
  }

  /** A round that was cut off before anybody signed is priced again as a round; single orders go on by themselves. */
  async #executeAgain(waiting: readonly HeldOrder[]): Promise<void> {
    const rounds = new Map<string, HeldOrder[]>();
    const singles: HeldOrder[] = [];
    for (const entry of waiting) {
      const { roundId, attempts } = entry.order;
      if (roundId === null || attempts > 0) singles.push(entry);
      else rounds.set(roundId, [...(rounds.get(roundId) ?? []), entry]);
    }
    const work: Promise<void>[] = [];
    for (const members of rounds.values()) {
      const lead = members.find(({ order }) => order.parentId === null);
      const copies = members.filter((member) => member !== lead);
      const timings = new PhaseTimings(() => performance.now());
      work.push(
        lead
          ? this.#execute.round(lead, copies, lead.order.slippageBps, timings, { scaledBps: 10_000 })
          : this.#followLead(copies),
      );
    }
    work.push(this.#execute.many(singles, PARALLEL, 'wait-for-venue'));
    await Promise.all(work);
  }

  async #followLead(copies: readonly HeldOrder[]): Promise<void> {
    const [lead] = await loadOrders(this.#ports.database, [copies[0]!.order.parentId!]);
    // Copies of an order that was refused before it was written copy nothing.
    if (!lead) await this.#execute.giveUp(copies, 'PRICE_MOVED');
    else await this.#execute.copiesAfterLead(lead, copies, lead.slippageBps);
  }
}
