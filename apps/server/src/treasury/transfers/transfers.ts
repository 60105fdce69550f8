import { AppError } from '@hunter/contract/app-error';
import { balanceChanges } from '@hunter/solana/balance-changes';
import type { RpcClient } from '@hunter/solana/rpc-client';
import { loadStandingEntries, postEntries, reversalOf, type JournalEntry } from '../../ledger/journal.ts';
import { recordFills } from '../../ledger/positions.ts';
import { moveCosts } from '../../ledger/transfers.ts';
import { undoFills } from '../../ledger/undo-fills.ts';
import type { Clock } from '../../platform/clock.ts';
import { Coalescer } from '../../platform/coalescer.ts';
import type { Log } from '../../platform/log.ts';
import { enqueue } from '../../platform/outbox.ts';
import type { Database, Sql, Transaction } from '../../platform/postgres.ts';
import { Waiters } from '../../platform/waiters.ts';
import type { Landed, PurposeRules, SendRefusal } from '../../sending/purpose.ts';
import { lockIntents } from '../../sending/lock-intents.ts';
import { sendByRpc } from '../../sending/send-by-rpc.ts';
import { Sender } from '../../sending/sender.ts';
import type { SignedTransaction } from '../../sending/signed-transaction.ts';
import { recordTokenAccounts } from '../../trading/token-accounts.ts';
import type { BalancePushes } from '../balance-pushes.ts';
import { COMMITS_FINAL_TOPIC, isSettled, type CommitsFinal, type Transfer, type TransferView } from './transfer.ts';
import { failedEntry, postedNames, releaseEntry, settledPosting } from './transfer-postings.ts';
import type { SignedTransfer, TransferSigner } from './transfer-signer.ts';
import {
  claimTransfers,
  finalizeTransfers,
  loadTransferViews,
  loadUnsigned,
  lockTransfers,
  postponeTransfer,
  releaseTransfers,
  saveSettled,
  type Settled,
} from './transfer-store.ts';
import { buildTransfer, type TransferToSign } from './transfer-transaction.ts';

const PASS_MS = 300;
const IDLE_PASS_MS = 2_000;
const BATCH_MAX = 100;
const REPLY_WAIT_MS = 10_000;
/** Another process may be the one that moves a transfer on, which only the database shows. */
const LOOK_MS = 1_000;
/** What the signer puts off without saying until when: asked again soon, and more and more rarely while that lasts. */
const RETRY_MS = 5_000;
const RETRY_MAX_MS = 300_000;
/** A signer that does not answer is back in a moment, and everybody's transfers wait for it. */
const UNAVAILABLE_RETRY_MS = 2_000;
/** Half of the life of a blockhash: what is asked for again with it has time to land. */
const ASKED_MS = 30_000;

export type TransfersDeps = {
  database: Database;
  rpc: RpcClient;
  signer: TransferSigner;
  balances: Pick<BalancePushes, 'changed'>;
  clock: Clock;
  log: Log;
};

/** `retryMs` is when the signer is asked for it again. */
type Asked = { request: TransferToSign; lastValidBlockHeight: bigint; retryMs: number; untilMs: number };

/**
 * Commits and returns: signs what `placeTransfer` set aside, and says what happens at each step of its transaction's life. One that
 * provably expired is signed again as often as it takes, because its money must arrive.
 */
export class Transfers implements PurposeRules<null, Landed, null> {
  readonly purpose = 'transfer';
  readonly name = 'transfer recovery';
  readonly postsAt = 'confirmed';
  readonly leftBehindMs = 2_000;
  readonly #deps: TransfersDeps;
  readonly #sender: Sender<null, Landed, null>;
  readonly #waiters: Waiters;
  readonly #begin: Coalescer<string, void>;
  /** Being signed by this process. */
  readonly #inHand = new Set<string>();
  /** How often in a row the signer put one off without saying until when. */
  readonly #putOff = new Map<string, number>();
  /**
   * What the signer was asked for and may have signed without anything on record. It counts every different message as money that
   * left, so it is asked again for the very same one as long as that can land; until then other processes leave it alone.
   */
  readonly #asked = new Map<string, Asked>();
  #stopped = false;

  constructor(deps: TransfersDeps) {
    this.#deps = deps;
    const { database, rpc: chain, clock, log } = deps;
    this.#sender = new Sender({ database, chain, clock, log }, this);
    this.#waiters = new Waiters(clock);
    this.#begin = new Coalescer((ids) => this.#signThese(ids), { batchMax: BATCH_MAX, parallelMax: 2 });
  }

  start(): void {
    this.#sender.start();
  }

