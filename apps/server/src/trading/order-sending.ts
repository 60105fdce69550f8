import type { AmountOut } from '@hunter/domain/market/swap-maths';
import { balanceChanges } from '@hunter/solana/balance-changes';
import type { Transaction } from '../platform/postgres.ts';
import type { Landed, PurposeRules, SendRefusal } from '../sending/purpose.ts';
import type { Sender } from '../sending/sender.ts';
import type { SignedTransaction } from '../sending/signed-transaction.ts';
import { chainFill } from './chain-fill.ts';
import type { HeldPart, Order } from './order.ts';
import type { EnginePorts } from './engine-ports.ts';
import { claimOrders, finalizeOrders, loadOrders, releaseOrders } from './order-store.ts';
import { saveOwnProofs, type OwnProof } from './rounds/round-memo.ts';
import { settleOrders, type Settlement } from './settle-orders.ts';
import { dropOrders } from './undo-orders.ts';
import { requireToken } from '../market/token-facts.ts';
import { isLastingRefusal, isRefusal, type ExecuteResult } from '../venue/execute-result.ts';

const PASS_MS = 1_000;
/** A venue that hangs takes seconds for each, and nothing else is looked at meanwhile. */
const SENDS_AT_A_TIME = 32;

type Claim = { attempts: number; minOut: AmountOut; ownProof: OwnProof | null };
export type OrderSender = Sender<Claim, Settlement, Order>;

/** What happens to an order at each step of its transaction's life. The venue sends it, adding its own signature. */
export class OrderSending implements PurposeRules<Claim, Settlement, Order> {
  readonly purpose = 'order';
  readonly name = 'order recovery';
  readonly postsAt = 'confirmed';
  readonly leftBehindMs = 3_000;
  readonly resume: (olderThanMs: number) => Promise<number>;
  readonly #ports: EnginePorts;
  /** Of rounds that are about to be posted by the one who placed them. */
  readonly #parts = new Map<string, readonly HeldPart[]>();

  constructor(ports: EnginePorts, resume: (olderThanMs: number) => Promise<number>) {
    this.#ports = ports;
    this.resume = resume;
  }

  pauseMs(): number {
    return PASS_MS;
  }

  /** The parts of a placed round do not change any more, so they need not be read again to share its fill out. */
  remember({ id }: Order, parts: readonly HeldPart[]): void {
    this.#parts.set(id, parts);
  }

  forget({ id }: Order): void {
    this.#parts.delete(id);
  }

  async claim(sql: Transaction, signed: readonly { transaction: SignedTransaction; claim: Claim }[]) {
    const claimed = await claimOrders(
      sql,
      signed.map(({ transaction, claim: { attempts, minOut } }) => ({ id: transaction.intentId, attempts, minOut })),
    );
    const proofs = signed.flatMap(({ transaction: { intentId }, claim: { ownProof } }) =>
      ownProof !== null && claimed.has(intentId) ? [{ ...ownProof, orderId: intentId }] : [],
    );
    await saveOwnProofs(sql, proofs);
    return claimed;
  }

  async send(transactions: readonly SignedTransaction[]): Promise<ReadonlyMap<string, SendRefusal>> {
    const refusals = new Map<string, SendRefusal>();
    const note = ({ signature }: SignedTransaction, result: ExecuteResult | null) => {
      if (!result || !isRefusal(result)) return;
      const priceMoved = result.code === 'PRICE_MOVED' || result.code === 'QUOTE_EXPIRED';
      refusals.set(signature, {
        lasting: isLastingRefusal(result),
        error: priceMoved ? 'PRICE_MOVED' : 'TRADE_FAILED',
      });
    };
    const queue = transactions.values();
    const worker = async (): Promise<void> => {
      for (const transaction of queue) note(transaction, await this.#execute(transaction));
    };
    await Promise.all(Array.from({ length: Math.min(SENDS_AT_A_TIME, transactions.length) }, worker));
    return refusals;
  }

  async read(landed: readonly Landed[]): Promise<Settlement[]> {
    const { database, tokens, venue, clock } = this.#ports;
    const orders = await loadOrders(
      database,
      landed.map(({ transaction }) => transaction.intentId),
    );
    const byId = new Map(orders.map((order) => [order.id, order]));
    return Promise.all(
      landed.map(async ({ transaction: { intentId, walletAddress }, onChain, isFinal = false }) => {
        const { mint, side, createdAt } = byId.get(intentId)!;
        const { tokenProgram } = await requireToken(tokens, mint);
        const blockMs = onChain.blockTime === null ? clock.nowMs() : onChain.blockTime * 1000;
        return {
          orderId: intentId,
          fill: chainFill(balanceChanges(onChain), walletAddress, mint, side),
          tokenProgram,
          venueFeeBps: venue.profile.feeBps,
          // Blocks know seconds only; nothing settles before it was asked for.
          at: new Date(Math.max(blockMs, createdAt.getTime())),
          isFinal,
        };
      }),
    );
  }

  async post(sql: Transaction, settlements: readonly Settlement[]): Promise<Order[]> {
    const orders = await settleOrders(sql, settlements, this.#parts);
    sql.afterCommit(() => this.#ports.onSettled(orders));
    return orders;
  }

  finalized(sql: Transaction, orderIds: readonly string[]): Promise<void> {
    return finalizeOrders(sql, orderIds);
  }

  /** Not traded again: its price was of another moment. Whoever asked for it is told, and decides. */
  async dropped(sql: Transaction, transactions: readonly SignedTransaction[]): Promise<ReadonlySet<string>> {
    const orderIds = transactions.map(({ intentId }) => intentId);
    const orders = await dropOrders(sql, orderIds, new Date(this.#ports.clock.nowMs()));
    sql.afterCommit(() => this.#ports.onSettled(orders));
    const ended = new Set(orders.map(({ id }) => id));
    return new Set(transactions.flatMap(({ intentId, signature }) => (ended.has(intentId) ? [signature] : [])));
  }

  release(sql: Transaction, transactions: readonly SignedTransaction[]): Promise<void> {
    const intentIds = transactions.map(({ intentId }) => intentId);
    return releaseOrders(sql, intentIds);
  }

  /** Null where no answer came: the transaction may have gone out. */
  async #execute({ venueRequest, wire, lastValidBlockHeight }: SignedTransaction): Promise<ExecuteResult | null> {
    try {
      return await this.#ports.venue.execute({ requestId: venueRequest!, wire, lastValidBlockHeight });
    } catch {
      return null;
    }
  }
}
