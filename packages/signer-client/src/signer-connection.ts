import { channel } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { connectorTo } from './signer-address.ts';
import { SignerError, type SignerDenial, type SignerErrorCode } from './signer-error.ts';

/** One message per call that is over, for whoever counts them. */
export const signerCalls = channel('hunter:signer');
export type SignerCall = {
  readonly method: string;
  readonly durationMs: number;
  /** Null where the signer answered, and where it denied what was asked. */
  readonly failure: SignerErrorCode | null;
};

/** A signer that cannot sign now, for want of its standby or because it is none any more: as good as none. */
const CANNOT_SIGN: ReadonlySet<string> = new Set(['STANDBY', 'NO_STANDBY', 'REPLACED']);

const REPLY_BYTES_MAX = 16 * 1024 * 1024;

type Pending = { resolve: (result: unknown) => void; reject: (error: Error) => void; timer: NodeJS.Timeout };

export type ConnectionOptions = {
  socketPath: string;
  token: string;
  tlsFolder?: string | undefined;
  timeoutMs?: number;
};

/**
 * One connection to the signer, many calls at once. It connects on first use and again after a drop; calls that
 * were under way then fail with UNREACHABLE. Signing the same bytes again is harmless: Ed25519 gives the same signature.
 */
export class SignerConnection {
  readonly #connect: () => Socket;
  readonly #token: string;
  readonly #timeoutMs: number;
  readonly #pending = new Map<number, Pending>();
  #socket: Socket | null = null;
  #nextId = 1;
  #received: Buffer[] = [];

  constructor({ socketPath, token, tlsFolder, timeoutMs = 30_000 }: ConnectionOptions) {
    this.#connect = connectorTo(socketPath, tlsFolder);
    this.#token = token;
    this.#timeoutMs = timeoutMs;
  }

  async call(method: string, params: object): Promise<unknown> {
    const startedMs = performance.now();
    const over = (failure: SignerErrorCode | null): void =>
      signerCalls.publish({ method, durationMs: performance.now() - startedMs, failure } satisfies SignerCall);
    try {
      const result = await this.#send(method, params);
      over(null);
      return result;
    } catch (error) {
      over(error instanceof SignerError && error.code !== 'DENIED' ? error.code : null);
      throw error;
    }
  }

  #send(method: string, params: object): Promise<unknown> {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const id = this.#nextId;
    this.#nextId += 1;
    const timer = setTimeout(() => {
      this.#pending.delete(id);
      reject(new SignerError('TIMEOUT', `${method}: the signer did not answer within ${this.#timeoutMs} ms`));
    }, this.#timeoutMs);
    this.#pending.set(id, { resolve, reject, timer });
    const line = JSON.stringify({ id, token: this.#token, method, params });
    this.#connected().write(`${line}\n`);
    return promise;
  }

  #connected(): Socket {
    if (this.#socket !== null) return this.#socket;
    const socket = this.#connect();
    this.#socket = socket;
    let failure: unknown = null;
    socket.on('error', (error) => {
      failure = error;
    });
    socket.on('close', () => {
      if (this.#socket === socket) this.#dropped(failure);
    });
    socket.on('data', (chunk: Buffer) => {
      try {
        this.#read(chunk);
      } catch (cause) {
        // Whatever talks there is no signer, or no longer: nothing that follows can be told apart.
        socket.destroy(new Error('the signer sent what is no reply', { cause }));
      }
    });
    return socket;
  }

  #read(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      const parts = [...this.#received, chunk.subarray(start, end)];
      const line = Buffer.concat(parts);
      this.#received = [];
      start = end + 1;
      this.#answered(line.toString('utf8'));
      // A reply may carry a private key: neither the line nor what it arrived in keeps it.
      line.fill(0);
      for (const part of parts) part.fill(0);
    }
    if (start === chunk.length) return;
    this.#received.push(chunk.subarray(start));
    if (this.#received.reduce((sum, part) => sum + part.length, 0) > REPLY_BYTES_MAX) throw new Error('it has no end');
  }

  #answered(text: string): void {
    const message = JSON.parse(text) as {
      id: number;
      result?: unknown;
      error?: { code: SignerErrorCode; message: string; denied?: SignerDenial };
    };
    const pending = this.#pending.get(message.id);
    if (pending === undefined) return;
    this.#pending.delete(message.id);
    clearTimeout(pending.timer);
    if (message.error === undefined) pending.resolve(message.result);
    else {
      const { code, message: reason, denied } = message.error;
      pending.reject(
        new SignerError(CANNOT_SIGN.has(code) ? 'UNREACHABLE' : code, reason, denied === undefined ? {} : { denied }),
      );
    }
  }

  #dropped(cause: unknown): void {
    this.#socket = null;
    this.#received = [];
    const lost = [...this.#pending.values()];
    this.#pending.clear();
    for (const { reject, timer } of lost) {
      clearTimeout(timer);
      reject(new SignerError('UNREACHABLE', 'the connection to the signer was lost', { cause }));
    }
  }

  close(): void {
    this.#socket?.destroy();
    this.#dropped(null);
  }
}
