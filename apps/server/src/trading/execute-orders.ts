import { AppError } from '@hunter/contract/app-error';
import type { ErrorName } from '@hunter/contract/error-catalogue';
import type { SignedTransaction } from '../sending/signed-transaction.ts';
import { refuseQuote } from './decide-quote.ts';
import type { HeldOrder } from './order.ts';
import { ATTEMPTS_MAX } from './order-limits.ts';
import type { EnginePorts } from './engine-ports.ts';
import type { BuiltOrder, OrderPipeline } from './order-pipeline.ts';
import type { OrderSender, OrderSending } from './order-sending.ts';
import { roundMemo } from './rounds/round-memo.ts';

/** How long an order waits for a venue or signer that is unavailable. */
const VENUE_PATIENCE_MS = 120_000;

/** Whether an unreachable venue or signer ends an order or leaves it for later. */
type Patience = 'none' | 'wait-for-venue';

/** Takes orders that hold their money to their end, as far as this process lives and the chain answers. */
export class ExecuteOrders {
  readonly #ports: EnginePorts;
  readonly #pipeline: OrderPipeline;
  readonly #sender: OrderSender;
  readonly #sending: OrderSending;

  constructor(ports: EnginePorts, pipeline: OrderPipeline, sender: OrderSender, sending: OrderSending) {
    this.#ports = ports;
    this.#pipeline = pipeline;
    this.#sender = sender;
    this.#sending = sending;
  }

  /**
   * Each ends on its own. Nobody sits before a screen and waits for one price, so a venue or signer that is unavailable for a
   * moment is waited for.
   */
  async many(orders: IterableIterator<HeldOrder> | AsyncIterableIterator<HeldOrder>, parallel: number): Promise<void> {
    const worker = async (): Promise<void> => {
      for await (const held of orders)
        await this.one(held, 'wait-for-venue').catch((error: unknown) => this.#leave(held, error));
    };
    await Promise.all(Array.from({ length: parallel }, worker));
  }

  /** One order by itself: quoted again within its slippage as long as an attempt provably did not happen. */
  async one(held: HeldOrder, patience: Patience = 'none'): Promise<void> {
    const { order } = held;
    let lastError: ErrorName = 'PRICE_MOVED';
    while (order.attempts < ATTEMPTS_MAX) {
      let transaction: SignedTransaction | null;
      try {
        transaction = await this.#pipeline.signAndCommit(await this.#build(held));
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        if (patience === 'wait-for-venue' && this.#mayWait(held, error)) return;
        await this.#pipeline.kill(order, error.errorName);
        return;
      }
      if (transaction === null) {
        this.#ports.log.info({ orderId: order.id }, 'another process carries an order on; leaving it');
        return;
      }
      const refused = (await this.#sender.send([transaction])).get(transaction.signature);
      if (refused === undefined) {
        if (await this.#sender.landed(transaction)) await this.#post(held, transaction);
        return;
      }
      order.state = 'held';
      lastError = refused;
    }
    await this.#pipeline.kill(order, lastError);
  }

  async #build(held: HeldOrder): Promise<BuiltOrder> {
    const { order, wallet } = held;
    const { venue } = this.#ports;
    const round = order.isRound ? await roundMemo(this.#ports, held) : null;
    const quote = await venue.quote({
      mint: order.mint,
      side: order.side,
      amount: order.swapIn,
      slippageBps: order.slippageBps,
      taker: wallet.address,
      ...(round === null ? {} : { memo: round.memo }),
    });
    const refused = refuseQuote(order, quote, venue.profile.feeReserveLamports);
    if (refused) throw refused;
    if (quote.wire === null || quote.lastValidBlockHeight === null) throw new AppError('NO_ROUTE');
    return {
      held,
      ownProof: round?.ownProof ?? null,
      wire: quote.wire,
      poolCertificate: quote.poolCertificate,
      inAmount: quote.inAmount,
      outAmount: quote.outAmount,
      venueRequest: quote.requestId,
      lastValidBlockHeight: quote.lastValidBlockHeight,
    };
  }

  async #post({ order, round }: HeldOrder, transaction: SignedTransaction): Promise<void> {
    if (round) this.#sending.remember(order, round.parts);
    try {
      Object.assign(order, await this.#sender.post(transaction));
    } finally {
      this.#sending.forget(order);
    }
  }

  /** After a restart the venue may come up later than we do; the order is not given up for that. */
  #mayWait(held: HeldOrder, error: AppError): boolean {
    const ageMs = this.#ports.clock.nowMs() - held.order.createdAt.getTime();
    return error.errorName === 'UNAVAILABLE' && ageMs < VENUE_PATIENCE_MS;
  }

  #leave(held: HeldOrder, error: unknown): void {
    this.#ports.log.error({ orderId: held.order.id, err: error }, 'executing an order failed; recovery carries on');
  }
}
