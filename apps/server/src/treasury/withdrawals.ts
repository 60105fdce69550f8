import { AppError } from '@hunter/contract/app-error';
import { randomUUID } from 'node:crypto';
import { requireNotFrozen } from '../accounts/freeze.ts';
import { readLink, useLink } from '../accounts/mail-links.ts';
import { recordAudit } from '../platform/audit.ts';
import { violates, type Sql } from '../platform/postgres.ts';
import { loadSolBalances, lockPersonalSol } from '../ledger/wallet-balance.ts';
import type { Withdrawal } from './withdrawal.ts';
import { prepareWithdrawal, type WantedWithdrawal } from './prepare-withdrawal.ts';
import { requireCovered } from './review-withdrawal.ts';
import { WITHDRAWALS_WAITING_MAX } from './withdrawal-rules.ts';
import { tellWithdrawal } from './tell-withdrawal.ts';
import type { Proof } from './withdrawal-signer.ts';
import type { WithdrawalDeps } from './withdrawal-deps.ts';
import { WithdrawalSender } from './withdrawal-sender.ts';
import {
  advance,
  countWaiting,
  insertWithdrawal,
  loadByRequestKey,
  loadHeld,
  loadWithdrawal,
  postRelease,
  type WithdrawalIntent,
} from './withdrawal-store.ts';

const REPLY_WAIT_MS = 10_000;

export type WithdrawalRequest = WantedWithdrawal & Proof & { id?: string | undefined };

/** Sending SOL and tokens away. The request holds the money, the signer decides, and the sender sees it through. */
export class Withdrawals {
  readonly #deps: WithdrawalDeps;
  readonly #sender: WithdrawalSender;

  constructor(deps: WithdrawalDeps) {
    this.#deps = deps;
    this.#sender = new WithdrawalSender(deps);
  }

  /** Carries on with whatever an earlier process left open. */
  start(): void {
    this.#sender.start();
  }

  stop(): Promise<void> {
    return this.#sender.stop();
  }

