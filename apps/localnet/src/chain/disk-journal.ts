// The journal on disk: the log acknowledges, a thread files away, and readers look in memory first.

import { Worker } from 'node:worker_threads';
import type { AccountWrite } from './bank.ts';
import type { LedgerTransaction, ListedTransaction } from './chain.ts';
import type { HistoryReader } from './history-reader.ts';
import type { HistoryReply, HistoryRequest, HistoryWorkerData } from './history-worker.ts';
import type { HistoryRange, Journal } from './journal.ts';
import type { SignatureStatus } from './ledger-chain.ts';
import { LogWriter } from './log-writer.ts';
import { encodeRecord } from './record-payload.ts';
import type { Retention } from './retention.ts';
import { INDEX_MAX, RecentTransactions, sequenceOf } from './recent-transactions.ts';

/** What may wait for the thread; beyond it new transactions wait. A start after a kill files it first, in about a second. */
const LAG_BYTES_MAX = 12 * 1024 * 1024;
/** Less for a past, which nobody waits for transaction by transaction. */
const PAST_LAG_BYTES_MAX = 16 * 1024 * 1024;
const PAST_BATCH = 256;
/** Who reads a past while it is made asks for these: taking them from memory costs a fraction of unpacking them. */
const PAST_KEPT = 2_000;

type DiskJournalDeps = {
  databaseFile: string;
  logDirectory: string;
  segment: number;
  nextFrame: number;
  reader: HistoryReader;
  count: number;
  retention: Retention;
  isFilingAwaited: boolean;
  onFailure: (error: Error) => void;
  release: () => void;
};

function statusOf(transaction: LedgerTransaction): SignatureStatus {
  const { slot, index, err, blockTime } = transaction;
  return { slot: Number(slot), index, err, blockTime };
}

function sequence(transaction: ListedTransaction): number {
  return sequenceOf(Number(transaction.slot), transaction.index);
}

export class DiskJournal implements Journal {
  readonly #deps: DiskJournalDeps;
  readonly #log: LogWriter;
  readonly #worker: Worker;
  readonly #recent = new RecentTransactions();
  readonly #kept: number;
  #count: number;
  #firstSlot: number | null;
  #lagBytes = 0;
  #lagWaiters: (() => void)[] = [];
  #failure: Error | null = null;
  #closed: Promise<void>;

