// The orders of all wallets. One order takes: quote → hold → sign and commit the bytes → send → confirm → post. A round is an order
// of a strategy's wallet whose fill is shared out among many books. Whatever a crash, a lost answer or a missed deadline leaves
// open is carried on by recovery from what the database says, the same way after a restart and in normal running.

import { AppError, carriesContext } from '@hunter/contract/app-error';
import type { ErrorName } from '@hunter/contract/error-catalogue';
import type { AmountOut } from '@hunter/domain/market/swap-maths';
import { larger } from '@hunter/domain/numbers/rounding';
import { Coalescer } from '../platform/coalescer.ts';
import type { Sql } from '../platform/postgres.ts';
import { Sender } from '../sending/sender.ts';
import { minimumOut, refuseQuote } from './decide-quote.ts';
import { ExecuteOrders } from './execute-orders.ts';
import { OrderRecovery } from './order-recovery.ts';
import { OrderSending, type OrderSender } from './order-sending.ts';
import { isSettled, type HeldOrder, type NewOrder, type Order } from './order.ts';
import { IMPACT_REFUSED_PERCENT, SLIPPAGE_BPS_MAX } from './order-limits.ts';
import type { EnginePorts } from './engine-ports.ts';
import { OrderPipeline } from './order-pipeline.ts';
import { loadOrders } from './order-store.ts';
import { placeOrders, type Placed, type Placement } from './place-orders.ts';
import { insertRound, type NewRound } from './rounds/place-round.ts';
import { requireToken } from '../market/token-facts.ts';
import type { VenueQuote } from '../venue/venue.ts';

/** How long a caller waits for the confirmed result before it is told `sent`. */
export const REPLY_WAIT_MS = 10_000;
const PLACE_BATCH_MAX = 2_000;
const MANY_PARALLEL = 32;
const POLL_MS = 200;
/** Longer than the transaction of whoever places an order in his own takes to commit. */
const IN_HAND_MS = 3_000;

export class OrderEngine {
  readonly #ports: EnginePorts;
  readonly #pipeline: OrderPipeline;
  readonly #execute: ExecuteOrders;
  readonly #sender: OrderSender;
  readonly #place: Coalescer<Placement, Placed>;
  /** Orders this process is at work on; recovery leaves them alone. */
  readonly #inFlight = new Map<string, Promise<void>>();

