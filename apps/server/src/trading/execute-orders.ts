import { AppError } from '@hunter/contract/app-error';
import type { ErrorName } from '@hunter/contract/error-catalogue';
import { basisPoints, minimumAfterSlippage } from '@hunter/domain/basis-points';
import { divFloor } from '@hunter/domain/rounding';
import type { SignedTransaction } from '../sending/signed-transaction.ts';
import { refuseQuote } from './decide-quote.ts';
import { isSettled, type HeldOrder, type Order } from './order.ts';
import { ATTEMPTS_MAX } from './order-limits.ts';
import type { EnginePorts } from './engine-ports.ts';
import type { BuiltOrder, OrderPipeline } from './order-pipeline.ts';
import type { OrderSender } from './order-sending.ts';
import { PhaseTimings } from './phase-timings.ts';
import type { RoundQuote, VenueRounds } from '../venue/rounds.ts';
import type { VenueQuote } from '../venue/venue.ts';

/** Round participants that are signed, committed and sent together, while the next ones are being signed. */
const ROUND_CHUNK = 256;
const CHUNKS_PARALLEL = 4;
const COPIES_PARALLEL = 16;
/** A busy venue is asked again this often before the orders are given up. */
const ROUND_TRIES = 4;
const ROUND_RETRY_MS = 400;

/** How long an order waits for a venue or signer that is unavailable. */
const VENUE_PATIENCE_MS = 120_000;

/** Whether an unreachable venue or signer ends an order or leaves it for later. */
type Patience = 'none' | 'wait-for-venue';

/** Takes orders that hold their money to their end, as far as this process lives and the chain answers. */
export class ExecuteOrders {
  readonly #ports: EnginePorts;
  readonly #pipeline: OrderPipeline;
  readonly #sender: OrderSender;

  constructor(ports: EnginePorts, pipeline: OrderPipeline, sender: OrderSender) {
    this.#ports = ports;
    this.#pipeline = pipeline;
    this.#sender = sender;
  }

