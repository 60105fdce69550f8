import { AppError } from '@hunter/contract/app-error';
import type { ErrorName } from '@hunter/contract/error-catalogue';
import { baseUnits } from '@hunter/domain/numbers/base-units';
import { lamports } from '@hunter/domain/numbers/lamports';
import { Coalescer } from '../platform/coalescer.ts';
import type { SignedTransaction } from '../sending/signed-transaction.ts';
import { minimumOut } from './decide-quote.ts';
import type { EnginePorts, Signing, SwapToSign } from './engine-ports.ts';
import type { HeldOrder, Order } from './order.ts';
import { rentCeiling } from './order-limits.ts';
import type { OrderSender } from './order-sending.ts';
import { killOrders } from './order-store.ts';
import type { OwnProof } from './rounds/round-memo.ts';
import { requireToken } from '../market/token-facts.ts';
import type { VenueQuote } from '../venue/venue.ts';

/** A transaction the venue built for an order. */
export type BuiltOrder = {
  held: HeldOrder;
  ownProof: OwnProof | null;
  wire: Uint8Array;
  poolCertificate: string | null;
  inAmount: VenueQuote['inAmount'];
  outAmount: VenueQuote['outAmount'];
  venueRequest: string;
  lastValidBlockHeight: bigint;
};

/** Signs and records what the venue built, and gives orders up; each step is shared by whoever is at it at the same time. */
export class OrderPipeline {
  readonly #ports: EnginePorts;
  readonly #sender: OrderSender;
  readonly #sign: Coalescer<SwapToSign, Signing>;
  readonly #kill: Coalescer<{ id: string; error: ErrorName }, Order | null>;

  constructor(ports: EnginePorts, sender: OrderSender) {
    this.#ports = ports;
    this.#sender = sender;
    this.#sign = new Coalescer((swaps) => ports.signer.signSwaps(swaps), { batchMax: 500, parallelMax: 2 });
    this.#kill = new Coalescer((rows) => this.#killAll(rows), { batchMax: 1_000, parallelMax: 1 });
  }

  /**
   * Signs what the venue built and commits the bytes; null where another process carries the order on by now. An AppError says why not;
   * the order then still holds its money.
   */
  async signAndCommit(built: BuiltOrder): Promise<SignedTransaction | null> {
    const { order, wallet } = built.held;
    const token = await requireToken(this.#ports.tokens, order.mint);
    const { profile } = this.#ports.venue;
    const buy = order.side === 'buy';
    const minOut = minimumOut(order, built.outAmount);
    const costs = profile.feeReserveLamports + rentCeiling(token.tokenProgram);
    const bounds = {
      maxLamportsOut: lamports((buy ? built.inAmount : 0n) + costs),
      maxTokensOut: baseUnits(buy ? 0n : built.inAmount),
      minLamportsIn: lamports(buy ? 0n : minOut),
      minTokensIn: baseUnits(buy ? minOut : 0n),
    };
    if (built.inAmount > order.swapIn) throw new AppError('SIGNING_DENIED');
    const { userId, mint, side } = order;
    const { tokenProgram } = token;
    // Whoever asked for it, and however long ago: a frozen account spends nothing. Joins are asked for by followers, not by the creator.
    if (buy && order.kind !== 'join') await this.#ports.requireNotFrozen(this.#ports.database, userId);
    const signing = await this.#sign.submit({
      ...bounds,
      userId,
      wallet,
      wire: built.wire,
      poolCertificate: built.poolCertificate,
      side,
      mint,
      tokenProgram,
    });
    if (!signing.ok) {
      this.#ports.log.error({ orderId: order.id, reason: signing.reason }, 'the signer refused an order; giving it up');
      throw new AppError(signing.error);
    }
    const transaction: SignedTransaction = {
      signature: signing.signature,
      intentId: order.id,
      walletAddress: wallet.address,
      wire: signing.wire,
      lastValidBlockHeight: built.lastValidBlockHeight,
      venueRequest: built.venueRequest,
    };
    const claim = { attempts: order.attempts, minOut, ownProof: built.ownProof };
    if (!(await this.#sender.commit(transaction, claim))) return null;
    order.attempts += 1;
    order.minOut = minOut;
    order.state = 'sent';
    return transaction;
  }

  async kill(order: Order, error: ErrorName): Promise<void> {
    const killed = await this.#kill.submit({ id: order.id, error });
    if (killed) Object.assign(order, killed);
  }

  async #killAll(rows: { id: string; error: ErrorName }[]): Promise<(Order | null)[]> {
    const killed = await killOrders(this.#ports.database, rows, new Date(this.#ports.clock.nowMs()));
    this.#ports.onSettled(killed);
    const byId = new Map(killed.map((order) => [order.id, order]));
    return rows.map((row) => byId.get(row.id) ?? null);
  }
}