  /**
   * Answers once it is confirmed or held back, or as it is after some seconds. Throws what `prepareWithdrawal` and
   * `requireCovered` throw, ACCOUNT_FROZEN, WITHDRAWALS_WAITING or REQUEST_IN_PROGRESS with nothing held; what the signer refuses
   * (WRONG_PASSWORD, WITHDRAWAL_LIMIT, SIGNING_STOPPED, …) and UNAVAILABLE with everything released; and WITHDRAWAL_FAILED for the repeated request of one that was refused.
   */
  async request(
    caller: { userId: string; requestKey: string; address: string },
    request: WithdrawalRequest,
  ): Promise<Withdrawal> {
    const { database } = this.#deps;
    const before = await loadByRequestKey(database, caller.userId, caller.requestKey);
    if (before) return this.#sender.waitFor(before.id, REPLY_WAIT_MS);
    const intent = await prepareWithdrawal(this.#deps, caller.userId, request);
    const held = await this.#hold(caller, request.id ?? randomUUID(), intent);
    if (held.repeated) return this.#sender.waitFor(held.withdrawal.id, REPLY_WAIT_MS);
    this.#deps.balances.changed(caller.userId);
    const refusal = await this.#sender.signAndSend(held.withdrawal, request);
    if (refusal) {
      await this.#refuse(held.withdrawal, refusal, caller.address);
      throw refusal;
    }
    return this.#sender.waitFor(held.withdrawal.id, REPLY_WAIT_MS);
  }

  /** Throws NOT_FOUND, or WITHDRAWAL_NOT_CANCELLABLE once it may have been signed. */
  async cancel(caller: { userId: string; address: string }, id: string): Promise<Withdrawal> {
    const cancelled = await this.#deps.database.transaction((sql) => this.#cancelIn(sql, caller, id));
    this.#deps.balances.changed(caller.userId);
    return cancelled;
  }

  /** The withdrawal that a link from a mail is about. Throws LINK_INVALID. */
  async ofLink(token: string): Promise<Withdrawal> {
    const { database, clock } = this.#deps;
    const link = await readLink(database, new Date(clock.nowMs()), token, 'cancel-withdrawal');
    const row = await loadWithdrawal(database, link.reference);
    if (!row || row.userId !== link.userId) throw new AppError('LINK_INVALID');
    return row;
  }

  /** By a link from a mail. Throws LINK_INVALID or WITHDRAWAL_NOT_CANCELLABLE. */
  async cancelByLink(token: string, address: string): Promise<Withdrawal> {
    const { database, clock, balances } = this.#deps;
    const cancelled = await database.transaction(async (sql) => {
      const { userId, reference } = await useLink(sql, new Date(clock.nowMs()), token, 'cancel-withdrawal');
      return this.#cancelIn(sql, { userId, address }, reference);
    });
    balances.changed(cancelled.userId);
    return cancelled;
  }

  /** Of a frozen account: whoever asked for them, nothing leaves. */
  async cancelHeld(userId: string): Promise<void> {
    for (const { id } of await loadHeld(this.#deps.database, userId)) {
      await this.cancel({ userId, address: '' }, id).catch((error: unknown) => {
        if (!(error instanceof AppError && error.errorName === 'WITHDRAWAL_NOT_CANCELLABLE')) throw error;
      });
    }
  }

  async #cancelIn(sql: Sql, caller: { userId: string; address: string }, id: string): Promise<Withdrawal> {
    const row = await loadWithdrawal(sql, id);
    if (!row || row.userId !== caller.userId || row.state === 'refused') throw new AppError('NOT_FOUND');
    if (row.state !== 'delayed' || !(await advance(sql, id, 'delayed', 'cancelled'))) {
      throw new AppError('WITHDRAWAL_NOT_CANCELLABLE');
    }
    await postRelease(sql, row);
    await recordAudit(sql, { ...caller, event: 'withdrawal-cancelled', detail: id });
    await tellWithdrawal(this.#deps, sql, row, { kind: 'withdrawal-canceled' });
    return { ...row, state: 'cancelled' };
  }

  async #hold(
    caller: { userId: string; requestKey: string; address: string },
    id: string,
    intent: WithdrawalIntent,
  ): Promise<{ withdrawal: Withdrawal; repeated: boolean }> {
    const { database } = this.#deps;
    try {
      const withdrawal = await database.transaction(async (sql) => {
        await lockPersonalSol(sql, caller.userId);
        const balances = await loadSolBalances(sql, caller.userId);
        await requireNotFrozen(sql, caller.userId);
        // The lock above makes one user's requests come one after the other, so that none is counted without the others.
        if ((await countWaiting(sql, caller.userId)) >= WITHDRAWALS_WAITING_MAX) {
          throw new AppError('WITHDRAWALS_WAITING', { most: WITHDRAWALS_WAITING_MAX });
        }
        await requireCovered(sql, balances, intent);
        await recordAudit(sql, { ...caller, event: 'withdrawal-requested', detail: intent.toAddress });
        return insertWithdrawal(sql, {
          ...intent,
          id,
          userId: caller.userId,
          requestKey: caller.requestKey,
          bookId: balances.personalBookId,
          fromAddress: balances.address,
        });
      });
      return { withdrawal, repeated: false };
    } catch (error) {
      if (violates(error, 'balance_not_negative')) {
        throw new AppError('INSUFFICIENT_BALANCE', undefined, { cause: error });
      }
      // The id of a review is good for one withdrawal; one that is taken says nothing about whose it is.
      if (violates(error, 'withdrawal_pkey')) {
        throw new AppError('INVALID_INPUT', { field: 'id', reason: 'choice' }, { cause: error });
      }
      if (!violates(error, 'withdrawal_once')) throw error;
      const withdrawal = await loadByRequestKey(database, caller.userId, caller.requestKey);
      if (!withdrawal) throw new AppError('REQUEST_IN_PROGRESS', undefined, { cause: error });
      return { withdrawal, repeated: true };
    }
  }

  async #refuse(row: Withdrawal, refusal: AppError, callerAddress: string): Promise<void> {
    await this.#deps.database.transaction(async (sql) => {
      if (!(await advance(sql, row.id, 'requested', 'refused', { error: refusal.errorName }))) return;
      await postRelease(sql, row);
      await recordAudit(sql, {
        userId: row.userId,
        event: 'withdrawal-refused',
        address: callerAddress,
        detail: refusal.errorName,
      });
    });
    this.#deps.balances.changed(row.userId);
  }
}
