import { AppError } from '@hunter/contract/app-error';
import { balanceChanges, lamportDelta, tokenDelta } from '@hunter/solana/balance-changes';
import { requireNotFrozen } from '../accounts/freeze.ts';
import { SOL } from '../ledger/journal.ts';
import { recordAudit } from '../platform/audit.ts';
import { violates, type Sql, type Transaction } from '../platform/postgres.ts';
import { Waiters } from '../platform/waiters.ts';
import type { Landed, PurposeRules, SendRefusal } from '../sending/purpose.ts';
import { lockIntents } from '../sending/lock-intents.ts';
import { sendByRpc } from '../sending/send-by-rpc.ts';
import { Sender } from '../sending/sender.ts';
import type { SignedTransaction } from '../sending/signed-transaction.ts';
import { isSettled, type Withdrawal, type WithdrawalState } from './withdrawal.ts';
import {
  advance,
  loadUnsigned,
  loadWithdrawal,
  postOutcome,
  postponeHold,
  postRelease,
  type WithdrawalOutcome,
} from './withdrawal-store.ts';
import type { WithdrawalDeps } from './withdrawal-deps.ts';
import type { Proof } from './withdrawal-signer.ts';
import { tellWithdrawal } from './tell-withdrawal.ts';
import { recordLinks } from './wallet-links.ts';

const PASS_MS = 300;
const IDLE_PASS_MS = 2_000;
const BATCH_MAX = 200;
/** A request signs within seconds; one that is still `requested` after this lost its process. */
const ABANDONED_AFTER_SECONDS = 120;
/** A blockhash lasts for a slot, and each of them takes one of several equal withdrawals. */
const TWIN_PAUSE_MS = 400;
const TWINS_MAX = 50;
/** Another process may be the one that moves a withdrawal on, which only the database shows. */
const LOOK_MS = 1_000;

/** Signs withdrawals, and says what happens to them at each step of their transactions' life. */
export class WithdrawalSender implements PurposeRules<{ from: WithdrawalState }, Landed, null> {
  readonly purpose = 'withdrawal';
  readonly name = 'withdrawal recovery';
  readonly postsAt = 'finalized';
  readonly leftBehindMs = 0;
  readonly #deps: WithdrawalDeps;
  readonly #sender: Sender<{ from: WithdrawalState }, Landed, null>;
  readonly #waiters: Waiters;
  #stopped = false;

  constructor(deps: WithdrawalDeps) {
    this.#deps = deps;
    const { database, rpc: chain, clock, log } = deps;
    this.#sender = new Sender({ database, chain, clock, log }, this);
    this.#waiters = new Waiters(clock);
  }

  start(): void {
    this.#sender.start();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#waiters.stop();
    await this.#sender.stop();
  }

