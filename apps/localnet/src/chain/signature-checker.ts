// Signatures are checked on a thread of their own while the main one executes. The thread is started by the first
// burst: at a few transactions a second the way there and back would cost more than it saves.

import { Worker } from 'node:worker_threads';
import type { SignatureReply, SignatureRequest } from './signature-worker.ts';

/** Batches on their way at a time: one being checked and one that waits right behind it. */
const BATCHES_MAX = 2;
/** Small, so that the first of a burst are executed while the rest is still being checked. */
const BATCH_MAX = 16;

type Waiting = { wire: Uint8Array; tell: (isGenuine: boolean) => void; fail: (error: Error) => void };

export class SignatureChecker {
  #worker: Worker | null = null;
  #isReady = false;
  #failure: Error | null = null;
  #waiting: Waiting[] = [];
  #batches: Waiting[][] = [];
  #isScheduled = false;

  /** False until the thread runs; transactions are then checked where they are executed. */
  get isReady(): boolean {
    return this.#isReady;
  }

  /** True while answers are outstanding: whoever comes now must not overtake them. */
  get isBusy(): boolean {
    return this.#waiting.length > 0 || this.#batches.length > 0;
  }

  start(): void {
    if (this.#worker !== null || this.#failure !== null) return;
    const worker = new Worker(new URL('./signature-worker.ts', import.meta.url));
    this.#worker = worker;
    worker.unref();
    worker.on('message', (reply: SignatureReply) => {
      if (reply === 'ready') this.#isReady = true;
      else this.#answered(reply);
    });
    worker.on('error', (error: Error) => this.#failed(error));
  }

  /** The bytes must have passed `parseWire` and `sanitizeFault`. Answers come in the order of the questions. */
  check(wire: Uint8Array): Promise<boolean> {
    if (this.#failure !== null) return Promise.reject(this.#failure);
    return new Promise((tell, fail) => {
      this.#waiting.push({ wire, tell, fail });
      this.#schedule();
    });
  }

  // All that arrives in this turn of the event loop goes out together.
  #schedule(): void {
    if (this.#isScheduled || this.#batches.length >= BATCHES_MAX) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#send();
    });
  }

  #send(): void {
    if (this.#waiting.length === 0 || this.#worker === null) return;
    const batch = this.#waiting.splice(0, BATCH_MAX);
    const lengths = Uint16Array.from(batch, ({ wire }) => wire.length);
    const bytes = new Uint8Array(lengths.reduce((sum, length) => sum + length, 0));
    let at = 0;
    for (const { wire } of batch) {
      bytes.set(wire, at);
      at += wire.length;
    }
    this.#batches.push(batch);
    this.#worker.postMessage({ bytes, lengths } satisfies SignatureRequest, [bytes.buffer, lengths.buffer]);
    if (this.#waiting.length > 0) this.#schedule();
  }

  #answered(genuine: Uint8Array): void {
    const batch = this.#batches.shift() ?? [];
    if (this.#waiting.length > 0) this.#send();
    batch.forEach(({ tell }, i) => tell(genuine[i] === 1));
  }

  #failed(cause: Error): void {
    this.#isReady = false;
    this.#failure = new Error('signatures cannot be checked', { cause });
    console.error('localnet: the thread that checks signatures failed', cause);
    this.#refuseAll(this.#failure);
  }

  #refuseAll(reason: Error): void {
    for (const { fail } of [...this.#batches.splice(0).flat(), ...this.#waiting.splice(0)]) fail(reason);
  }

  async close(): Promise<void> {
    this.#isReady = false;
    this.#failure ??= new Error('the ledger is closed');
    this.#refuseAll(this.#failure);
    await this.#worker?.terminate();
    this.#worker = null;
  }
}
