import { AppError } from '@hunter/contract/app-error';
import { printSol, type Lamports } from '@hunter/domain/lamports';
import { isAddress, type Address } from '@hunter/solana/address';
import { randomUUID } from 'node:crypto';
import { recordAudit } from '../platform/audit.ts';
import { violates } from '../platform/postgres.ts';
import { loadSolBalances, lockPersonalSol } from '../ledger/wallet-balance.ts';
import type { Withdrawal } from './withdrawal.ts';
import { decideDestination } from './withdrawal-destination.ts';
import { WALLET_MINIMUM_LAMPORTS } from '../ledger/wallet-minimum.ts';
import { decideWithdrawal, WITHDRAWAL_FEE_LAMPORTS } from './withdrawal-rules.ts';
import type { WithdrawalDeps } from './withdrawal-deps.ts';
import { WithdrawalSender } from './withdrawal-sender.ts';
import { advance, insertWithdrawal, loadByRequestKey, loadWithdrawal, postRelease } from './withdrawal-store.ts';

const REPLY_WAIT_MS = 10_000;

export type WithdrawalRequest = { toWallet: string; amount: Lamports; password: string };

/** Sending SOL away. The request holds the money, the signer decides, and the sender sees it through. */
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
   * Answers once it is confirmed or held back, or as it is after some seconds. Throws INVALID_INPUT, WITHDRAWAL_DESTINATION,
   * WITHDRAWAL_OWN_WALLET, AMOUNT_TOO_SMALL, INSUFFICIENT_BALANCE, WITHDRAWAL_LEAVES_DUST or REQUEST_IN_PROGRESS with nothing
   * held; what the signer refuses (WRONG_PASSWORD, WITHDRAWAL_LIMIT, SIGNING_STOPPED, …) and UNAVAILABLE with everything
   * released; and WITHDRAWAL_FAILED for the repeated request of one that was refused.
   */
  async request(
    caller: { userId: string; requestKey: string; address: string },
    request: WithdrawalRequest,
  ): Promise<Withdrawal> {
    const { database } = this.#deps;
    const before = await loadByRequestKey(database, caller.userId, caller.requestKey);
    if (before) return this.#sender.waitFor(before.id, REPLY_WAIT_MS);
    const destination = await this.#requireDestination(caller.userId, request);
    const held = await this.#hold(caller, request, destination);
    if (held.repeated) return this.#sender.waitFor(held.withdrawal.id, REPLY_WAIT_MS);
    this.#deps.balances.changed(caller.userId);
    const refusal = await this.#sender.signAndSend(held.withdrawal, request.password);
    if (refusal) {
      await this.#refuse(held.withdrawal, refusal, caller.address);
      throw refusal;
    }
    return this.#sender.waitFor(held.withdrawal.id, REPLY_WAIT_MS);
  }

  /** Throws NOT_FOUND, or WITHDRAWAL_NOT_CANCELLABLE once it may have been signed. */
  async cancel(caller: { userId: string; address: string }, id: string): Promise<Withdrawal> {
    const cancelled = await this.#deps.database.transaction(async (sql) => {
      const row = await loadWithdrawal(sql, id);
      if (!row || row.userId !== caller.userId || row.state === 'refused') throw new AppError('NOT_FOUND');
      if (row.state !== 'delayed' || !(await advance(sql, id, 'delayed', 'cancelled'))) {
        throw new AppError('WITHDRAWAL_NOT_CANCELLABLE');
      }
      await postRelease(sql, row);
      await recordAudit(sql, { ...caller, event: 'withdrawal-cancelled', detail: id });
      return { ...row, state: 'cancelled' as const };
    });
    this.#deps.balances.changed(caller.userId);
    return cancelled;
  }

  async #requireDestination(userId: string, { toWallet, amount }: WithdrawalRequest): Promise<Address> {
    if (!isAddress(toWallet)) throw new AppError('INVALID_INPUT', { field: 'toWallet', reason: 'format' });
    const { address } = await loadSolBalances(this.#deps.database, userId);
    if (address === toWallet) throw new AppError('WITHDRAWAL_OWN_WALLET');
    const { value: account } = await this.#deps.rpc.getAccountInfo(toWallet).catch((cause: unknown) => {
      throw new AppError('UNAVAILABLE', undefined, { cause });
    });
    const reason = decideDestination(toWallet, account);
    if (reason) throw new AppError('WITHDRAWAL_DESTINATION', { field: 'toWallet', reason });
    // The network refuses to open an account with less than it must hold.
    if (account === null && amount < WALLET_MINIMUM_LAMPORTS) {
      throw new AppError('AMOUNT_TOO_SMALL', { minimum: `${printSol(WALLET_MINIMUM_LAMPORTS)} SOL` });
    }
    return toWallet;
  }

  async #hold(
    caller: { userId: string; requestKey: string; address: string },
    request: WithdrawalRequest,
    toAddress: Address,
  ): Promise<{ withdrawal: Withdrawal; repeated: boolean }> {
    const { database } = this.#deps;
    try {
      const withdrawal = await database.transaction(async (sql) => {
        await lockPersonalSol(sql, caller.userId);
        const balances = await loadSolBalances(sql, caller.userId);
        const decision = decideWithdrawal(balances, request.amount);
        if (decision.kind === 'insufficient') throw new AppError('INSUFFICIENT_BALANCE');
        if (decision.kind === 'leaves-dust') {
          throw new AppError('WITHDRAWAL_LEAVES_DUST', { minimum: printSol(decision.minimumLamports) });
        }
        await recordAudit(sql, { ...caller, event: 'withdrawal-requested', detail: toAddress });
        return insertWithdrawal(sql, {
          id: randomUUID(),
          userId: caller.userId,
          requestKey: caller.requestKey,
          bookId: balances.personalBookId,
          fromAddress: balances.address,
          toAddress,
          lamports: request.amount,
          feeLamports: WITHDRAWAL_FEE_LAMPORTS,
        });
      });
      return { withdrawal, repeated: false };
    } catch (error) {
      if (violates(error, 'balance_not_negative')) {
        throw new AppError('INSUFFICIENT_BALANCE', undefined, { cause: error });
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
