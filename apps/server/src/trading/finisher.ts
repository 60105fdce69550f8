import { decideTransactionStatus } from '@hunter/solana/transaction-status';
import type { ExecuteOrders } from './execute-orders.ts';
import type { OrderAttempt } from './order.ts';
import type { EnginePorts, OrderPipeline } from './order-pipeline.ts';
import { loadOrders, loadUnfinished, type UnfinishedOrder } from './order-store.ts';
import { isLastingRefusal } from '../venue/execute-result.ts';
import { PhaseTimings } from './phase-timings.ts';

const PASS_MS = 1_000;
/** A live process works on its own orders; what is older than this and not in its hands was left behind. */
const LEFT_BEHIND_MS = 3_000;
const BATCH = 5_000;
const PARALLEL = 16;
const FINALITY_BATCH = 1_000;

/**
 * Ends what was left open. For a transaction that may have gone out it needs proof: confirmed is posted, failed is posted with
 * its fee, and only what provably did not happen and cannot happen any more is signed again. Everything else stays sent.
 */
export class Finisher {
  readonly #ports: EnginePorts;
  readonly #pipeline: OrderPipeline;
  readonly #execute: ExecuteOrders;
  readonly #inFlight: Map<string, Promise<void>>;
  #stopped = false;
  #running: Promise<void> = Promise.resolve();

  constructor(
    ports: EnginePorts,
    pipeline: OrderPipeline,
    execute: ExecuteOrders,
    inFlight: Map<string, Promise<void>>,
  ) {
    this.#ports = ports;
    this.#pipeline = pipeline;
    this.#execute = execute;
    this.#inFlight = inFlight;
  }

  /** One look at everything, whatever its age. */
  async recover(): Promise<void> {
    await this.#pass(0);
  }

  start(): void {
    this.#running = this.#loop();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#running;
  }

  async #loop(): Promise<void> {
    const { pacer, log } = this.#ports;
    while (!this.#stopped) {
      await pacer.pause(PASS_MS);
      if (this.#stopped) return;
      try {
        await this.#pass(LEFT_BEHIND_MS);
        await this.#finalize();
      } catch (error) {
        log.warn({ err: error }, 'the finisher could not do its round and goes on');
      }
    }
  }

  async #pass(olderThanMs: number): Promise<void> {
    const open = await loadUnfinished(this.#ports.database, {
      limit: BATCH,
      before: new Date(this.#ports.pacer.nowMs() - olderThanMs),
      exclude: [...this.#inFlight.keys()],
    });
    if (open.length === 0) return;
    const work = this.#finish(open);
    for (const { order } of open) this.#inFlight.set(order.id, work);
    try {
      await work;
    } finally {
      for (const { order } of open) this.#inFlight.delete(order.id);
    }
  }

  async #finish(open: readonly UnfinishedOrder[]): Promise<void> {
    const sent = open.filter((entry): entry is Sent => entry.live !== null);
    const free = await this.#resolveSent(sent);
    const waiting = [...open.filter((entry) => entry.live === null), ...free];
    await this.#executeAgain(waiting);
  }

  /** Answers with the orders whose transaction is proven dead. */
  async #resolveSent(sent: readonly Sent[]): Promise<UnfinishedOrder[]> {
    if (sent.length === 0) return [];
    const { chain } = this.#ports;
    // The height is read first: a status that was asked for later, and answered from a later slot, can prove an expiry.
    const { slot, blockHeight } = await chain.getEpochInfo('finalized');
    const statuses = await chain.getSignatureStatuses(
      sent.map(({ live }) => live.signature),
      { searchTransactionHistory: true },
    );
    const free: UnfinishedOrder[] = [];
    const unknown: Sent[] = [];
    const settling: Promise<unknown>[] = [];
    for (const [index, entry] of sent.entries()) {
      const decision = decideTransactionStatus({
        status: statuses.value[index] ?? null,
        statusContextSlot: statuses.contextSlot,
        searchedHistory: true,
        lastValidBlockHeight: entry.live.lastValidBlockHeight,
        finalized: { slot, blockHeight },
      });
      if (decision.kind === 'confirmed' || decision.kind === 'finalized' || decision.kind === 'failed') {
        settling.push(this.#pipeline.settle(entry, entry.live));
      } else if (decision.kind === 'expired-proven') {
        settling.push(this.#pipeline.withdraw(entry, entry.live, 'expired').then((done) => done && free.push(entry)));
      } else if (decision.reason === 'still-valid') unknown.push(entry);
    }
    // One that cannot be posted does not stop the others.
    for (const result of await Promise.allSettled(settling)) {
      if (result.status === 'rejected') this.#ports.log.error({ err: result.reason }, 'an order could not be finished');
    }
    free.push(...(await this.#resend(unknown)));
    return free;
  }

  async #resend(left: readonly Sent[]): Promise<UnfinishedOrder[]> {
    const ours = await this.#pipeline.takeOver(left.map(({ live }) => live));
    const unknown = left.filter(({ live }) => ours.has(live.signature));
    const results = await this.#execute.resend(unknown.map(({ live }) => live));
    const refused: UnfinishedOrder[] = [];
    for (const entry of unknown) {
      const result = results.get(entry.order.id);
      // Whoever sent these bytes before may have a request on its way that a better price lets through.
      if (!result || !isLastingRefusal(result) || !this.#pipeline.isProofOfRefusal(entry.live)) continue;
      if (await this.#pipeline.withdraw(entry, entry.live, 'refused-lastingly')) refused.push(entry);
    }
    return refused;
  }

  /** A round that was cut off before anybody signed is priced again as a round; single orders go on by themselves. */
  async #executeAgain(waiting: readonly UnfinishedOrder[]): Promise<void> {
    const rounds = new Map<string, UnfinishedOrder[]>();
    const singles: UnfinishedOrder[] = [];
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

  async #followLead(copies: readonly UnfinishedOrder[]): Promise<void> {
    const [lead] = await loadOrders(this.#ports.database, [copies[0]!.order.parentId!]);
    // Copies of an order that was refused before it was written copy nothing.
    if (!lead) {
      await Promise.all(copies.map(({ order }) => this.#pipeline.kill(order, 'PRICE_MOVED')));
      return;
    }
    await this.#execute.copiesAfterLead(lead, copies, lead.slippageBps);
  }

  /** Confirmed fills are posted; once finalized they can no longer be undone and are said to be so. */
  async #finalize(): Promise<void> {
    const { database, chain } = this.#ports;
    const rows = await database.query<{ id: string; signature: string }>(
      `select id, signature from trade_order where state = 'confirmed' order by settled_at limit $1`,
      [FINALITY_BATCH],
    );
    if (rows.length === 0) return;
    const { value } = await chain.getSignatureStatuses(
      rows.map((row) => row.signature),
      { searchTransactionHistory: true },
    );
    const final = rows.filter((_, index) => value[index]?.confirmationStatus === 'finalized');
    if (final.length === 0) return;
    await database.query(
      `update trade_order set state = 'finalized' where id = any($1::uuid[]) and state = 'confirmed'`,
      [final.map((row) => row.id)],
    );
  }
}

type Sent = UnfinishedOrder & { live: OrderAttempt };
