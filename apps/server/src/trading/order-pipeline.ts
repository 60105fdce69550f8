import { randomUUID } from 'node:crypto';
import { AppError } from '@hunter/contract/app-error';
import type { ErrorName } from '@hunter/contract/error-catalogue';
import { balanceChanges } from '@hunter/solana/balance-changes';
import type { ChainTransaction } from '@hunter/solana/rpc-replies';
import { decodeTransaction, missingSigners } from '@hunter/solana/transaction';
import type { Database } from '../platform/postgres.ts';
import type { Log } from '../platform/log.ts';
import { chainFill } from './chain-fill.ts';
import { Coalescer } from './coalescer.ts';
import { Confirmations } from './confirmations.ts';
import { minimumOut } from './decide-quote.ts';
import type { ChainReader, Pacer, Signing, SwapSigner, SwapToSign } from './engine-ports.ts';
import type { HeldOrder, Order, OrderAttempt } from './order.ts';
import { rentCeiling } from './order-limits.ts';
import { claimAttempts, killOrders, recordAttempts, withdrawAttempt, type SignedOrder } from './order-store.ts';
import { settleOrders, type Settlement } from './settle-orders.ts';
import { requireToken, type TokenFacts } from '../market/token-facts.ts';
import type { Venue } from '../venue/venue.ts';

export type EnginePorts = {
  database: Database;
  venue: Venue;
  chain: ChainReader;
  signer: SwapSigner;
  tokens: TokenFacts;
  pacer: Pacer;
  log: Log;
  /** Called after the commit that settled an order. */
  onSettled: (orders: Order[]) => void;
};

/** A transaction the venue built for an order. */
export type BuiltOrder = {
  held: HeldOrder;
  wire: Uint8Array;
  poolCertificate: string | null;
  inAmount: bigint;
  outAmount: bigint;
  venueRequest: string;
  venueParticipant: string | null;
  lastValidBlockHeight: bigint;
};

const CONFIRM_WAIT_MS = 20_000;

/**
 * The steps every order goes through, each shared by whoever is at it at the same time: sign, commit the bytes, watch, read
 * the transaction, post. A lone order passes at once; a thousand pass in a few statements.
 */
export class OrderPipeline {
  readonly #ports: EnginePorts;
  /** This process as the sender of what it signs, and as the one that takes over what was left behind. */
  readonly #sender: string = randomUUID();
  readonly #takeover: string = randomUUID();
  readonly #sign: Coalescer<SwapToSign, Signing>;
  readonly #commit: Coalescer<SignedOrder, boolean>;
  readonly #read: Coalescer<string, ChainTransaction | null>;
  readonly #settle: Coalescer<Settlement, Order>;
  readonly #kill: Coalescer<{ id: string; error: ErrorName }, Order | null>;
  readonly confirmations: Confirmations;