  async many(orders: readonly HeldOrder[], parallel: number, patience: Patience = 'none'): Promise<void> {
    const queue = orders.values();
    const worker = async (): Promise<void> => {
      for (const held of queue)
        await this.one(held, null, patience).catch((error: unknown) => this.#leave(held, error));
    };
    await Promise.all(Array.from({ length: Math.min(parallel, orders.length) }, worker));
  }

  /** One order by itself: quoted again within its slippage as long as an attempt provably did not happen. */
  async one(held: HeldOrder, firstQuote: VenueQuote | null, patience: Patience = 'none'): Promise<void> {
    const { order } = held;
    let lastError: ErrorName = 'PRICE_MOVED';
    if (firstQuote && order.minOut === null) {
      order.minOut = minimumAfterSlippage(firstQuote.outAmount, basisPoints(order.slippageBps));
    }
    while (order.attempts < ATTEMPTS_MAX) {
      let transaction: SignedTransaction;
      try {
        transaction = await this.#pipeline.signAndCommit(await this.#build(held));
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        if (patience === 'wait-for-venue' && this.#mayWait(held, error)) return;
        await this.#pipeline.kill(order, error.errorName);
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

  /** A lead and its copies at one price; where the venue cannot do that, the lead first and the copies close behind. */
  async round(
    lead: HeldOrder,
    copies: readonly HeldOrder[],
    slippageBps: number,
    timings: PhaseTimings,
    execution: { scaledBps: number },
  ): Promise<void> {
    const { rounds } = this.#ports.venue;
    if (!rounds) return this.#leadThenCopies(lead, copies, slippageBps);
    const build = timings.start('build');
    let round: RoundQuote;
    try {
      round = await this.#openRound(rounds, lead, copies, slippageBps);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      await this.giveUp([lead, ...copies], error.errorName);
      return;
    } finally {
      build();
    }
    execution.scaledBps = round.scaledBps;
    const all = [lead, ...copies];
    const chunks: HeldOrder[][] = [];
    for (let start = 0; start < all.length; start += ROUND_CHUNK) chunks.push(all.slice(start, start + ROUND_CHUNK));
    const queue = chunks.values();
    const following: Promise<unknown>[] = [];
    const worker = async (): Promise<void> => {
      for (const chunk of queue) following.push(...(await this.#roundChunk(round, lead, chunk, timings)));
    };
    await Promise.all(Array.from({ length: Math.min(CHUNKS_PARALLEL, chunks.length) }, worker));
    // What nobody signed for is given back to the pool at once instead of at the round's end.
    void rounds.release(round.roundId).catch(() => {});
    await Promise.all(following);
  }

  /** Signs, commits and sends a part of a round, and answers with what then goes on for each of its orders. */
  async #roundChunk(
    round: RoundQuote,
    lead: HeldOrder,
    chunk: readonly HeldOrder[],
    timings: PhaseTimings,
  ): Promise<Promise<unknown>[]> {
    const sign = timings.start('sign');
    const signed = await Promise.all(chunk.map((held) => this.#signParticipant(round, lead, held)));
    sign();
    const ready = signed.filter((entry) => entry !== null);
    if (ready.length === 0) return [];
    const send = timings.start('send');
    const refused = await this.#sender.send(ready.map(({ transaction }) => transaction));
    send();
    return ready.map(async ({ held, transaction }) => {
      try {
        if (refused.has(transaction.signature)) {
          held.order.state = 'held';
          await this.#missedRound(held, held === lead);
        } else {
          const confirm = timings.start('confirm');
          const landed = await this.#sender.landed(transaction).finally(confirm);
          const post = timings.start('post');
          if (landed) await this.#post(held, transaction).finally(post);
        }
        timings.orderEnded();
      } catch (error) {
        this.#leave(held, error);
      }
    });
  }

  /**
   * A purchase at another price than the creator's would be no copy, so it ends here and says why. What is to be sold is
   * sold, within the slippage of the round's price: nobody is left behind with what the creator has got rid of.
   */
  async #missedRound(held: HeldOrder, isLead: boolean): Promise<void> {
    if (!isLead && held.order.side === 'buy') await this.#pipeline.kill(held.order, 'PRICE_MOVED');
    else await this.one(held, null);
  }

  async #signParticipant(round: RoundQuote, lead: HeldOrder, held: HeldOrder) {
    const id = held === lead ? 'lead' : held.order.id;
    const share = round.participants.get(id);
    try {
      if (!share?.wire) throw new AppError('AMOUNT_TOO_SMALL', { minimum: '0.001 SOL' });
      const transaction = await this.#pipeline.signAndCommit({
        held,
        wire: share.wire,
        poolCertificate: round.poolCertificate,
        inAmount: share.inAmount,
        outAmount: share.outAmount,
        venue: { request: round.roundId, participant: id },
        lastValidBlockHeight: round.lastValidBlockHeight,
      });
      return { held, transaction };
    } catch (error) {
      if (error instanceof AppError) await this.#pipeline.kill(held.order, error.errorName);
      else this.#leave(held, error);
      return null;
    }
  }

  async #openRound(
    rounds: VenueRounds,
    lead: HeldOrder,
    copies: readonly HeldOrder[],
    slippageBps: number,
  ): Promise<RoundQuote> {
    const { clock } = this.#ports;
    const { mint, side } = lead.order;
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await rounds.open({
          mint,
          side,
          slippageBps,
          lead: { taker: lead.wallet.address, amount: lead.order.amountIn },
          participants: copies.map(({ order, wallet }) => ({
            id: order.id,
            taker: wallet.address,
            amount: order.amountIn,
          })),
        });
      } catch (error) {
        const busy = error instanceof AppError && error.errorName === 'UNAVAILABLE';
        if (!busy || attempt >= ROUND_TRIES) throw error;
        await clock.pause(ROUND_RETRY_MS * attempt);
      }
    }
  }

  async #leadThenCopies(lead: HeldOrder, copies: readonly HeldOrder[], slippageBps: number): Promise<void> {
    await this.one(lead, null);
    await this.copiesAfterLead(lead.order, copies, slippageBps);
  }

  /** Copies of a lead that is through: nobody may get a price further from the lead's than the slippage. */
  async copiesAfterLead(lead: Order, copies: readonly HeldOrder[], slippageBps: number): Promise<void> {
    if (!isSettled(lead.state)) return;
    const { filledIn, filledOut } = lead;
    if (filledIn === null || filledOut === null) {
      await this.giveUp(copies, lead.error ?? 'PRICE_MOVED');
      return;
    }
    for (const { order } of copies) {
      const fair = divFloor(order.amountIn * filledOut, filledIn);
      order.minOut ??= minimumAfterSlippage(fair, basisPoints(slippageBps));
    }
    await this.many(copies, COPIES_PARALLEL);
  }

  async #build(held: HeldOrder): Promise<BuiltOrder> {
    const { order, wallet } = held;
    const { venue } = this.#ports;
    const quote = await venue.quote({
      mint: order.mint,
      side: order.side,
      amount: order.amountIn,
      slippageBps: order.slippageBps,
      taker: wallet.address,
    });
    const refused = refuseQuote(order, quote, venue.profile.feeReserveLamports);
    if (refused) throw refused;
    if (quote.wire === null || quote.lastValidBlockHeight === null) throw new AppError('NO_ROUTE');
    return {
      held,
      wire: quote.wire,
      poolCertificate: quote.poolCertificate,
      inAmount: quote.inAmount,
      outAmount: quote.outAmount,
      venue: { request: quote.requestId, participant: null },
      lastValidBlockHeight: quote.lastValidBlockHeight,
    };
  }

  async giveUp(orders: readonly HeldOrder[], error: ErrorName): Promise<void> {
    await Promise.all(orders.map(({ order }) => this.#pipeline.kill(order, error)));
  }

  async #post(held: HeldOrder, transaction: SignedTransaction): Promise<void> {
    Object.assign(held.order, await this.#sender.post(transaction));
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
