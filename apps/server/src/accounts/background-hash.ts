import { Worker } from 'node:worker_threads';

/** In base64 and as text: a string is handed to a thread faster than bytes. */
export type HashJob = {
  readonly password: string;
  readonly salt: string;
  readonly memoryKib: number;
  readonly passes: number;
  readonly parallelism: number;
  readonly tagLength: number;
};

/** Null where the thread could not work it out. */
export type HashReply = Uint8Array | null;

/** A thread that hashes one password at a time and takes only what others leave of the processor. */
export class BackgroundHash {
  #worker: Worker | null = null;
  #isReady = false;
  #running: PromiseWithResolvers<HashReply> | null = null;

  /** Null where the thread is not there yet, or still at work on an earlier one. */
  begin(job: HashJob): Promise<HashReply> | null {
    this.#worker ??= this.#start();
    if (!this.#isReady || this.#running !== null) return null;
    this.#running = Promise.withResolvers();
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin, unlike a window
    this.#worker.postMessage(job);
    return this.#running.promise;
  }

  #start(): Worker {
    const worker = new Worker(new URL('./hash-thread.ts', import.meta.url));
    worker.unref();
    worker.on('message', (message: 'ready' | HashReply) => {
      if (message === 'ready') this.#isReady = true;
      else this.#answer(message);
    });
    // Another one is started by the next password.
    worker.on('error', () => this.#end());
    worker.on('exit', () => this.#end());
    return worker;
  }

  #answer(reply: HashReply): void {
    this.#running?.resolve(reply);
    this.#running = null;
  }

  #end(): void {
    this.#worker = null;
    this.#isReady = false;
    this.#answer(null);
  }
}