  /** Null once it is on its way or held; otherwise why not, and then no bytes exist that could be sent. */
  async signAndSend(row: Withdrawal, proof: Proof | null): Promise<AppError | null> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.#signAndSendOnce(row, proof);
      } catch (error) {
        // Two withdrawals of one amount to one destination under one blockhash are the same bytes, which the chain
        // executes once. These were dropped before anybody saw them; the next blockhash makes others.
        if (!violates(error, 'signed_transaction_pkey') || tries >= TWINS_MAX || this.#stopped) throw error;
        await this.#deps.clock.pause(TWIN_PAUSE_MS);
      }
    }
  }

  async #signAndSendOnce(row: Withdrawal, proof: Proof | null): Promise<AppError | null> {
    const { database, rpc, signer } = this.#deps;
    let latest;
    try {
      // Frozen meanwhile: then nothing is signed any more, whatever the signer would say.
      await requireNotFrozen(database, row.userId);
    } catch (error) {
      if (error instanceof AppError) return error;
      throw error;
    }
    try {
      latest = await rpc.getLatestBlockhash('confirmed');
    } catch (cause) {
      return new AppError('UNAVAILABLE', undefined, { cause });
    }
    const signed = await signer.sign(row, latest.blockhash, proof);
    if (signed.kind === 'refused') return signed.refusal;
    if (signed.kind === 'held') {
      const { until: heldUntil, reason: holdReason } = signed;
      await database.transaction(async (sql) => {
        if (row.state === 'delayed') return postponeHold(sql, row.id, { heldUntil, holdReason });
        if (!(await advance(sql, row.id, row.state, 'delayed', { heldUntil, holdReason }))) return;
        const { id: withdrawalId } = row;
        await tellWithdrawal(this.#deps, sql, row, {
          kind: 'withdrawal-held',
          until: heldUntil.getTime(),
          withdrawalId,
        });
      });
      this.#waiters.changed(row.id);
      return null;
    }
    const transaction: SignedTransaction = {
      signature: signed.signature,
      intentId: row.id,
      walletAddress: row.fromAddress,
      wire: signed.wire,
      lastValidBlockHeight: latest.lastValidBlockHeight,
      venueRequest: null,
    };
    // Where somebody else moved the withdrawal on, these bytes are dropped and never leave this process.
    if (await this.#sender.commit(transaction, { from: row.state })) await this.#sender.send([transaction]);
    this.#sender.letGo(transaction);
    this.#sender.wake();
    return null;
  }

  /** Until it is confirmed, held or over, or the time is up. */
  async waitFor(id: string, timeoutMs: number): Promise<Withdrawal> {
    const deadlineMs = performance.now() + timeoutMs;
    for (;;) {
      const row = await loadWithdrawal(this.#deps.database, id);
      if (!row) throw new AppError('NOT_FOUND');
      const waitMs = deadlineMs - performance.now();
      if (row.state === 'refused') throw new AppError(row.error === 'WRONG_PASSWORD' ? row.error : 'WITHDRAWAL_FAILED');
      const over = isSettled(row.state) || row.state === 'confirmed' || row.state === 'delayed';
      if (over || waitMs <= 0 || this.#stopped) return row;
      await this.#waiters.next([id], Math.min(waitMs, LOOK_MS));
    }
  }

  pauseMs(open: number): number {
    return open > 0 ? PASS_MS : IDLE_PASS_MS;
  }

  async claim(
    sql: Sql,
    signed: readonly { transaction: SignedTransaction; claim: { from: WithdrawalState } }[],
  ): Promise<ReadonlySet<string>> {
    const waiting = new Set<string>();
    for (const { transaction, claim } of signed) {
      const { intentId, signature } = transaction;
      if (!(await advance(sql, intentId, claim.from, 'sent', { signature }))) continue;
      waiting.add(intentId);
      const row = (await loadWithdrawal(sql, intentId))!;
      // Only now: whoever asks without the password, or cancels, has made nobody a neighbour of the wallet.
      await recordLinks(sql, [{ walletAddress: row.fromAddress, otherAddress: row.toAddress, receivedAt: null }]);
      // One that was held has been told already.
      if (claim.from === 'requested') await tellWithdrawal(this.#deps, sql, row, { kind: 'withdrawal-requested' });
    }
    return waiting;
  }

  send(transactions: readonly SignedTransaction[]): Promise<ReadonlyMap<string, SendRefusal>> {
    return sendByRpc(this.#deps, transactions);
  }

  async confirmed(sql: Transaction, transactions: readonly SignedTransaction[]): Promise<void> {
    for (const { intentId } of transactions) await advance(sql, intentId, 'sent', 'confirmed');
    sql.afterCommit(() => transactions.forEach(({ intentId }) => this.#waiters.changed(intentId)));
  }

  async read(landed: readonly Landed[]): Promise<Landed[]> {
    return [...landed];
  }

  /** From the transaction's own balances, never from what was asked for. */
  async post(sql: Transaction, landed: readonly Landed[]): Promise<null[]> {
    for (const one of landed) {
      const { intentId: id, signature } = one.transaction;
      const row = (await loadWithdrawal(sql, id))!;
      const failed = one.onChain.err !== null;
      await advance(sql, id, row.state, failed ? 'failed' : 'finalized', failed ? { error: 'WITHDRAWAL_FAILED' } : {});
      await postOutcome(sql, row, outcomeOf(one, row), new Date(this.#deps.clock.nowMs()));
      const event = failed ? 'withdrawal-refused' : 'withdrawal-sent';
      await recordAudit(sql, { userId: row.userId, event, address: '', detail: signature });
      const told = failed
        ? ({ kind: 'withdrawal-failed' } as const)
        : ({ kind: 'withdrawal-sent', hash: signature } as const);
      await tellWithdrawal(this.#deps, sql, row, told);
      this.#tellAfterCommit(sql, row);
    }
    return landed.map(() => null);
  }

  async release(sql: Transaction, transactions: readonly SignedTransaction[]): Promise<void> {
    for (const { intentId: id } of transactions) {
      const row = (await loadWithdrawal(sql, id))!;
      await advance(sql, id, row.state, 'approved');
    }
  }

  /** What has no open transaction: a hold that ran out, a proven expiry, a request whose process died. */
  async resume(): Promise<number> {
    const { database, clock } = this.#deps;
    const rows = await loadUnsigned(database, new Date(clock.nowMs()), ABANDONED_AFTER_SECONDS, BATCH_MAX);
    for (const row of rows) {
      // One that fails does not keep the others waiting.
      await this.#resumeOne(row).catch((error: unknown) =>
        this.#deps.log.error(
          { withdrawalId: row.id, err: error },
          'resuming a withdrawal failed; retrying with the next pass',
        ),
      );
    }
    return rows.length;
  }

  async #resumeOne(found: Withdrawal): Promise<void> {
    await this.#deps.database.transaction(async (sql) => {
      if ((await lockIntents(sql, [found.id])).length === 0) return;
      const row = (await loadWithdrawal(sql, found.id))!;
      // Otherwise another process has asked for it since it was found.
      const isSame = row.state === found.state && row.heldUntil?.getTime() === found.heldUntil?.getTime();
      if (isSame) await this.#askAgain(row);
    });
  }

  async #askAgain(row: Withdrawal): Promise<void> {
    const refusal = await this.signAndSend(row, null);
    if (!refusal) return;
    // That the signer or the node is unavailable says nothing about the withdrawal itself.
    if (refusal.errorName === 'UNAVAILABLE' || refusal.errorName === 'INTERNAL') return;
    if (refusal.errorName === 'SIGNING_STOPPED' && row.state !== 'requested') return;
    const to = row.state === 'requested' ? 'refused' : 'failed';
    // The signer wants the password, which went with the request; nobody gave a wrong one, and the owner is not told so.
    const error = refusal.errorName === 'WRONG_PASSWORD' ? 'WITHDRAWAL_FAILED' : refusal.errorName;
    await this.#deps.database.transaction(async (sql) => {
      if (!(await advance(sql, row.id, row.state, to, { error }))) return;
      await postRelease(sql, row);
      await recordAudit(sql, { userId: row.userId, event: 'withdrawal-refused', address: '', detail: error });
      await tellWithdrawal(this.#deps, sql, row, { kind: 'withdrawal-failed' });
      this.#tellAfterCommit(sql, row);
    });
  }

  #tellAfterCommit(sql: Transaction, { id, userId }: Withdrawal): void {
    sql.afterCommit(() => {
      this.#deps.balances.changed(userId);
      this.#waiters.changed(id);
    });
  }
}

function outcomeOf({ transaction, onChain }: Landed, { asset }: Withdrawal): WithdrawalOutcome {
  const changes = balanceChanges(onChain);
  const left = -lamportDelta(changes, transaction.walletAddress);
  const tokens = asset === SOL ? 0n : -tokenDelta(changes, transaction.walletAddress, asset);
  return { slot: onChain.slot, paidLamports: left - onChain.fee, feeLamports: onChain.fee, tokens };
}
