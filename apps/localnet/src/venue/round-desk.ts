// A round: open → (each participant: waiting → sending → done) → closed.
//
// Opening prices everybody once and reserves the whole movement in the pool, so that others trade at the worse of "the
// round did not happen" and "all of it happened". Each participant is co-signed on its own until the round expires or
// is released; what was not used then is given back by ending the reservation.

import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Address } from '@hunter/solana/address';
import { encodeBase58 } from '@hunter/solana/base58';
import type { Chain, SubmitOutcome } from '../chain/chain.ts';
import { ledgerResult, outcomeResult } from './execute-result.ts';
import type { Pool, Reservation } from './pool.ts';
import type { PoolRegistry } from './pool-registry.ts';
import type { Movement, Side } from './pool-curve.ts';
import { type ExecuteResult, EXECUTE_CODE, failed, Refusal } from './refusal.ts';
import { priceRound } from './round-price.ts';
import type { SwapAmounts } from './swap-amounts.ts';
import { compileSwap, signedWire, splitSwapWire, unsignedWire } from './swap-transaction.ts';

/** Six seconds, and more for large rounds, whose signatures take time. */
const ROUND_SLOTS_BASE = 15n;
const PARTICIPANTS_PER_EXTRA_SLOT = 150n;
const RESULT_SLOTS = 300n;
const ROUNDS_MAX = 2_000;
export const PARTICIPANTS_MAX = 20_000;
/** Work between two turns of the event loop: about five milliseconds. */
const CHUNK = 64;
const SUBMIT_CHUNK = 24;
const LEAD_ID = 'lead';

export type RoundRequest = {
  mint: string;
  side: Side;
  slippageBps: bigint;
  lead: { taker: Address; amount: bigint };
  participants: { id: string; taker: Address; amount: bigint }[];
};

type Participant = {
  id: string;
  taker: Address;
  amounts: SwapAmounts;
  messageBytes: Uint8Array;
  result: Promise<ExecuteResult> | null;
};

type Round = {
  roundId: string;
  pool: Pool;
  participants: Map<string, Participant>;
  reservation: Reservation;
  expireSlot: bigint;
  sending: number;
  done: number;
  closed: boolean;
};

export class RoundDesk {
  readonly #chain: Chain;
  readonly #pools: PoolRegistry;
  readonly #reference: Address;
  readonly #nextNonce: () => number;
  readonly #rounds = new Map<string, Round>();
  readonly #stopListening: () => void;

  constructor(chain: Chain, pools: PoolRegistry, reference: Address, nextNonce: () => number) {
    this.#chain = chain;
    this.#pools = pools;
    this.#reference = reference;
    this.#nextNonce = nextNonce;
    this.#stopListening = chain.onSlot(({ slot }) => this.#expire(slot));
  }

  close(): void {
    this.#stopListening();
  }