  constructor(ports: EnginePorts, { batchMax = PLACE_BATCH_MAX }: { batchMax?: number } = {}) {
    this.#ports = ports;
    const { database, chain, clock, log } = ports;
    const sending = new OrderSending(ports, (olderThanMs) => recovery.resume(olderThanMs));
    this.#sender = new Sender({ database, chain, clock, log }, sending);
    this.#pipeline = new OrderPipeline(ports, this.#sender);
    this.#execute = new ExecuteOrders(ports, this.#pipeline, this.#sender, sending);
    const recovery = new OrderRecovery(ports, this.#execute, this.#inFlight);
    this.#place = new Coalescer((placements) => this.#placeAll(placements), {
      batchMax,
      parallelMax: 1,
    });
  }

  /** Finishes what an earlier process left open, then keeps watch until `stop`. */
  async recover(): Promise<void> {
    try {
      await this.#sender.recover();
    } finally {
      this.#sender.start();
    }
  }

  /** Waits for what is under way, as long as `timeoutMs`; what is left is found by the next `recover`. */
  async stop(timeoutMs = 15_000): Promise<void> {
    await this.#sender.stop();
    await Promise.race([Promise.allSettled(this.#inFlight.values()), this.#ports.clock.pause(timeoutMs)]);
  }

  /** The node announced a slot: something may have been confirmed. */
  slotSeen(): void {
    this.#sender.slotSeen();
  }

  /**
   * Places one order and answers with it once it is settled, or as it is after `waitMs`. Refusals before anything
   * was set aside throw (INVALID_INPUT, TOKEN_UNKNOWN, NOT_FOUND, NO_ROUTE, UNAVAILABLE, PRICE_IMPACT_TOO_HIGH,
   * AMOUNT_TOO_SMALL, INSUFFICIENT_BALANCE, NOTHING_TO_SELL, STRATEGY_ENDED, REQUEST_IN_PROGRESS); what ends without a trade later is an order in state `dead` or `failed` with
   * its error.
   */
  async placeOrder(order: NewOrder, options: { waitMs?: number } = {}): Promise<Order> {
    requireSlippage(order.slippageBps);
    const token = await requireToken(this.#ports.tokens, order.mint);
    // Written with the order: whoever carries it out, and however late, the slippage counts from what was quoted to the one who asked.
    const quoted = order.fit === true ? { minOut: order.minOut } : await this.#quotedOrKnown(order);
    if ('known' in quoted) return this.#afterWait(quoted.known, options.waitMs);
    const { minOut } = quoted;
    const placing = minOut === undefined ? order : { ...order, minOut };
    const placement = { order: placing, tokenProgram: token.tokenProgram };
    // What is asked or written with an order may refuse it, and then must not take the orders of others along.
    const isAlone = order.first !== undefined || order.alongside !== undefined;
    const placed = isAlone ? (await this.#placeAll([placement]))[0]! : await this.#place.submit(placement);
    if (placed.kind === 'refused') throw refusal(placed.error);
    if (placed.kind === 'known') return this.#afterWait(placed.order, options.waitMs);
    const { held } = placed;
    this.#track([held.order], this.#execute.one(held));
    return this.#afterWait(held.order, options.waitMs);
  }

  /** Writes orders and sets their money aside, in the caller's transaction; `carryOut` trades those held once it is committed. */
  async placeIn(sql: Sql, orders: readonly (NewOrder & { id: string })[]): Promise<Placed[]> {
    const placements: Placement[] = [];
    for (const order of orders) {
      requireSlippage(order.slippageBps);
      const { tokenProgram } = await requireToken(this.#ports.tokens, order.mint, sql);
      placements.push({ order, tokenProgram });
      this.#holdBack(order.id);
    }
    return this.#placeIn(sql, placements);
  }

  /** Trades orders that `placeIn` set aside; whoever wants to know how they end hears it as they settle. */
  carryOut(held: readonly HeldOrder[]): void {
    if (held.length === 0) return;
    this.#track(
      held.map(({ order }) => order),
      this.#execute.many(held.values(), Math.min(MANY_PARALLEL, held.length)),
    );
  }

  /** Writes a round and sets its money aside, in the caller's transaction; `execute` trades it once that is committed. */
  async placeRound(sql: Sql, round: NewRound, now: Date): Promise<HeldOrder> {
    const { tokenProgram } = await requireToken(this.#ports.tokens, round.mint, sql);
    const { feeReserveLamports } = this.#ports.venue.profile;
    this.#holdBack(round.id);
    return insertRound(sql, round, { feeReserveLamports, tokenProgram, now });
  }

  /** Trades what `placeRound` set aside and answers with the order once it is settled, or as it is after `waitMs`. */
  execute(held: HeldOrder, waitMs: number): Promise<Order> {
    this.#track([held.order], this.#execute.one(held));
    return this.#afterWait(held.order, waitMs);
  }

  /** An order that was placed before, once it is settled, or as it is after `waitMs`. */
  finished(order: Order, waitMs: number): Promise<Order> {
    return this.#afterWait(order, waitMs);
  }

  /** Throws where the market as it is would refuse an order of this size. */
  async checkQuote(order: Pick<NewOrder, 'mint' | 'side' | 'amountIn' | 'slippageBps' | 'kind'>): Promise<void> {
    requireSlippage(order.slippageBps);
    await requireToken(this.#ports.tokens, order.mint);
    await this.#firstQuote(order);
  }

  /** The orders as they stand once all are settled, or after `timeoutMs`. */
  async waitFor(ids: readonly string[], timeoutMs: number, known: readonly Order[] = []): Promise<Order[]> {
    const { clock, database } = this.#ports;
    const deadlineMs = clock.nowMs() + timeoutMs;
    const flights = ids.flatMap((id) => this.#inFlight.get(id) ?? []);
    if (flights.length > 0) await Promise.race([Promise.allSettled(flights), clock.pause(timeoutMs)]);
    // The pipeline writes what it learns into the very objects it was given.
    if (known.length === ids.length && known.every((order) => isSettled(order.state))) return [...known];
    for (;;) {
      const orders = await loadOrders(database, ids);
      if (orders.every((order) => isSettled(order.state)) || clock.nowMs() >= deadlineMs) return orders;
      await clock.pause(POLL_MS);
    }
  }

  async #afterWait(order: Order, waitMs = REPLY_WAIT_MS): Promise<Order> {
    if (isSettled(order.state)) return order;
    const [now] = await this.waitFor([order.id], waitMs, [order]);
    return now!;
  }

  /** A market that refuses it now says nothing of an order that was placed before: it may have traded. */
  async #quotedOrKnown(order: NewOrder): Promise<{ minOut: AmountOut } | { known: Order }> {
    try {
      return { minOut: await this.#leastOf(order) };
    } catch (error) {
      const [known] = order.id === undefined ? [] : await loadOrders(this.#ports.database, [order.id]);
      if (known === undefined) throw error;
      return { known };
    }
  }

  /** What the slippage leaves of the first quote, or what the caller asks for at least, where that is more. */
  async #leastOf({ minOut, ...order }: NewOrder): Promise<AmountOut> {
    const quote = await this.#firstQuote(order);
    if (minOut !== undefined && quote.outAmount < minOut) throw new AppError('PRICE_MOVED');
    const least = minimumOut(order, quote.outAmount);
    return minOut === undefined ? least : larger(least, minOut);
  }

  async #firstQuote(order: Pick<NewOrder, 'mint' | 'side' | 'amountIn' | 'slippageBps' | 'kind'>): Promise<VenueQuote> {
    const { venue } = this.#ports;
    const quote = await venue.quote({
      mint: order.mint,
      side: order.side,
      amount: order.amountIn,
      slippageBps: order.slippageBps,
    });
    const refused = refuseQuote({ ...order, minOut: null }, quote, venue.profile.feeReserveLamports);
    if (refused) throw refused;
    return quote;
  }

  /** Until it is executed the order belongs to this process; a crash leaves it to recovery. */
  #holdBack(id: string): void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#inFlight.set(id, promise);
    const release = (): void => {
      resolve();
      if (this.#inFlight.get(id) === promise) this.#inFlight.delete(id);
    };
    this.#ports.clock.pause(IN_HAND_MS).then(release, release);
  }

  #placeAll(placements: readonly Placement[]): Promise<Placed[]> {
    return this.#ports.database.transaction((sql) => this.#placeIn(sql, placements));
  }

  #placeIn(sql: Sql, placements: readonly Placement[]): Promise<Placed[]> {
    return placeOrders(sql, placements, {
      feeReserveLamports: this.#ports.venue.profile.feeReserveLamports,
      now: new Date(this.#ports.clock.nowMs()),
    });
  }

  #track(orders: readonly Order[], work: Promise<void>): void {
    const done = work
      .catch((error: unknown) => this.#ports.log.error({ err: error }, 'executing orders failed; recovery carries on'))
      .finally(() => {
        for (const order of orders) this.#inFlight.delete(order.id);
      });
    for (const order of orders) this.#inFlight.set(order.id, done);
  }
}

function requireSlippage(slippageBps: number): void {
  if (!Number.isInteger(slippageBps) || slippageBps < 1 || slippageBps > SLIPPAGE_BPS_MAX) {
    throw new AppError('INVALID_INPUT', { field: 'slippageBps', reason: 'range' });
  }
}

/** The refusal of an order as the caller is told. */
export function refusal(error: ErrorName): AppError {
  if (error === 'AMOUNT_TOO_SMALL') return new AppError(error, { minimum: '0.001 SOL' });
  if (error === 'PRICE_IMPACT_TOO_HIGH') return new AppError(error, { impact: String(IMPACT_REFUSED_PERCENT) });
  return carriesContext(error) ? new AppError('INTERNAL') : new AppError(error);
}
