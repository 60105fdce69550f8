import { AppError } from '@hunter/contract/app-error';
import { address } from '@hunter/solana/address';
import { balanceChanges, lamportDelta } from '@hunter/solana/balance-changes';
import type { ChainTransaction } from '@hunter/solana/rpc-replies';
import { decideTransactionStatus, type TransactionStatus } from '@hunter/solana/transaction-status';
import { recordAudit } from '../platform/audit.ts';
import { violates } from '../platform/postgres.ts';
import { isSettled, type Withdrawal } from './withdrawal.ts';
import {
  advance,
  endAttempt,
  loadUnfinished,
  loadWithdrawal,
  postOutcome,
  postponeHold,
  postRelease,
  recordAttempt,
  type Attempt,
  type UnfinishedWithdrawal,
} from './withdrawal-store.ts';
import type { WithdrawalParts } from './withdrawal-parts.ts';

const ROUND_MS = 300;
const IDLE_ROUND_MS = 2_000;
const REBROADCAST_MS = 2_000;
const BATCH_MAX = 200;
/** A request signs within seconds; one that is still `requested` after this lost its process. */
const ABANDONED_AFTER_SECONDS = 120;
/** A blockhash lasts for a slot, and each of them takes one of several equal withdrawals. */
const TWIN_PAUSE_MS = 400;
const TWINS_MAX = 50;

type Waiter = { settle: () => void };

/**
 * Sees withdrawals through from the signature to the last posting. Everything it needs to know stands in the database,
 * so any process can carry on where another died; its memory only saves time.
 */
export class WithdrawalSender {
  readonly #parts: WithdrawalParts;
  readonly #waiters = new Map<string, Set<Waiter>>();
  readonly #lastSentMs = new Map<string, number>();
  #stopped = false;
  #running: Promise<void> = Promise.resolve();
  #wake: () => void = () => {};