  async open(request: RoundRequest): Promise<Record<string, unknown>> {
    const pool = this.#pools.get(request.mint);
    if (pool === undefined) throw new Refusal('TOKEN_NOT_TRADABLE', `The token ${request.mint} is not tradable`);
    // One place stays free for single swaps on their way to the chain.
    if (!pool.canReserveRound()) throw new Refusal('POOL_BUSY', 'Too many rounds are open on this token', 429);
    if (this.#rounds.size >= ROUNDS_MAX) throw new Refusal('VENUE_BUSY', 'Too many rounds are open', 429);
    const { side, lead } = request;
    const copies = request.participants.map(({ amount }) => amount);
    const price = priceRound(pool, side, request.slippageBps, lead.amount, copies);
    if (price === null) throw new Refusal('INSUFFICIENT_LIQUIDITY', 'The pool does not hold enough for this size');
    if (price.lead.outAmount <= 0n) throw new Refusal('AMOUNT_TOO_SMALL', 'The amount is too small to buy one unit');

    const rows = [
      { id: LEAD_ID, taker: lead.taker, amounts: price.lead },
      ...request.participants.map(({ id, taker }, index) => ({ id, taker, amounts: price.participants[index]! })),
    ];
    const viable = rows.filter(({ amounts }) => amounts.outAmount > 0n);
    // Priced and reserved in one turn of the event loop; the transactions may then be built in several.
    const { blockhash, lastValidBlockHeight } = this.#chain.latestBlockhash();
    const round: Round = {
      roundId: randomUUID(),
      pool,
      participants: new Map(),
      reservation: pool.reserve(sumOf(viable.map(({ amounts }) => amounts.movement))),
      expireSlot: this.#chain.slot('processed') + ROUND_SLOTS_BASE + BigInt(rows.length) / PARTICIPANTS_PER_EXTRA_SLOT,
      sending: 0,
      done: 0,
      closed: false,
    };
    this.#rounds.set(round.roundId, round);
    const participants = await this.#build(round, rows, side, blockhash);
    return {
      roundId: round.roundId,
      priceNumerator: price.numerator.toString(),
      priceDenominator: price.denominator.toString(),
      expireSlot: round.expireSlot.toString(),
      lastValidBlockHeight: lastValidBlockHeight.toString(),
      poolCertificate: pool.certificate(),
      participants,
      scaledBps: Number(price.scaledBps),
    };
  }

  async #build(
    round: Round,
    rows: readonly { id: string; taker: Address; amounts: SwapAmounts }[],
    side: Side,
    blockhash: string,
  ): Promise<Record<string, unknown>[]> {
    const replies: Record<string, unknown>[] = [];
    for (const [index, { id, taker, amounts }] of rows.entries()) {
      if (index % CHUNK === CHUNK - 1) await nextTurn();
      const reply = { id, taker, inAmount: amounts.inAmount.toString(), outAmount: amounts.outAmount.toString() };
      if (amounts.outAmount <= 0n) {
        replies.push({ ...reply, transaction: '', error: 'The amount is too small to buy one unit' });
        continue;
      }
      const { messageBytes } = compileSwap({
        listing: round.pool.listing,
        pool: round.pool.keypair.address,
        reference: this.#reference,
        taker,
        side,
        lamports: amounts.lamports,
        tokens: amounts.tokens,
        blockhash,
        nonce: this.#nextNonce(),
      });
      round.participants.set(id, { id, taker, amounts, messageBytes, result: null });
      replies.push({ ...reply, transaction: Buffer.from(unsignedWire(messageBytes)).toString('base64') });
    }
    return replies;
  }

  async execute(
    roundId: string,
    transactions: readonly { id: string; signed: Uint8Array }[],
  ): Promise<(ExecuteResult & { id: string })[]> {
    const round = this.#rounds.get(roundId);
    const batch: {
      participant: Participant;
      wire: Uint8Array;
      signature: string;
      settle: (result: ExecuteResult) => void;
    }[] = [];
    const results: { id: string; result: Promise<ExecuteResult> | ExecuteResult }[] = [];
    for (const [index, { id, signed }] of transactions.entries()) {
      if (index % CHUNK === CHUNK - 1) await nextTurn();
      const parts = splitSwapWire(signed);
      if (parts === null) {
        results.push({ id, result: failed(EXECUTE_CODE.invalidSignedTransaction, 'The transaction cannot be read') });
        continue;
      }
      const signature = encodeBase58(parts.takerSignature);
      const admitted = this.#admit(round, id, parts.messageBytes, signature);
      if ('result' in admitted) {
        results.push({ id, result: admitted.result });
        continue;
      }
      const { participant } = admitted;
      const { promise, resolve } = Promise.withResolvers<ExecuteResult>();
      participant.result = promise;
      round!.sending += 1;
      const poolSignature = round!.pool.keypair.sign(participant.messageBytes);
      const wire = signedWire(participant.messageBytes, parts.takerSignature, poolSignature);
      batch.push({ participant, wire, signature, settle: resolve });
      results.push({ id, result: promise });
    }
    if (round !== undefined && batch.length > 0) await this.#send(round, batch);
    return Promise.all(results.map(async ({ id, result }) => ({ id, ...(await result) })));
  }

