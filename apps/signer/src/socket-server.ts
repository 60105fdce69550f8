import { createHash, timingSafeEqual } from 'node:crypto';
import { chmodSync, existsSync, unlinkSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { Denied } from './denial.ts';
import type { Caller } from './methods.ts';
import { SignerError } from './signer-error.ts';

// One JSON object a line in both directions, on a Unix socket of mode 0600, or in a folder that few can enter. Requests of one connection are answered as
// they finish, matched by id.

const REQUEST_BYTES_MAX = 16 * 1024 * 1024;
const CONNECTIONS_MAX = 32;

export type Handler = (caller: Caller, method: string, params: Record<string, unknown>) => Promise<unknown>;

export class SocketServer {
  readonly #handler: Handler;
  readonly #tokens: { digest: Buffer; operator: number | null }[];
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  constructor(options: { handler: Handler; accessToken: string; operatorTokens: readonly string[] }) {
    this.#handler = options.handler;
    // Without an operator token of its own there is one level only.
    const { accessToken, operatorTokens } = options;
    this.#tokens = [{ digest: digest(accessToken), operator: operatorTokens.length === 0 ? 1 : null }];
    for (const [index, token] of operatorTokens.entries()) {
      this.#tokens.push({ digest: digest(token), operator: index + 1 });
    }
    this.#server = createServer((socket) => this.#accept(socket));
    this.#server.maxConnections = CONNECTIONS_MAX;
  }

  async listen(path: string, isShared: boolean): Promise<void> {
    if (existsSync(path)) {
      if (await isAnswering(path)) throw new Error('another signer answers on this socket');
      unlinkSync(path);
    }
    const previousMask = process.umask(0o177);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#server.once('error', reject);
    this.#server.listen(path, resolve);
    await promise.finally(() => process.umask(previousMask));
    chmodSync(path, isShared ? 0o666 : 0o600);
  }

  async close(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#server.close(() => resolve());
    for (const socket of this.#sockets) socket.destroy();
    await promise;
  }

  #accept(socket: Socket): void {
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

  async #serve(socket: Socket, text: string): Promise<void> {
    let id: unknown = null;
    try {
      const request = JSON.parse(text) as Record<string, unknown> | null;
      if (typeof request !== 'object' || request === null) throw new SignerError('INVALID_PARAMS', 'no object');
      id = request.id ?? null;
      const caller = this.#authenticate(request.token);
      if (caller === null) {
        reply(socket, { id, error: { code: 'UNAUTHORISED', message: 'the token is wrong' } });
        socket.destroySoon();
        return;
      }
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
    return matches.length === 0
      ? null
      : { operator: matches.find((known) => known.operator !== null)?.operator ?? null };
  }
}

/** Errors of ours are told; anything else might carry what must not travel, so it is not. */
function describe(error: unknown): { code: string; message: string; denied?: unknown } {
  if (error instanceof Denied) return { code: 'DENIED', message: error.message, denied: error.denial };
  if (error instanceof SignerError) return { code: error.code, message: error.message };
  if (error instanceof SyntaxError) return { code: 'INVALID_PARAMS', message: 'the request is no JSON' };
  return { code: 'INTERNAL', message: 'the signer failed' };
}

function reply(socket: Socket, message: object): void {
  if (!socket.destroyed) socket.write(`${JSON.stringify(message)}\n`);
}

function digest(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

function isAnswering(path: string): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect(path);
  socket.on('connect', () => {
    socket.destroy();
    resolve(true);
  });
  socket.on('error', () => resolve(false));
  return promise;
}