  /** One look at everything that is open, whatever its age. */
  recover(): Promise<void> {
    return this.#sender.recover();
  }

  slotSeen(): void {
    this.#sender.slotSeen();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#waiters.stop();
    await this.#sender.stop();
  }

  /** Signs and sends what was placed, after the caller's commit; answers once it is settled or the time is over. */
  async run(id: string, options: { waitMs?: number } = {}): Promise<TransferView> {
    this.#begin
      .submit(id)
      .catch((error: unknown) =>
        this.#deps.log.warn({ transferId: id, err: error }, 'signing a transfer failed; recovery signs it'),
      );
    const [view] = await this.waitFor([id], options.waitMs ?? REPLY_WAIT_MS);
    if (!view) throw new AppError('NOT_FOUND');
    return view;
  }

  async waitFor(ids: readonly string[], waitMs: number): Promise<TransferView[]> {
    const { clock, database } = this.#deps;
    const deadlineMs = clock.nowMs() + waitMs;
    for (;;) {
      const views = await loadTransferViews(database, ids);
      const open = views.filter(({ state }) => !isSettled(state)).map(({ id }) => id);
      const leftMs = deadlineMs - clock.nowMs();
      if (open.length === 0 || leftMs <= 0 || this.#stopped) return views;
      await this.#waiters.next(open, Math.min(leftMs, LOOK_MS));
    }
  }

  pauseMs(open: number): number {
    return open > 0 ? PASS_MS : IDLE_PASS_MS;
  }

  claim(sql: Sql, signed: readonly { transaction: SignedTransaction }[]): Promise<ReadonlySet<string>> {
    return claimTransfers(
      sql,
      signed.map(({ transaction }) => ({ id: transaction.intentId, signature: transaction.signature })),
    );
  }

  send(transactions: readonly SignedTransaction[]): Promise<ReadonlyMap<string, SendRefusal>> {
    return sendByRpc(this.#deps, transactions);
  }

  async read(landed: readonly Landed[]): Promise<Landed[]> {
    return [...landed];
  }

  /** From the transactions' own balances, never from what was asked for. */
  async post(sql: Transaction, landed: readonly Landed[]): Promise<null[]> {
    const at = new Date(this.#deps.clock.nowMs());
    const transfers = await lockTransfers(
      sql,
      landed.map(({ transaction }) => transaction.intentId),
    );
    const outcomes = landed.map(({ transaction, onChain }) => {
      return outcomeOf(transfers.get(transaction.intentId)!, balanceChanges(onChain), onChain.blockTime, at);
    });
    // What was posted and is not true any more goes with what comes in its place: only the difference has to be there.
    const reversals = await takeBack(
      sql,
      outcomes.flatMap(({ isReplaced, settled: { transfer } }) => (isReplaced ? [transfer] : [])),
      at,
    );
    await postEntries(sql, [...reversals, ...outcomes.flatMap(({ posting }) => posting.entries)]);
    await moveCosts(
      sql,
      outcomes.flatMap(({ posting }) => posting.moves),
    );
    await recordFills(
      sql,
      outcomes.flatMap(({ posting }) => posting.fills),
    );
    await recordTokenAccounts(
      sql,
      outcomes.flatMap(({ posting }) => posting.accounts),
    );
    const settleds = outcomes.map(({ settled }) => settled);
    await saveSettled(sql, settleds, at);
    this.#tellAfterCommit(sql, [...transfers.values()]);
    return landed.map(() => null);
  }

  release(sql: Transaction, transactions: readonly SignedTransaction[]): Promise<void> {
    return releaseTransfers(
      sql,
      transactions.map(({ intentId }) => intentId),
    );
  }

  /** What was posted stays posted: the same money is sent again. */
  async dropped(sql: Transaction, transactions: readonly SignedTransaction[]): Promise<ReadonlySet<string>> {
    await this.release(sql, transactions);
    return new Set(transactions.map(({ signature }) => signature));
  }

  /** The signer lets returns out against final commits only, so it must hear of them whatever happens to this process. */
  async finalized(sql: Transaction, intentIds: readonly string[]): Promise<void> {
    const signatures = await finalizeTransfers(sql, intentIds);
    if (signatures.length > 0) await enqueue(sql, COMMITS_FINAL_TOPIC, { signatures } satisfies CommitsFinal);
  }

  async resume(olderThanMs: number): Promise<number> {
    const { database, clock } = this.#deps;
    const before = new Date(clock.nowMs() - olderThanMs);
    const exclude = [...this.#inHand];
    const waiting = await loadUnsigned(database, { ids: null, ...this.#due(), before, exclude, limit: BATCH_MAX });
    await this.#signAll(waiting.map(({ id }) => id));
    return waiting.length;
  }

  async #signThese(ids: readonly string[]): Promise<void[]> {
    await this.#signAll(ids);
    return ids.map(() => {});
  }

  /** Which of those that were put off may be asked for: also what this process alone may ask for again. */
  #due(): { now: Date; own: string[] } {
    const nowMs = this.#deps.clock.nowMs();
    const own = [...this.#asked].filter(([, { retryMs, untilMs }]) => retryMs <= nowMs && nowMs < untilMs);
    return { now: new Date(nowMs), own: own.map(([id]) => id) };
  }

  async #signAll(ids: readonly string[]): Promise<void> {
    const free = ids.filter((id) => !this.#inHand.has(id));
    if (free.length === 0 || this.#stopped) return;
    for (const id of free) this.#inHand.add(id);
    try {
      // Done again as a whole, it finds nothing that still waits of what it has signed.
      const signed = await this.#deps.database.transaction(async (sql) => {
        const locked = await lockIntents(sql, free);
        const due = this.#due();
        return this.#sign(
          await loadUnsigned(sql, { ids: locked, ...due, before: due.now, exclude: [], limit: locked.length }),
        );
      });
      await Promise.all(signed.map((one) => this.#send(one)));
    } finally {
      for (const id of free) this.#inHand.delete(id);
    }
  }

  /** Answers what is on record now and has to be sent. */
  async #sign(transfers: readonly Transfer[]): Promise<SignedTransaction[]> {
    if (transfers.length === 0) return [];
    const ready = await this.#build(transfers);
    const answers = await this.#deps.signer.sign(
      ready.map(({ transfer, asked }) => ({ ...asked.request, walletId: transfer.walletId })),
    );
    const committed = await Promise.all(
      ready.map(({ transfer, asked }, index) =>
        this.#proceed(transfer, answers[index]!, asked).catch((error: unknown) => this.#logFailure(transfer, error)),
      ),
    );
    return committed.flatMap((one) => one ?? []);
  }

  async #build(transfers: readonly Transfer[]): Promise<{ transfer: Transfer; asked: Asked }[]> {
    const { rpc, clock } = this.#deps;
    for (const [id, { untilMs }] of this.#asked) if (untilMs <= clock.nowMs()) this.#asked.delete(id);
    const fresh = transfers.filter(({ id }) => !this.#asked.has(id));
    if (fresh.length > 0) {
      const untilMs = clock.nowMs() + ASKED_MS;
      const { blockhash, lastValidBlockHeight } = await rpc.getLatestBlockhash('confirmed');
      const built = await Promise.allSettled(fresh.map((transfer) => buildTransfer(rpc, transfer, blockhash)));
      for (const [index, result] of built.entries()) {
        const transfer = fresh[index]!;
        if (result.status === 'rejected') this.#logFailure(transfer, result.reason);
        else this.#asked.set(transfer.id, { request: result.value, lastValidBlockHeight, retryMs: 0, untilMs });
      }
    }
    return transfers.flatMap((transfer) => {
      const asked = this.#asked.get(transfer.id);
      return asked === undefined ? [] : [{ transfer, asked }];
    });
  }

  async #proceed(transfer: Transfer, signed: SignedTransfer, asked: Asked): Promise<SignedTransaction | null> {
    const { id, address } = transfer;
    if (signed.kind !== 'signed') {
      await this.#refused(transfer, signed, asked);
      return null;
    }
    this.#putOff.delete(id);
    const { signature, wire } = signed;
    const { lastValidBlockHeight } = asked;
    const transaction = {
      signature,
      intentId: id,
      walletAddress: address,
      wire,
      lastValidBlockHeight,
      venueRequest: null,
    };
    // Where somebody else moved the transfer on, these bytes are dropped and never leave this process.
    const isCommitted = await this.#sender.commit(transaction, null);
    this.#asked.delete(id);
    return isCommitted ? transaction : null;
  }

  async #send(transaction: SignedTransaction): Promise<void> {
    await this.#sender.send([transaction]);
    this.#sender.letGo(transaction);
    void this.#follow(transaction);
  }

  async #follow(transaction: SignedTransaction): Promise<void> {
    try {
      if (await this.#sender.landed(transaction)) await this.#sender.post(transaction);
    } catch (error) {
      const { intentId: transferId, signature } = transaction;
      this.#deps.log.warn({ transferId, signature, err: error }, 'posting a transfer failed; recovery posts it');
    }
    this.#sender.wake();
  }

  async #refused(
    transfer: Transfer,
    refusal: Exclude<SignedTransfer, { kind: 'signed' }>,
    asked: Asked,
  ): Promise<void> {
    const { database, clock, log } = this.#deps;
    const { id: transferId, kind } = transfer;
    const { reason } = refusal;
    const isPosted = transfer.state === 'confirmed';
    if (refusal.kind !== 'unavailable') this.#asked.delete(transferId);
    if (refusal.kind === 'denied' && !isPosted) {
      this.#putOff.delete(transferId);
      log.error({ transferId, kind, reason }, 'the signer refused a transfer; its money is released');
      const at = new Date(clock.nowMs());
      await database.transaction(async (sql) => {
        const current = (await lockTransfers(sql, [transferId])).get(transferId)!;
        if (current.state !== 'held') return;
        await postEntries(sql, [releaseEntry(current, at)]);
        const nothing = { slot: null, feeLamports: null, received: new Map<number, bigint>() };
        await saveSettled(sql, [{ transfer: current, state: 'dead', error: refusal.error, ...nothing }], at);
        this.#tellAfterCommit(sql, [current]);
      });
      return;
    }
    if (refusal.kind === 'unavailable') asked.retryMs = clock.nowMs() + UNAVAILABLE_RETRY_MS;
    const until = refusal.kind === 'unavailable' ? new Date(asked.retryMs) : this.#nextTry(transferId, refusal);
    log.warn({ transferId, kind, reason, until }, 'the signer does not sign a transfer now; it is asked again then');
    await postponeTransfer(database, transferId, refusal.kind === 'unavailable' ? new Date(asked.untilMs) : until);
  }

  #nextTry(transferId: string, refusal: Extract<SignedTransfer, { kind: 'later' | 'denied' }>): Date {
    const nowMs = this.#deps.clock.nowMs();
    if (refusal.kind === 'later' && refusal.until) return refusal.until;
    const times = this.#putOff.get(transferId) ?? 0;
    this.#putOff.set(transferId, times + 1);
    return new Date(nowMs + Math.min(RETRY_MAX_MS, RETRY_MS * 2 ** Math.min(times, 10)));
  }

