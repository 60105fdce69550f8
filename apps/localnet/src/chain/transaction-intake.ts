// The way of a transaction into the ledger: read, known or too old, genuine, executed, made durable, announced.

import type { Bank } from './bank.ts';
import { BLOCKHASH_AGE_SLOTS_MAX, type Blockhashes } from './blockhashes.ts';
import type { LedgerTransaction, SubmitOutcome } from './chain.ts';
import type { Journal } from './journal.ts';
import type { SignatureStatus } from './ledger-chain.ts';
import { INDEX_MAX } from './recent-transactions.ts';
import { SignatureChecker } from './signature-checker.ts';
import { type TransactionErrorJson, transactionErrorSentence } from './transaction-error.ts';
import { PACKET_BYTES_MAX, parseWire, sanitizeFault, WireError, type WireTransaction } from './wire-transaction.ts';

/** From this many under way at a time, signatures are checked on another thread. */
const BURST = 4;

type Refusal = Extract<SubmitOutcome, { kind: 'refused' }>;
type ExecutedListener = (transaction: LedgerTransaction, written: string[]) => void;

export class TransactionIntake {
  readonly #bank: Bank;
  readonly #blockhashes: Blockhashes;
  readonly #journal: Journal;
  readonly #statuses: Map<string, SignatureStatus>;
  readonly #checker = new SignatureChecker();
  readonly #listeners = new Set<ExecutedListener>();
  #indexInSlot = 0;
  #underWay = 0;
  #lastRecord: Promise<void> = Promise.resolve();

  constructor(deps: {
    bank: Bank;
    blockhashes: Blockhashes;
    journal: Journal;
    recentStatuses: Map<string, SignatureStatus>;
  }) {
    this.#bank = deps.bank;
    this.#blockhashes = deps.blockhashes;
    this.#journal = deps.journal;
    this.#statuses = deps.recentStatuses;
  }

  /** Settles once everything taken so far is on disk. */
  get durable(): Promise<void> {
    return this.#lastRecord;
  }

  /** What the last 150 slots know of a signature. */
  recentStatus(signature: string): SignatureStatus | null {
    return this.#statuses.get(signature) ?? null;
  }

  onExecuted(listener: ExecutedListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  enterSlot(slot: number): void {
    this.#indexInSlot = 0;
    for (const [signature, status] of this.#statuses) {
      if (status.slot >= slot - BLOCKHASH_AGE_SLOTS_MAX - 1) break;
      this.#statuses.delete(signature);
    }
  }

  /** Makes accounts durable that were set outside of any transaction. */
  recordAccounts(writes: Parameters<Journal['record']>[1]): Promise<void> {
    this.#lastRecord = this.#journal.record([], writes);
    return this.#lastRecord;
  }

  /** Makes transactions durable that somebody else worked out, who sets the accounts as they left them. */
  async recordReplayed(transactions: LedgerTransaction[]): Promise<void> {
    this.#lastRecord = this.#journal.record(transactions, []);
    await this.#lastRecord;
    const last = transactions.at(-1);
    if (last !== undefined) for (const listener of this.#listeners) listener(last, []);
  }

  async submit(wire: Uint8Array, keepFailure: boolean): Promise<SubmitOutcome> {
    this.#underWay += 1;
    try {
      const outcome = await this.#take(wire, keepFailure);
      if (outcome.kind === 'accepted') await this.#lastRecord;
      return outcome;
    } finally {
      this.#underWay -= 1;
    }
  }

  async submitMany(wires: Uint8Array[]): Promise<SubmitOutcome[]> {
    this.#underWay += wires.length;
    try {
      const outcomes = await Promise.all(wires.map(async (wire) => this.#take(wire, true)));
      await this.#lastRecord;
      return outcomes;
    } finally {
      this.#underWay -= wires.length;
    }
  }

  /** Executes at once, or in its turn after those whose signatures are being checked. */
  #take(wire: Uint8Array, keepFailure: boolean): SubmitOutcome | Promise<SubmitOutcome> {
    const transaction = readWire(wire);
    if ('kind' in transaction) return transaction;
    const refusal = this.#admission(transaction);
    if (refusal !== null) return refusal;
    if (this.#underWay >= BURST) this.#checker.start();
    if (!this.#checker.isBusy && (this.#underWay < BURST || !this.#checker.isReady)) {
      return this.#execute(transaction, keepFailure, false);
    }
    return this.#checker.check(wire).then((isGenuine) => {
      if (!isGenuine) return refusalOf('SignatureFailure');
      // Time passed meanwhile: a slot may have ended, or the same transaction may have come in twice.
      return this.#admission(transaction) ?? this.#execute(transaction, keepFailure, true);
    });
  }

  #admission(transaction: WireTransaction): SubmitOutcome | null {
    const { signature } = transaction;
    if (this.#statuses.has(signature)) return { kind: 'already-processed', signature };
    if (!this.#bank.isAlive(transaction)) return refusalOf('BlockhashNotFound');
    // A durable nonce outlives the window of recent signatures, so its transactions are looked up in all of history.
    if (this.#blockhashes.slotOf(transaction.blockhash) === null && this.#journal.status(signature) !== null) {
      return { kind: 'already-processed', signature };
    }
    return this.#indexInSlot > INDEX_MAX ? refusalOf('WouldExceedMaxBlockCostLimit') : null;
  }

  #execute(transaction: WireTransaction, keepFailure: boolean, isGenuine: boolean): SubmitOutcome {
    const outcome = this.#bank.execute(transaction, { index: this.#indexInSlot, keepFailure, isGenuine });
    if (outcome.kind === 'refused') return refusalOf(outcome.err, outcome.logs, outcome.unitsConsumed);
    const executed = outcome.transaction;
    this.#indexInSlot += 1;
    this.#statuses.set(transaction.signature, {
      slot: Number(executed.slot),
      index: executed.index,
      err: executed.err,
      blockTime: executed.blockTime,
    });
    this.#lastRecord = this.#journal.record([executed], outcome.writes);
    const written = outcome.writes.map(({ address }) => address);
    void this.#lastRecord.then(
      () => {
        for (const listener of this.#listeners) listener(executed, written);
      },
      () => undefined,
    );
    return { kind: 'accepted', transaction: executed };
  }

  async close(): Promise<void> {
    await this.#lastRecord.catch(() => undefined);
    await this.#checker.close();
  }
}

function refusalOf(err: TransactionErrorJson, logs: string[] = [], unitsConsumed = 0n): Refusal {
  if (err === 'SignatureFailure') {
    return { kind: 'refused', code: -32003, message: 'Transaction signature verification failure' };
  }
  return {
    kind: 'refused',
    code: -32002,
    message: `Transaction simulation failed: ${transactionErrorSentence(err)}`,
    data: {
      accounts: null,
      err,
      innerInstructions: null,
      logs,
      returnData: null,
      unitsConsumed: Number(unitsConsumed),
    },
  };
}

function unreadable(message: string): Refusal {
  return { kind: 'refused', code: -32602, message };
}

function readWire(wire: Uint8Array): WireTransaction | Refusal {
  if (wire.length > PACKET_BYTES_MAX) {
    return unreadable(`transaction too large: ${wire.length} bytes (max: ${PACKET_BYTES_MAX} bytes)`);
  }
  try {
    const transaction = parseWire(wire);
    return sanitizeFault(transaction) === null
      ? transaction
      : unreadable('invalid transaction: Transaction failed to sanitize accounts offsets correctly');
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    return unreadable(`failed to deserialize solana_transaction::versioned::VersionedTransaction: ${error.message}`);
  }
}