  constructor(deps: DiskJournalDeps) {
    this.#deps = deps;
    this.#kept = deps.isFilingAwaited && deps.retention.bytesMax === null ? PAST_KEPT : 0;
    this.#count = deps.count;
    this.#firstSlot = deps.reader.firstSlot();
    this.#log = new LogWriter(deps.logDirectory, deps.segment, deps.nextFrame);
    const workerData: HistoryWorkerData = {
      databaseFile: deps.databaseFile,
      logDirectory: deps.logDirectory,
      firstSegment: deps.segment,
      retention: deps.retention,
      isFilingAwaited: deps.isFilingAwaited,
    };
    this.#worker = new Worker(new URL('./history-worker.ts', import.meta.url), { workerData });
    this.#log.onDurable = ({ segment, frame }, payload) => {
      this.#lagBytes += payload.length;
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
      this.#worker.postMessage({ segment, number: frame, payload } satisfies HistoryRequest);
    };
    this.#log.onFailure = deps.onFailure;
    this.#closed = new Promise((resolve) => {
      this.#worker.on('message', (reply: HistoryReply) => {
        if (reply === 'closed') resolve();
        else if ('firstSlot' in reply) this.#firstSlot = reply.firstSlot;
        else this.#filed(reply);
      });
      this.#worker.on('error', (error) => {
        this.#failure = new Error('the ledger cannot be filed away', { cause: error });
        console.error('localnet: the history thread failed', error);
        this.#wake();
        resolve();
        deps.onFailure(this.#failure);
      });
    });
  }

  #filed(reply: { newest: number | null; bytes: number }): void {
    if (reply.newest !== null) this.#recent.dropThrough(reply.newest, this.#kept);
    this.#lagBytes -= reply.bytes;
    this.#wake();
  }

  #wake(): void {
    for (const wake of this.#lagWaiters.splice(0)) wake();
  }

  async #roomForMore(lagBytesMax: number): Promise<void> {
    while (this.#lagBytes > lagBytesMax && this.#failure === null) {
      await new Promise<void>((resolve) => this.#lagWaiters.push(resolve));
    }
    if (this.#failure !== null) throw this.#failure;
  }

  record(transactions: LedgerTransaction[], writes: AccountWrite[]): Promise<void> {
    const durable = this.#append(transactions, writes);
    return this.#lagBytes > LAG_BYTES_MAX || this.#failure !== null
      ? durable.then(() => this.#roomForMore(LAG_BYTES_MAX))
      : durable;
  }

  #append(transactions: LedgerTransaction[], writes: AccountWrite[]): Promise<void> {
    if (transactions.length === 0) return this.#log.append(encodeRecord(null, writes));
    let durable: Promise<void> | null = null;
    for (const [i, transaction] of transactions.entries()) {
      this.#recent.add(transaction);
      this.#count += 1;
      this.#firstSlot ??= Number(transaction.slot);
      // The accounts go with the last of them: a frame holds them all or none.
      durable = this.#log.append(encodeRecord(transaction, i === transactions.length - 1 ? writes : []));
    }
    return durable!;
  }

  async recordPast(transactions: Iterable<LedgerTransaction> | AsyncIterable<LedgerTransaction>): Promise<void> {
    let batch: LedgerTransaction[] = [];
    let durable: Promise<void> = Promise.resolve();
    // One batch goes to disk while the next is worked out, and no more than that: a past is long.
    const flush = async (): Promise<void> => {
      await durable;
      await this.#roomForMore(PAST_LAG_BYTES_MAX);
      if (batch.length > 0) durable = this.record(batch, []);
      batch = [];
    };
    for await (const transaction of transactions) {
      batch.push(transaction);
      if (batch.length >= PAST_BATCH) await flush();
    }
    await flush();
    await durable;
  }

  transaction(signature: string): LedgerTransaction | null {
    return this.#recent.get(signature) ?? this.#deps.reader.transaction(signature);
  }

  status(signature: string): SignatureStatus | null {
    const recent = this.#recent.get(signature);
    return recent === null ? this.#deps.reader.status(signature) : statusOf(recent);
  }

  #sequenceOf(signature: string): number | null {
    const status = this.status(signature);
    return status === null ? null : sequenceOf(status.slot, status.index);
  }

  transactionsFor(address: string, range: HistoryRange): LedgerTransaction[] {
    return this.#found(address, range, (from, to, limit) => this.#deps.reader.mentioning(address, from, to, limit));
  }

  listFor(address: string, range: HistoryRange): ListedTransaction[] {
    return this.#found(address, range, (from, to, limit) => this.#deps.reader.listing(address, from, to, limit));
  }

  #found<Filed extends ListedTransaction>(
    address: string,
    range: HistoryRange,
    filed: (from: number, to: number, limit: number) => Filed[],
  ): (LedgerTransaction | Filed)[] {
    const before = range.before === null ? Number.MAX_SAFE_INTEGER : this.#sequenceOf(range.before);
    // Nothing can be said about what came before a transaction that nobody knows.
    if (before === null) return [];
    const until = range.until === null ? null : this.#sequenceOf(range.until);
    const from = until === null ? 0 : until + 1;
    const to = Math.min(before - 1, sequenceOf(range.newestSlot, INDEX_MAX));
    const recent = this.#recent
      .mentioning(address)
      .filter((transaction) => sequence(transaction) >= from && sequence(transaction) <= to)
      .sort((a, b) => sequence(b) - sequence(a))
      .slice(0, range.limit);
    // The thread may have filed some of these a moment ago, so the database is asked only for older ones.
    const oldest = recent.at(-1);
    const filedTo = oldest === undefined ? to : sequence(oldest) - 1;
    return [...recent, ...filed(from, filedTo, range.limit - recent.length)];
  }

  inSlot(slot: number): LedgerTransaction[] {
    const recent = this.#recent.inSlot(slot);
    const known = new Set(recent.map(({ index }) => index));
    const filed = this.#deps.reader.inSlot(slot).filter(({ index }) => !known.has(index));
    return [...filed, ...recent].sort((a, b) => a.index - b.index);
  }

  firstSlot(): number | null {
    return this.#firstSlot;
  }

  transactionCount(): number {
    return this.#count;
  }

  async close(): Promise<void> {
    await this.#log.close();
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    this.#worker.postMessage('close' satisfies HistoryRequest);
    await this.#closed;
    await this.#worker.terminate();
    this.#deps.reader.close();
    this.#deps.release();
  }
}