  #logFailure({ id: transferId, kind }: Transfer, error: unknown): void {
    this.#deps.log.warn({ transferId, kind, err: error }, 'signing a transfer failed; retrying with the next pass');
  }

  #tellAfterCommit(sql: Transaction, transfers: readonly Transfer[]): void {
    sql.afterCommit(() => {
      const users = new Set(transfers.flatMap(({ legs }) => legs.flatMap(({ from, to }) => [from.userId, to.userId])));
      for (const userId of users) this.#deps.balances.changed(userId);
      for (const { id } of transfers) this.#waiters.changed(id);
    });
  }
}

type Outcome = { settled: Settled; posting: ReturnType<typeof settledPosting>; isReplaced: boolean };

function outcomeOf(
  transfer: Transfer,
  changes: ReturnType<typeof balanceChanges>,
  blockTime: number | null,
  now: Date,
): Outcome {
  const at = blockTime === null ? now : new Date(blockTime * 1000);
  const known = { transfer, slot: changes.slot, feeLamports: changes.fee };
  const nothing = { entries: [], moves: [], fills: [], accounts: [] };
  const posted = transfer.state === 'confirmed' ? 'moved' : transfer.state === 'failed' ? 'failed' : null;
  const outcome = changes.failed ? 'failed' : 'moved';
  const isReplaced = posted !== null && posted !== outcome;
  if (changes.failed) {
    const received = new Map<number, bigint>();
    const entries = posted === outcome ? [] : [failedEntry(transfer, changes, at)];
    return {
      settled: { ...known, state: 'failed', error: 'TRANSFER_FAILED', received },
      posting: { ...nothing, entries, received },
      isReplaced,
    };
  }
  // One that had been dropped has landed after all; its money was posted the first time.
  const posting =
    posted === outcome
      ? { ...nothing, received: new Map(transfer.legs.map(({ line, received }) => [line, received!])) }
      : settledPosting(transfer, changes, at);
  return { settled: { ...known, state: 'confirmed', error: null, received: posting.received }, posting, isReplaced };
}

/** Takes back what was posted for transfers; their money is set aside again once the answered entries are posted. */
async function takeBack(sql: Sql, transfers: readonly Transfer[], at: Date): Promise<JournalEntry[]> {
  if (transfers.length === 0) return [];
  const names = transfers.map(postedNames);
  const standing = await loadStandingEntries(
    sql,
    names.flatMap(({ entries }) => entries),
  );
  await undoFills(
    sql,
    names.flatMap(({ fills }) => fills),
    at,
  );
  return standing.map((entry) => reversalOf(entry, { at, cause: 'another outcome is final' }));
}
