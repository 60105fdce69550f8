import { randomUUID } from 'node:crypto';
import type { ErrorName } from '@hunter/contract/error-catalogue';
import type { RpcClient } from '@hunter/solana/rpc-client';
import type { ChainTransaction } from '@hunter/solana/rpc-replies';
import { decodeTransaction, missingSigners } from '@hunter/solana/transaction';
import { decideTransactionStatus } from '@hunter/solana/transaction-status';
import type { Clock } from '../platform/clock.ts';
import { Coalescer } from '../platform/coalescer.ts';
import type { Log } from '../platform/log.ts';
import { Loop } from '../platform/loop.ts';
import type { Database } from '../platform/postgres.ts';
import { Confirmations } from './confirmations.ts';
import { decideFinality } from './decide-finality.ts';
import { decideStep, type Step } from './decide-step.ts';
import type { Landed, PurposeRules } from './purpose.ts';
import type { SignedTransaction, TransactionState } from './signed-transaction.ts';
import {
  advanceTransactions,
  insertTransactions,
  loadIntentIds,
  loadLanded,
  loadUnposted,
  takeOverTransactions,
  type PostedTransaction,
  type TransactionMove,
} from './transaction-store.ts';

export type SenderDeps = {
  database: Database;
  chain: Pick<RpcClient, 'getSignatureStatuses' | 'getTransactions' | 'getEpochInfo'>;
  clock: Clock;
  log: Log;
};

const CONFIRM_WAIT_MS = 20_000;
/** Longer than a transaction is followed; then recovery may look at it, whatever became of the one who followed it. */
const IN_HAND_MS = 30_000;
const REBROADCAST_MS = 2_000;
const UNPOSTED_MAX = 5_000;
const FINALITY_MAX = 1_000;

/**
 * The life of a signed transaction, whatever it is for:
 *
 *   signed ──commit──▶ sent ──confirmed──▶ landed ──finalized──▶ finalized
 *                      │  │                  │ │
 *                      │  │                  │ └──▶ failed     failed on chain; its fee is posted
 *                      │  └──────────────────┼────▶ failed
 *                      │                     └────▶ expired    dropped with its fork; its purpose undoes it or signs it again
 *                      ├──▶ expired     proven: finalized height above its last valid one, and no status at a later slot
 *                      └──▶ refused     for good, by a venue that kept a needed signature back
 *
 * `sent` begins with the commit of bytes, signature and last valid height, because from there on nobody can tell whether a crash
 * came before or after the send. Identical bytes may be sent any number of times. An intent has at most one transaction that
 * is sent or landed (an index sees to it); after `expired` and `refused` its purpose decides whether to sign again. Each
 * transaction is posted once, in the database transaction that moves it out of its unposted states, and once more in the place of
 * the first time where it is final on another fork.
 *
 * Everything needed stands in the database, so any process can go on where another died; memory only saves time.
 */
export class Sender<Claim, Fact, Posted> {
  readonly #deps: SenderDeps;
  readonly #rules: PurposeRules<Claim, Fact, Posted>;
  /** This process as the sender of what it signs, and as the one that takes over what was left behind. */
  readonly #sender = randomUUID();
  readonly #takeover = randomUUID();
  readonly #commit: Coalescer<{ transaction: SignedTransaction; claim: Claim }, boolean>;
  readonly #read: Coalescer<string, ChainTransaction | null>;
  readonly #post: Coalescer<Landed, Posted | null>;
  readonly #confirmations: Confirmations;
  /** Until when somebody in this process works on a transaction. */
  readonly #inHandUntilMs = new Map<string, number>();
  readonly #lastSentMs = new Map<string, number>();
  readonly #loop: Loop<number>;