  #admit(
    round: Round | undefined,
    id: string,
    messageBytes: Uint8Array,
    signature: string,
  ): { participant: Participant } | { result: Promise<ExecuteResult> | ExecuteResult } {
    const participant = round?.participants.get(id);
    if (round === undefined || participant === undefined) {
      // The round may be from before a restart; whoever landed in it must learn that.
      const landed = this.#chain.transaction(signature);
      if (landed !== null) return { result: ledgerResult(landed, this.#pools) };
      return { result: failed(EXECUTE_CODE.unknownRequest, 'Round or participant not found, it might have expired') };
    }
    if (participant.result !== null) return { result: participant.result };
    if (round.closed || this.#chain.slot('processed') > round.expireSlot) {
      return { result: failed(EXECUTE_CODE.quoteExpired, 'Quote expired') };
    }
    if (!Buffer.from(messageBytes).equals(participant.messageBytes)) {
      return { result: failed(EXECUTE_CODE.messageChanged, 'The message differs from the one of the round') };
    }
    return { participant };
  }

  async #send(
    round: Round,
    batch: readonly {
      participant: Participant;
      wire: Uint8Array;
      signature: string;
      settle: (result: ExecuteResult) => void;
    }[],
  ): Promise<void> {
    const { pool } = round;
    try {
      const outcomes = await this.#submit(batch.map(({ wire }) => wire));
      pool.forgetReserves();
      for (const [index, { participant, signature, settle }] of batch.entries()) {
        const outcome = outcomes[index]!;
        // A forged or missing signature never reached the chain: the true owner may still come before the end.
        if (outcome.kind === 'refused') participant.result = null;
        else {
          round.reservation.remaining = minus(round.reservation.remaining, participant.amounts.movement);
          round.done += 1;
        }
        settle(outcomeResult(outcome, signature, participant.amounts, this.#chain, this.#pools));
      }
    } catch (error) {
      for (const { participant, signature, settle } of batch) {
        participant.result = null;
        settle(failed(EXECUTE_CODE.failedOnChain, 'The chain did not answer', signature));
      }
      throw error;
    } finally {
      round.sending -= batch.length;
      if (round.done === round.participants.size) round.closed = true;
      if (round.closed && round.sending === 0) pool.release(round.reservation);
    }
  }

  /** The chain executes a batch in one go, so it gets small ones and others get their turn in between. */
  async #submit(wires: readonly Uint8Array[]): Promise<SubmitOutcome[]> {
    const pending: Promise<SubmitOutcome[]>[] = [];
    for (let from = 0; from < wires.length; from += SUBMIT_CHUNK) {
      pending.push(this.#chain.submitMany(wires.slice(from, from + SUBMIT_CHUNK)));
      await nextTurn();
    }
    return (await Promise.all(pending)).flat();
  }

  release(roundId: string): void {
    const round = this.#rounds.get(roundId);
    if (round !== undefined) this.#end(round);
  }

  /** What is on its way to the chain stays reserved until its outcome is known. */
  #end(round: Round): void {
    if (round.closed) return;
    round.closed = true;
    if (round.sending === 0) round.pool.release(round.reservation);
  }

  #expire(slot: bigint): void {
    for (const [roundId, round] of this.#rounds) {
      if (slot > round.expireSlot) this.#end(round);
      if (slot > round.expireSlot + RESULT_SLOTS && round.sending === 0) this.#rounds.delete(roundId);
    }
  }
}

function sumOf(movements: readonly Movement[]): Movement {
  return movements.reduce(
    (sum, movement) => ({ lamports: sum.lamports + movement.lamports, tokens: sum.tokens + movement.tokens }),
    { lamports: 0n, tokens: 0n },
  );
}

function minus(left: Movement, right: Movement): Movement {
  return { lamports: left.lamports - right.lamports, tokens: left.tokens - right.tokens };
}
