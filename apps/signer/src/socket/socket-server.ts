import { hash, timingSafeEqual } from 'node:crypto';
import type { Server, Socket } from 'node:net';
import { Denied } from '../denial.ts';
import { createListener, type Endpoint, listenAt } from './endpoint.ts';
import type { Caller } from './methods.ts';
import { SignerError } from '../signer-error.ts';

// One JSON object a line in both directions, on a Unix socket of mode 0600, in a folder that few can enter, or over TLS. Requests of one
// connection are answered as they finish, matched by id.

const REQUEST_BYTES_MAX = 16 * 1024 * 1024;
const CONNECTIONS_MAX = 128;
/** With those that have shown no certificate yet. */
const CONNECTIONS_BEGUN_MAX = 1_000;

export type Handler = (caller: Caller, method: string, params: Record<string, unknown>) => Promise<unknown>;

export class SocketServer {
  readonly #handler: Handler;
  readonly #tokens: { digest: Buffer; caller: Caller }[] = [];
  readonly #endpoint: Endpoint;
  readonly #server: Server;
  /** The oldest first. */
  readonly #sockets = new Set<Socket>();
  readonly #kept = new WeakSet<Socket>();

  constructor(options: {
    handler: Handler;
    endpoint: Endpoint;
    /** With the certificates, for TLS. */
    folder: string;
    accessToken: string;
    operatorTokens: readonly string[];
    signerToken: string | null;
  }) {
    this.#handler = options.handler;
    this.#endpoint = options.endpoint;
    const { accessToken, operatorTokens, signerToken } = options;
    const know = (token: string, caller: Caller): void => void this.#tokens.push({ digest: digest(token), caller });
    for (const [index, token] of operatorTokens.entries()) know(token, { operator: index + 1, isSigner: false });
    if (signerToken !== null) know(signerToken, { operator: null, isSigner: true });
    // Without an operator token of its own there is one level only.
    know(accessToken, { operator: operatorTokens.length === 0 ? 1 : null, isSigner: false });
    this.#server = createListener(options.endpoint, options.folder, (socket) => this.#accept(socket));
    this.#server.maxConnections = CONNECTIONS_BEGUN_MAX;
  }

  listen(isShared: boolean): Promise<void> {
    return listenAt(this.#server, this.#endpoint, isShared);
  }

  async close(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#server.close(() => resolve());
    for (const socket of this.#sockets) socket.destroy();
    await promise;
  }

  #accept(socket: Socket): void {
    this.#makeRoom();
    this.#sockets.add(socket);
    let parts: Buffer[] = [];
    let length = 0;
    socket.on('error', () => socket.destroy());
    socket.on('close', () => this.#sockets.delete(socket));
    socket.on('data', (chunk: Buffer) => {
      let start = 0;
      for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
        parts.push(chunk.subarray(start, end));
        const line = parts.length === 1 ? parts[0]! : Buffer.concat(parts);
        const text = line.toString('utf8');
        // Passwords were in there; the copy in the socket's buffer goes now, the string when it is collected.
        line.fill(0);
        for (const part of parts) part.fill(0);
        parts = [];
        length = 0;
        start = end + 1;
        void this.#serve(socket, text);
      }
      const rest = chunk.subarray(start);
      length += rest.length;
      if (length > REQUEST_BYTES_MAX) {
        reply(socket, { id: null, error: { code: 'REQUEST_TOO_LARGE', message: 'the request is too large' } });
        socket.destroySoon();
        return;
      }
      if (rest.length > 0) parts.push(rest);
    });
  }

  /**
   * Whoever has taken a server over may open as many as he likes, and must not keep operators from the kill switch. Those of an operator,
   * and of the other signer, stay.
   */
  #makeRoom(): void {
    if (this.#sockets.size < CONNECTIONS_MAX) return;
    for (const socket of this.#sockets) {
      if (this.#kept.has(socket)) continue;
      this.#sockets.delete(socket);
      socket.destroy();
      return;
    }
  }

  async #serve(socket: Socket, text: string): Promise<void> {
    let id: unknown = null;
    try {
      const request = JSON.parse(text) as Record<string, unknown> | null;
      if (typeof request !== 'object' || request === null) throw new SignerError('INVALID_PARAMS', 'no object');
      id = readId(request.id);
      const caller = this.#authenticate(request.token);
      if (caller === null) {
        reply(socket, { id, error: { code: 'UNAUTHORISED', message: 'the token is wrong' } });
        socket.destroySoon();
        return;
      }
      if (caller.operator !== null || caller.isSigner) this.#kept.add(socket);
      const params = request.params;
      if (typeof request.method !== 'string' || typeof params !== 'object' || params === null) {
        throw new SignerError('INVALID_PARAMS', 'method and params are needed');
      }
      const result = await this.#handler(caller, request.method, params as Record<string, unknown>);
      reply(socket, { id, result });
    } catch (error) {
      reply(socket, { id, error: describe(error) });
    }
  }

  /** Digests have one length, so the comparison takes the same time for every wrong token. */
  #authenticate(token: unknown): Caller | null {
    if (typeof token !== 'string') return null;
    const given = digest(token);
    const matches = this.#tokens.filter((known) => timingSafeEqual(known.digest, given));
    return matches[0]?.caller ?? null;
  }
}

/** It goes out again as it came, before anybody has shown a token: what is nested deep enough could be read and not be written. */
function readId(value: unknown): number | string | null {
  return typeof value === 'number' || typeof value === 'string' ? value : null;
}

/** Errors of ours are told; anything else might carry what must not travel, so it is not. */
function describe(error: unknown): { code: string; message: string; denied?: unknown } {
  if (error instanceof Denied) return { code: 'DENIED', message: error.message, denied: error.denial };
  if (error instanceof SignerError) return { code: error.code, message: error.message };
  if (error instanceof SyntaxError) return { code: 'INVALID_PARAMS', message: 'the request is no JSON' };
  return { code: 'INTERNAL', message: 'the signer failed' };
}

/**
 * Bytes, because a long text is given to a socket in three times the memory it needs. Whoever asks and does not read is not heard until he
 * does: answers would pile up here until the memory ends, and with it this process.
 */
function reply(socket: Socket, message: object): void {
  if (socket.destroyed || socket.write(Buffer.from(`${JSON.stringify(message)}\n`)) || socket.isPaused()) return;
  socket.pause();
  socket.once('drain', () => socket.resume());
}

function digest(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}