  constructor(deps: SenderDeps, rules: PurposeRules<Claim, Fact, Posted>) {
    this.#deps = deps;
    this.#rules = rules;
    const { chain, clock, log } = deps;
    const { name, leftBehindMs, postsAt } = rules;
    this.#commit = new Coalescer((signed) => this.#commitAll(signed), { batchMax: 500, parallelMax: 2 });
    this.#read = new Coalescer((signatures) => chain.getTransactions(signatures, postsAt), {
      batchMax: 200,
      parallelMax: 3,
    });
    this.#post = new Coalescer((landed) => this.#postAll(landed), { batchMax: 400, parallelMax: 2 });
    this.#confirmations = new Confirmations(chain, clock);
    this.#loop = new Loop({
      name,
      work: () => this.#pass(leftBehindMs),
      everyMs: (open) => rules.pauseMs(open),
      firstAfterMs: rules.pauseMs(1),
      clock,
      log,
    });
  }

  start(): void {
    this.#loop.start();
  }

  /** Ends recovery; what is followed in this process goes on. */
  stop(): Promise<void> {
    return this.#loop.stop();
  }

  /** Something is open that the next pass should see soon. */
  wake(): void {
    this.#loop.wake();
  }

  /** The node announced a slot: something may have been confirmed. */
  slotSeen(): void {
    this.#confirmations.poke();
  }

  /** One look at everything that is open, whatever its age. */
  async recover(): Promise<void> {
    await this.#pass(0);
  }

  /** Puts signed bytes on record. False where the intent no longer waits for them: then they must never leave this process. */
  async commit(transaction: SignedTransaction, claim: Claim): Promise<boolean> {
    const committed = await this.#commit.submit({ transaction, claim });
    if (committed) this.#inHandUntilMs.set(transaction.signature, this.#deps.clock.nowMs() + IN_HAND_MS);
    return committed;
  }

  /**
   * Sends what was committed, for the first time. Answers those that provably will not happen, with the reason; their
   * intents wait for a signature again. Everything else may happen.
   */
  async send(transactions: readonly SignedTransaction[]): Promise<ReadonlyMap<string, ErrorName>> {
    this.#noteSent(transactions);
    const refusals = await this.#rules.send(transactions);
    const refused = transactions.filter((one) => refusals.has(one.signature) && needsAnotherSignature(one));
    const canceled = await this.#cancel(refused, 'refused', this.#sender);
    return new Map([...canceled].map((signature) => [signature, refusals.get(signature)!.error]));
  }

  /** Leaves a transaction to the next pass. */
  letGo({ signature }: SignedTransaction): void {
    this.#inHandUntilMs.delete(signature);
  }

  /** True once the chain has it at `confirmed`, failed or not; false when that was not seen in time, and recovery goes on. */
  async landed(transaction: SignedTransaction): Promise<boolean> {
    const landed = await this.#confirmations.wait(transaction.signature, CONFIRM_WAIT_MS);
    if (!landed) this.letGo(transaction);
    return landed;
  }

  /** For one that has landed. Null where it cannot be read yet or somebody else posted it: recovery goes on. */
  async post(transaction: SignedTransaction): Promise<Posted | null> {
    try {
      const onChain = await this.#read.submit(transaction.signature);
      return onChain === null ? null : await this.#post.submit({ transaction, onChain });
    } finally {
      this.letGo(transaction);
    }
  }

  async #commitAll(signed: { transaction: SignedTransaction; claim: Claim }[]): Promise<boolean[]> {
    const { database, clock } = this.#deps;
    const { purpose } = this.#rules;
    return database.transaction(async (sql) => {
      const waiting = await this.#rules.claim(sql, signed);
      const accepted = signed.filter(({ transaction }) => waiting.has(transaction.intentId));
      await insertTransactions(
        sql,
        purpose,
        accepted.map(({ transaction }) => transaction),
        { sender: this.#sender, at: new Date(clock.nowMs()) },
      );
      return signed.map(({ transaction }) => waiting.has(transaction.intentId));
    });
  }

  async #postAll(landed: Landed[]): Promise<(Posted | null)[]> {
    const { database } = this.#deps;
    const { postsAt } = this.#rules;
    const facts = await this.#rules.read(landed);
    const posted = await database.transaction(async (sql) => {
      const fresh = await advanceTransactions(sql, landed.map(endOf(postsAt)), unposted(postsAt));
      const open = landed.flatMap(({ transaction: { signature } }, index) =>
        fresh.has(signature) ? [{ signature, fact: facts[index]! }] : [],
      );
      const results =
        open.length === 0
          ? []
          : await this.#rules.post(
              sql,
              open.map(({ fact }) => fact),
            );
      return new Map(open.map(({ signature }, index) => [signature, results[index]!]));
    });
    for (const { transaction } of landed) this.#forget(transaction.signature);
    return landed.map(({ transaction }) => posted.get(transaction.signature) ?? null);
  }

  /** Ends transactions that provably do not happen; answers those for which the proof still holds. */
  async #cancel(
    transactions: readonly SignedTransaction[],
    to: 'expired' | 'refused',
    sender: string | null,
  ): Promise<ReadonlySet<string>> {
    if (transactions.length === 0) return new Set();
    const { database } = this.#deps;
    const moves = transactions.map(({ signature }) => ({ signature, to }));
    const canceled = await database.transaction(async (sql) => {
      const ended = await advanceTransactions(sql, moves, unposted(this.#rules.postsAt), sender);
      const released = transactions.filter(({ signature }) => ended.has(signature));
      if (released.length > 0) await this.#rules.release(sql, released);
      return ended;
    });
    for (const signature of canceled) this.#forget(signature);
    return canceled;
  }

  /** Answers how many transactions and intents it found open. */
  async #pass(olderThanMs: number): Promise<number> {
    const { database, clock } = this.#deps;
    const { purpose, postsAt } = this.#rules;
    const nowMs = clock.nowMs();
    for (const [signature, untilMs] of this.#inHandUntilMs) if (untilMs <= nowMs) this.#inHandUntilMs.delete(signature);
    // Also of those that another process has posted.
    for (const [signature, sentMs] of this.#lastSentMs)
      if (sentMs <= nowMs - REBROADCAST_MS) this.#lastSentMs.delete(signature);
    const open = await loadUnposted(database, purpose, {
      postsAt,
      before: new Date(nowMs - olderThanMs),
      exclude: [...this.#inHandUntilMs.keys()],
      limit: UNPOSTED_MAX,
    });
    if (open.length > 0) await this.#carryOn(open);
    if (postsAt === 'confirmed') await this.#finalize();
    return open.length + (await this.#rules.resume(olderThanMs));
  }

  async #decideSteps(transactions: readonly SignedTransaction[]): Promise<Step[]> {
    const { chain } = this.#deps;
    // The height is read first: a status that was asked for later, and answered from a later slot, can prove an expiry.
    const finalized = await chain.getEpochInfo('finalized');
    const statuses = await chain.getSignatureStatuses(
      transactions.map(({ signature }) => signature),
      { searchTransactionHistory: true },
    );
    return transactions.map(({ lastValidBlockHeight }, index) => {
      const status = decideTransactionStatus({
        status: statuses.value[index] ?? null,
        statusContextSlot: statuses.contextSlot,
        searchedHistory: true,
        lastValidBlockHeight,
        finalized,
      });
      return decideStep(status, this.#rules.postsAt);
    });
  }

  async #carryOn(open: readonly (SignedTransaction & { state: TransactionState })[]): Promise<void> {
    const decided = await this.#decideSteps(open);
    const steps = Map.groupBy(open, (_, index) => decided[index]!);
    const expired = steps.get('release') ?? [];
    const confirmed = (steps.get('note-confirmed') ?? []).filter(({ state }) => state === 'sent');
    // One that cannot be posted does not stop the others.
    const posted = await Promise.allSettled((steps.get('post') ?? []).map((one) => this.post(one)));
    for (const [index, result] of posted.entries()) {
      if (result.status === 'fulfilled') continue;
      const { signature, intentId } = steps.get('post')![index]!;
      const failure = { err: result.reason as unknown, purpose: this.#rules.purpose, signature, intentId };
      this.#deps.log.error(failure, 'posting a transaction failed; retrying with the next pass');
    }
    await this.#cancel(expired, 'expired', null);
    await this.#noteConfirmed(confirmed);
    await this.#sendAgain(steps.get('send-again') ?? []);
  }

  async #noteConfirmed(transactions: readonly SignedTransaction[]): Promise<void> {
    if (transactions.length === 0) return;
    await this.#deps.database.transaction(async (sql) => {
      const moves = transactions.map(({ signature }) => ({ signature, to: 'landed' as const }));
      const moved = await advanceTransactions(sql, moves, ['sent']);
      await this.#rules.confirmed?.(
        sql,
        transactions.filter(({ signature }) => moved.has(signature)),
      );
    });
  }

  /** Whoever sent these bytes before may have a request on its way, so only a refusal that lasts counts from here on. */
  async #sendAgain(left: readonly SignedTransaction[]): Promise<void> {
    const { clock, database } = this.#deps;
    const due = left.filter(
      ({ signature }) => clock.nowMs() - (this.#lastSentMs.get(signature) ?? -Infinity) >= REBROADCAST_MS,
    );
    if (due.length === 0) return;
    const signatures = due.map(({ signature }) => signature);
    const open = await takeOverTransactions(database, signatures, this.#takeover);
    const transactions = due.filter(({ signature }) => open.has(signature));
    this.#noteSent(transactions);
    const refusals = await this.#rules.send(transactions);
    const refused = transactions.filter((one) => refusals.get(one.signature)?.lasting === true);
    await this.#cancel(refused.filter(needsAnotherSignature), 'refused', this.#takeover);
  }

  /** What was posted once confirmed is held against what becomes final. */
  async #finalize(): Promise<void> {
    const { database, chain } = this.#deps;
    const rows = await loadLanded(database, this.#rules.purpose, FINALITY_MAX);
    if (rows.length === 0) return;
    const { value } = await chain.getSignatureStatuses(
      rows.map((row) => row.signature),
      { searchTransactionHistory: true },
    );
    const found = Map.groupBy(rows, (row, index) => decideFinality(value[index] ?? null, row.posted));
    await this.#drop(found.get('lost') ?? []);
    for (const row of found.get('changed') ?? []) await this.#postFinal(row);
    const final = found.get('final') ?? [];
    if (final.length === 0) return;
    await database.transaction(async (sql) => {
      const moved = await advanceTransactions(sql, final.map(finalMove), ['landed']);
      await this.#rules.finalized?.(sql, await loadIntentIds(sql, this.#rules.purpose, moved));
    });
  }

  /** What was posted and is on no fork any more, proven like any expiry; until then the same bytes may land again. */
  async #drop(lost: readonly SignedTransaction[]): Promise<void> {
    if (lost.length === 0) return;
    const { database, log } = this.#deps;
    const steps = await this.#decideSteps(lost);
    await this.#sendAgain(lost.filter((_, index) => steps[index] === 'send-again'));
    const gone = lost.filter((_, index) => steps[index] === 'release');
    if (gone.length === 0 || !this.#rules.dropped) return;
    await database.transaction(async (sql) => {
      const moves = gone.map(({ signature }) => ({ signature, to: 'expired' as const }));
      const moved = await advanceTransactions(sql, moves, ['landed']);
      const dropped = gone.filter(({ signature }) => moved.has(signature));
      const ended = await this.#rules.dropped!(sql, dropped);
      const waiting = dropped.filter(({ signature }) => !ended.has(signature));
      await advanceTransactions(
        sql,
        waiting.map(({ signature }) => ({ signature, to: 'landed' })),
        ['expired'],
      );
      for (const { signature, intentId } of dropped) {
        const next = ended.has(signature) ? 'it is undone or sent again' : 'undone once its money is free';
        log.error(
          { purpose: this.#rules.purpose, signature, intentId },
          `the chain dropped a posted transaction; ${next}`,
        );
      }
    });
    this.#loop.wake();
  }

  /** Final on another fork than the one it was posted from: posted again, in the place of the first time. */
  async #postFinal(transaction: SignedTransaction): Promise<void> {
    const { database, chain, log } = this.#deps;
    const { signature, intentId } = transaction;
    const facts = { purpose: this.#rules.purpose, signature, intentId };
    try {
      const [onChain] = await chain.getTransactions([signature], 'finalized');
      if (!onChain) return;
      const landed = { transaction, onChain, isFinal: true };
      const read = await this.#rules.read([landed]);
      const isFailed = onChain.err !== null;
      await database.transaction(async (sql) => {
        const moves = [{ signature, to: isFailed ? ('failed' as const) : ('finalized' as const) }];
        if (!(await advanceTransactions(sql, moves, ['landed'])).has(signature)) return;
        await this.#rules.post(sql, read);
        if (!isFailed) await this.#rules.finalized?.(sql, [intentId]);
      });
      log.error(facts, 'a posted transaction is final on another fork; what was posted is replaced');
    } catch (error) {
      log.error({ ...facts, err: error }, 'replacing a posted transaction failed; retrying with the next pass');
    }
  }

  #noteSent(transactions: readonly SignedTransaction[]): void {
    for (const { signature } of transactions) this.#lastSentMs.set(signature, this.#deps.clock.nowMs());
  }

  #forget(signature: string): void {
    this.#inHandUntilMs.delete(signature);
    this.#lastSentMs.delete(signature);
  }
}

function unposted(postsAt: 'confirmed' | 'finalized'): readonly TransactionState[] {
  return postsAt === 'confirmed' ? ['sent'] : ['sent', 'landed'];
}

function endOf(postsAt: 'confirmed' | 'finalized'): (landed: Landed) => TransactionMove {
  return ({ transaction: { signature }, onChain }) => {
    const failed = onChain.err !== null;
    // A failure, too, may turn into something else before it is final.
    if (postsAt === 'confirmed') return { signature, to: 'landed', posted: { slot: onChain.slot, failed } };
    return { signature, to: failed ? 'failed' : 'finalized' };
  };
}

function finalMove({ signature, posted }: PostedTransaction): TransactionMove {
  return { signature, to: posted?.failed ? 'failed' : 'finalized' };
}

/** A refusal is proof only where the bytes alone cannot land, because a signature is missing that the venue kept back. */
function needsAnotherSignature({ wire }: SignedTransaction): boolean {
  return missingSigners(decodeTransaction(wire)).length > 0;
}