  constructor(parts: WithdrawalParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#running = this.#loop();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#wake();
    for (const waiters of this.#waiters.values()) for (const waiter of waiters) waiter.settle();
    await this.#running;
  }

  /** Null once it is on its way or held; otherwise why not, and then no bytes exist that could be sent. */
  async signAndSend(row: Withdrawal, password: string | null): Promise<AppError | null> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.#signAndSendOnce(row, password);
      } catch (error) {
        // Two withdrawals of one amount to one destination under one blockhash are the same bytes, which the chain
        // executes once. These were dropped before anybody saw them; the next blockhash makes others.
        if (!violates(error, 'withdrawal_attempt_signature_key') || tries >= TWINS_MAX || this.#stopped) throw error;
        await new Promise((resolve) => setTimeout(resolve, TWIN_PAUSE_MS));
      }
    }
  }

  async #signAndSendOnce(row: Withdrawal, password: string | null): Promise<AppError | null> {
    const { database, rpc, signer } = this.#parts;
    let latest;
    try {
      latest = await rpc.getLatestBlockhash('confirmed');
    } catch (cause) {
      return new AppError('UNAVAILABLE', undefined, { cause });
    }
    const signed = await signer.sign(row, latest.blockhash, password);
    if (signed.kind === 'refused') return signed.refusal;
    if (signed.kind === 'held') {
      if (row.state === 'delayed') await postponeHold(database, row.id, signed.until);
      else await advance(database, row.id, row.state, 'delayed', { heldUntil: signed.until });
      this.#tell(row.id);
      return null;
    }
    await this.#parts.crashPoint?.('signed');
    const attempt = {
      withdrawalId: row.id,
      signature: signed.signature,
      wire: signed.wire,
      lastValidBlockHeight: latest.lastValidBlockHeight,
    };
    // Where somebody else moved the withdrawal on, these bytes are dropped and never leave this process.
    if (!(await recordAttempt(database, row.state, attempt))) return null;
    await this.#parts.crashPoint?.('recorded');
    await this.#send(attempt);
    await this.#parts.crashPoint?.('sent');
    this.#wake();
    return null;
  }

  /** Until it is confirmed, held or over, or the time is up. */
  async waitFor(id: string, timeoutMs: number): Promise<Withdrawal> {
    const deadlineMs = performance.now() + timeoutMs;
    for (;;) {
      const row = await loadWithdrawal(this.#parts.database, id);
      if (!row) throw new AppError('NOT_FOUND');
      const waitMs = deadlineMs - performance.now();
      if (row.state === 'refused') throw new AppError(row.error === 'WRONG_PASSWORD' ? row.error : 'WITHDRAWAL_FAILED');
      const over = isSettled(row.state) || row.state === 'confirmed' || row.state === 'delayed';
      if (over || waitMs <= 0 || this.#stopped) return row;
      await this.#nextChange(id, waitMs);
    }
  }

  async #nextChange(id: string, waitMs: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const waiter = { settle: resolve };
    const waiters = this.#waiters.get(id) ?? new Set();
    waiters.add(waiter);
    this.#waiters.set(id, waiters);
    // Another process may be the one that moves it on, which only the database shows.
    const timer = setTimeout(resolve, Math.min(waitMs, 1_000));
    await promise;
    clearTimeout(timer);
    waiters.delete(waiter);
    if (waiters.size === 0) this.#waiters.delete(id);
  }

  #tell(id: string): void {
    for (const waiter of this.#waiters.get(id) ?? []) waiter.settle();
  }

  async #send({ withdrawalId, wire }: Pick<Attempt, 'withdrawalId' | 'wire'>): Promise<void> {
    this.#lastSentMs.set(withdrawalId, this.#parts.clock.nowMs());
    try {
      await this.#parts.rpc.sendTransaction(wire, { skipPreflight: true });
    } catch (error) {
      // Whether it arrived is unknown either way; the chain tells.
      this.#parts.log.warn({ withdrawalId, error: (error as Error).message }, 'sending a withdrawal gave an error');
    }
  }

  async #loop(): Promise<void> {
    while (!this.#stopped) {
      let open = 0;
      try {
        open = await this.#round();
      } catch (error) {
        this.#parts.log.warn({ error: (error as Error).message }, 'withdrawals could not be carried on; again soon');
      }
      const pause = Promise.withResolvers<void>();
      this.#wake = pause.resolve;
      const timer = setTimeout(pause.resolve, open > 0 ? ROUND_MS : IDLE_ROUND_MS);
      if (!this.#stopped) await pause.promise;
      clearTimeout(timer);
    }
  }

  async #round(): Promise<number> {
    const { database, clock } = this.#parts;
    const unfinished = await loadUnfinished(database, new Date(clock.nowMs()), ABANDONED_AFTER_SECONDS, BATCH_MAX);
    await this.#follow(unfinished);
    for (const { withdrawal, live } of unfinished) if (!live) await this.#carryOn(withdrawal);
    return unfinished.length;
  }

  async #follow(unfinished: readonly UnfinishedWithdrawal[]): Promise<void> {
    const open = unfinished.flatMap(({ withdrawal, live }) => (live ? [{ withdrawal, live }] : []));
    if (open.length === 0) return;
    const { rpc, clock, log } = this.#parts;
    // The height first: a status from before it proves no expiry.
    const finalized = await rpc.getEpochInfo('finalized');
    const statuses = await rpc.getSignatureStatuses(
      open.map(({ live }) => live.signature),
      { searchTransactionHistory: true },
    );
    for (const [index, { withdrawal, live }] of open.entries()) {
      const status = decideTransactionStatus({
        status: statuses.value[index] ?? null,
        statusContextSlot: statuses.contextSlot,
        searchedHistory: true,
        lastValidBlockHeight: live.lastValidBlockHeight,
        finalized,
      });
      try {
        await this.#apply(withdrawal, status);
      } catch (error) {
        log.warn({ id: withdrawal.id, error: (error as Error).message }, 'a withdrawal could not be settled yet');
      }
      const lastSentMs = this.#lastSentMs.get(withdrawal.id) ?? 0;
      if (status.kind === 'unknown' && clock.nowMs() - lastSentMs >= REBROADCAST_MS) await this.#send(live);
    }
  }

  async #apply(row: Withdrawal, status: TransactionStatus): Promise<void> {
    switch (status.kind) {
      case 'unknown':
        return;
      case 'confirmed':
        if (row.state === 'sent' && (await advance(this.#parts.database, row.id, 'sent', 'confirmed'))) {
          this.#tell(row.id);
        }
        return;
      case 'finalized':
        return this.#settle(row, 'finalized');
      case 'failed':
        if (status.finalized) await this.#settle(row, 'failed');
        return;
      case 'expired-proven':
        await this.#parts.database.transaction(async (sql) => {
          if (await advance(sql, row.id, row.state, 'approved')) await endAttempt(sql, row.id, 'expired');
        });
    }
  }

  /** From the transaction's own balances, never from what was asked for. */
  async #settle(row: Withdrawal, to: 'finalized' | 'failed'): Promise<void> {
    const transaction = await this.#parts.rpc.getTransaction(row.signature!, 'finalized');
    if (!transaction) throw new Error('the node has the status but not the transaction');
    const outcome = outcomeOf(transaction, row);
    await this.#parts.crashPoint?.('before-posting');
    await this.#parts.database.transaction(async (sql) => {
      if (!(await advance(sql, row.id, row.state, to, to === 'failed' ? { error: 'WITHDRAWAL_FAILED' } : {}))) return;
      await endAttempt(sql, row.id, to === 'failed' ? 'failed' : 'landed');
      await postOutcome(sql, row, outcome);
      const event = to === 'failed' ? 'withdrawal-refused' : 'withdrawal-sent';
      await recordAudit(sql, { userId: row.userId, event, address: '', detail: row.signature! });
    });
    await this.#parts.crashPoint?.('posted');
    this.#lastSentMs.delete(row.id);
    this.#parts.balances.changed(row.userId);
    this.#tell(row.id);
  }

  /** What has no live transaction: a hold that ran out, a proven expiry, a request whose process died. */
  async #carryOn(row: Withdrawal): Promise<void> {
    const refusal = await this.signAndSend(row, null);
    if (!refusal) return;
    // The signer or the node being away says nothing about the withdrawal itself.
    if (refusal.errorName === 'UNAVAILABLE' || refusal.errorName === 'INTERNAL') return;
    if (refusal.errorName === 'SIGNING_STOPPED' && row.state !== 'requested') return;
    const to = row.state === 'approved' ? 'failed' : 'refused';
    await this.#parts.database.transaction(async (sql) => {
      if (!(await advance(sql, row.id, row.state, to, { error: refusal.errorName }))) return;
      await postRelease(sql, row);
      await recordAudit(sql, {
        userId: row.userId,
        event: 'withdrawal-refused',
        address: '',
        detail: refusal.errorName,
      });
    });
    this.#parts.balances.changed(row.userId);
    this.#tell(row.id);
  }
}

function outcomeOf(
  transaction: ChainTransaction,
  row: Withdrawal,
): { slot: bigint; paidLamports: bigint; feeLamports: bigint } {
  const left = -lamportDelta(balanceChanges(transaction), address(row.fromAddress));
  return { slot: transaction.slot, paidLamports: left - transaction.fee, feeLamports: transaction.fee };
}