  constructor(ports: EnginePorts) {
    this.#ports = ports;
    const { database, chain, signer, pacer } = ports;
    this.#sign = new Coalescer((swaps) => signer.signSwaps(swaps), { batchMax: 500, parallelMax: 2 });
    this.#commit = new Coalescer((signed) => recordAttempts(database, signed, this.#sender), {
      batchMax: 500,
      parallelMax: 2,
    });
    this.#read = new Coalescer((signatures) => chain.getTransactions(signatures), { batchMax: 200, parallelMax: 3 });
    this.#settle = new Coalescer((settlements) => this.#post(settlements), { batchMax: 400, parallelMax: 2 });
    this.#kill = new Coalescer((rows) => this.#killAll(rows), { batchMax: 1_000, parallelMax: 1 });
    this.confirmations = new Confirmations(chain, pacer);
  }

  /** Signs what the venue built and commits the bytes. An AppError says why not; the order then still holds its money. */
  async signAndCommit(built: BuiltOrder): Promise<OrderAttempt> {
    const { order, wallet } = built.held;
    const token = await requireToken(this.#ports.tokens, order.mint);
    const { profile } = this.#ports.venue;
    const buy = order.side === 'buy';
    const minOut = minimumOut(order, built.outAmount);
    const bounds = {
      maxLamportsOut: (buy ? built.inAmount : 0n) + profile.feeReserveLamports + rentCeiling(token.tokenProgram),
      maxTokensOut: buy ? 0n : built.inAmount,
      minLamportsIn: buy ? 0n : minOut,
      minTokensIn: buy ? minOut : 0n,
    };
    if (built.inAmount > order.amountIn) throw new AppError('SIGNING_DENIED');
    const { userId, mint, side } = order;
    const { tokenProgram } = token;
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
      this.#ports.log.error({ order: order.id, reason: signing.reason }, 'an order was not signed');
      throw new AppError(signing.error);
    }
    const attempt: OrderAttempt = {
      orderId: order.id,
      attempt: order.attempts + 1,
      signature: signing.signature,
      wire: signing.wire,
      venueRequest: built.venueRequest,
      venueParticipant: built.venueParticipant,
      lastValidBlockHeight: built.lastValidBlockHeight,
    };
    const recorded = await this.#commit.submit({ attempt, minOut });
    if (!recorded) throw new Error(`order ${order.id} was not waiting for a signature`);
    order.attempts = attempt.attempt;
    order.minOut = minOut;
    order.state = 'sent';
    return attempt;
  }

  /** Follows a sent transaction to its posting. False where the chain did not tell in time: the finisher goes on. */
  async follow(held: HeldOrder, attempt: OrderAttempt): Promise<boolean> {
    return (await this.landed(attempt)) && this.settle(held, attempt);
  }

  landed(attempt: OrderAttempt): Promise<boolean> {
    return this.confirmations.wait(attempt.signature, CONFIRM_WAIT_MS);
  }

  /** For a transaction that is confirmed. */
  async settle(held: HeldOrder, attempt: OrderAttempt): Promise<boolean> {
    const transaction = await this.#read.submit(attempt.signature);
    if (transaction === null) return false;
    const { order, wallet } = held;
    const token = await requireToken(this.#ports.tokens, order.mint);
    const fill = chainFill(balanceChanges(transaction), wallet.address, order.mint, order.side);
    const blockMs = transaction.blockTime === null ? this.#ports.pacer.nowMs() : transaction.blockTime * 1000;
    const settled = await this.#settle.submit({
      orderId: order.id,
      attempt: attempt.attempt,
      fill,
      tokenProgram: token.tokenProgram,
      venueFeeBps: this.#ports.venue.profile.feeBps,
      // Blocks know seconds only; nothing settles before it was asked for.
      at: new Date(Math.max(blockMs, order.createdAt.getTime())),
    });
    Object.assign(order, settled);
    return true;
  }

  /** A refusal is proof only where the bytes alone cannot land, because a signature is missing that the venue kept back. */
  isProofOfRefusal(attempt: OrderAttempt): boolean {
    return missingSigners(decodeTransaction(attempt.wire)).length > 0;
  }

  /** Frees an order whose transaction is proven not to happen. False where the proof no longer holds. */
  async withdraw(
    held: HeldOrder,
    attempt: OrderAttempt,
    proof: 'expired' | 'refused' | 'refused-lastingly',
  ): Promise<boolean> {
    const end =
      proof === 'expired'
        ? { state: 'expired' as const }
        : { state: 'refused' as const, sender: proof === 'refused' ? this.#sender : this.#takeover };
    const withdrawn = await withdrawAttempt(this.#ports.database, attempt, end);
    if (withdrawn) held.order.state = 'held';
    return withdrawn;
  }

  /** From here on a refusal that an earlier sender gets proves nothing to it. */
  takeOver(attempts: readonly OrderAttempt[]): Promise<ReadonlySet<string>> {
    return claimAttempts(this.#ports.database, attempts, this.#takeover);
  }

  async kill(order: Order, error: ErrorName): Promise<void> {
    const killed = await this.#kill.submit({ id: order.id, error });
    if (killed) Object.assign(order, killed);
  }

  async #post(settlements: Settlement[]): Promise<Order[]> {
    const orders = await settleOrders(this.#ports.database, settlements);
    this.#ports.onSettled(orders);
    return orders;
  }

  async #killAll(rows: { id: string; error: ErrorName }[]): Promise<(Order | null)[]> {
    const killed = await killOrders(this.#ports.database, rows, new Date(this.#ports.pacer.nowMs()));
    this.#ports.onSettled(killed);
    const byId = new Map(killed.map((order) => [order.id, order]));
    return rows.map((row) => byId.get(row.id) ?? null);
  }
}
