import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import type { Alarm } from '../alarm.ts';
import type { DurableLog } from './durable-log.ts';
import { SignerError } from '../signer-error.ts';

const ANSWER_MS = 5_000;
const PART_CHARACTERS = 1024 * 1024;

export type StandbyLinkDeps = {
  connect: () => Socket;
  token: string;
  epoch: number;
  keyIds: () => string[];
  alarm: Alarm;
  /** The standby has been promoted: this signer never signs again. */
  onReplaced: () => void;
};

/**
 * The active signer's side of its standby. Nothing that it answers leaves before the standby has everything that was logged for it and
 * still takes it for the active one. So a standby that cannot be reached stops all signing, and one that was promoted stops it for good.
 * Each connection begins with the whole log: whatever was missed before is then there.
 */
export class StandbyLink {
  readonly #deps: StandbyLinkDeps;
  #log: DurableLog | null = null;
  #connection: Connection | null = null;
  #session = '';
  #lines: string[] = [];
  #waiting: PromiseWithResolvers<void>[] = [];
  #isWorking = false;
  #isReplaced = false;
  #beginsAnew = false;
  #isMissing = false;

  constructor(deps: StandbyLinkDeps) {
    this.#deps = deps;
  }

  follow(log: DurableLog): void {
    this.#log = log;
    log.onWritten((lines) => {
      if (this.#connection !== null) this.#lines.push(lines);
    });
  }

  /** Resolves once everything logged before is on the standby, by an answer to a question asked after this call. */
  confirm(): Promise<void> {
    const waiter = Promise.withResolvers<void>();
    this.#waiting.push(waiter);
    if (!this.#isWorking) void this.#work();
    return waiter.promise;
  }

  /** The log was compacted; so is the standby's, by the next whole log. */
  beginAnew(): void {
    this.#beginsAnew = true;
  }

  #close(): void {
    this.#connection?.close();
    this.#connection = null;
  }

  async #work(): Promise<void> {
    this.#isWorking = true;
    // Requests that are answered together share one question.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#waiting.length > 0) {
      const waiting = this.#waiting;
      this.#waiting = [];
      try {
        await this.#pass();
        this.#isMissing = false;
        for (const { resolve } of waiting) resolve();
      } catch (error) {
        this.#close();
        const refusal = this.#refusal(error);
        for (const { reject } of waiting) reject(refusal);
      }
    }
    this.#isWorking = false;
  }

  async #pass(): Promise<void> {
    if (this.#isReplaced) throw new SignerError('REPLACED', 'the standby of this signer has been promoted');
    if (this.#beginsAnew) this.#close();
    this.#beginsAnew = false;
    if (this.#connection !== null && (await this.#append())) return;
    await this.#begin();
    if (!(await this.#append())) throw new Error('the connection to the standby was lost');
  }

  /** False where the connection was lost, as when the standby was started again: then the next one begins with the whole log. */
  async #append(): Promise<boolean> {
    const lines = this.#lines.splice(0).join('');
    try {
      await this.#ask({ step: 'append', lines });
      return true;
    } catch (error) {
      if (error instanceof SignerError) throw error;
      this.#close();
      return false;
    }
  }

  async #begin(): Promise<void> {
    this.#session = randomUUID();
    this.#connection = new Connection(this.#deps.connect(), this.#deps.token);
    // Read while nothing is being written; what is written from then on follows by itself.
    this.#lines = [];
    const whole = await this.#log!.read(() => (this.#lines = []));
    await this.#ask({ step: 'begin', keyIds: this.#deps.keyIds() });
    for (let start = 0; start < whole.length; start += PART_CHARACTERS) {
      await this.#ask({ step: 'part', lines: whole.slice(start, start + PART_CHARACTERS) });
    }
    await this.#ask({ step: 'end' });
  }

  #ask(params: object): Promise<void> {
    return this.#connection!.ask({ ...params, session: this.#session, epoch: this.#deps.epoch });
  }

  #refusal(error: unknown): SignerError {
    if (error instanceof SignerError && error.code === 'REPLACED') {
      if (!this.#isReplaced) this.#deps.onReplaced();
      this.#isReplaced = true;
      return error;
    }
    const message = `nothing is signed without the standby: ${(error as Error).message}`;
    if (!this.#isMissing) this.#deps.alarm({ msg: message });
    this.#isMissing = true;
    return new SignerError('NO_STANDBY', message);
  }
}

/** One question at a time. */
class Connection {
  readonly #socket: Socket;
  readonly #token: string;
  #received = '';
  #waiting: PromiseWithResolvers<void> | null = null;
  #failure: Error | null = null;

  constructor(socket: Socket, token: string) {
    this.#socket = socket;
    this.#token = token;
    socket.setEncoding('utf8');
    socket.on('error', (error) => this.#fail(error));
    socket.on('close', () => this.#fail(new Error('the connection to the standby was lost')));
    socket.on('data', (text: string) => this.#read(text));
  }

  ask(params: object): Promise<void> {
    if (this.#failure !== null) return Promise.reject(this.#failure);
    this.#waiting = Promise.withResolvers<void>();
    const timer = setTimeout(() => this.#fail(new Error('the standby does not answer')), ANSWER_MS);
    this.#socket.write(`${JSON.stringify({ id: 1, token: this.#token, method: 'replicate', params })}\n`);
    return this.#waiting.promise.finally(() => clearTimeout(timer));
  }

  close(): void {
    this.#socket.destroy();
  }

  #read(text: string): void {
    this.#received += text;
    const end = this.#received.indexOf('\n');
    if (end < 0) return;
    const { error } = JSON.parse(this.#received.slice(0, end)) as { error?: { code: string; message: string } };
    this.#received = this.#received.slice(end + 1);
    const waiting = this.#waiting;
    this.#waiting = null;
    if (error === undefined) waiting?.resolve();
    else waiting?.reject(new SignerError(error.code === 'REPLACED' ? 'REPLACED' : 'NO_STANDBY', error.message));
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    this.#waiting?.reject(error);
    this.#waiting = null;
    this.#socket.destroy();
  }
}
