import { Agent as HttpAgent, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { RpcError, RpcTransportError } from './rpc-error.ts';
import { parseRpcJson } from './rpc-json.ts';

export type RpcCall = { method: string; params: readonly unknown[] };
export type RpcOutcome = { ok: true; result: unknown } | { ok: false; error: RpcError };

const REPLY_BYTES_MAX = 256 * 1024 * 1024;

/**
 * JSON-RPC over HTTP with connections kept alive. It never retries: whether a call may be repeated is
 * for the caller to know.
 */
export class RpcTransport {
  readonly #url: URL;
  readonly #agent: HttpAgent | HttpsAgent;
  readonly #timeoutMs: number;
  readonly #batchMax: number;
  #nextId = 1;

  constructor(options: { url: string; timeoutMs?: number; batchMax?: number }) {
    this.#url = new URL(options.url);
    const agentOptions = { keepAlive: true, maxSockets: 32, scheduling: 'lifo' as const };
    this.#agent = this.#url.protocol === 'https:' ? new HttpsAgent(agentOptions) : new HttpAgent(agentOptions);
    this.#timeoutMs = options.timeoutMs ?? 10_000;
    this.#batchMax = options.batchMax ?? 100;
  }

  async call(method: string, params: readonly unknown[]): Promise<unknown> {
    const id = this.#id();
    const reply = await this.#post(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    const outcome = readOutcome(method, reply);
    if (!outcome.ok) throw outcome.error;
    return outcome.result;
  }

  /** One outcome per call in the calls' order; a refusal of one leaves the others standing. */
  async batch(calls: readonly RpcCall[]): Promise<RpcOutcome[]> {
    const chunks: RpcCall[][] = [];
    for (let start = 0; start < calls.length; start += this.#batchMax) {
      chunks.push(calls.slice(start, start + this.#batchMax));
    }
    const outcomes = await Promise.all(chunks.map((chunk) => this.#batchOnce(chunk)));
    return outcomes.flat();
  }

  close(): void {
    this.#agent.destroy();
  }

  #id(): string {
    const id = String(this.#nextId);
    this.#nextId += 1;
    return id;
  }

  async #batchOnce(calls: readonly RpcCall[]): Promise<RpcOutcome[]> {
    const requests = calls.map((call) => ({ jsonrpc: '2.0', id: this.#id(), ...call }));
    const replies = await this.#post(JSON.stringify(requests));
    if (!Array.isArray(replies)) {
      // A node that refuses the batch as a whole answers with one error object.
      const outcome = readOutcome('batch', replies);
      if (!outcome.ok) throw outcome.error;
      throw new RpcTransportError('garbled', 'a batch was answered with a single result');
    }
    const byId = new Map<string, unknown>();
    for (const reply of replies as unknown[]) {
      if (isRecord(reply)) byId.set(String(reply.id), reply);
    }
    return requests.map((request) => {
      const reply = byId.get(request.id);
      if (reply === undefined) throw new RpcTransportError('garbled', `no reply to ${request.method} in the batch`);
      return readOutcome(request.method, reply);
    });
  }

  #post(body: string): Promise<unknown> {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const send = this.#url.protocol === 'https:' ? httpsRequest : httpRequest;
    const request = send(this.#url, {
      method: 'POST',
      agent: this.#agent,
      headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
    });
    const timer = setTimeout(() => {
      reject(new RpcTransportError('timeout', `no answer within ${this.#timeoutMs} ms`));
      request.destroy();
    }, this.#timeoutMs);
    const fail = (cause: unknown): void => {
      reject(new RpcTransportError('connection', 'the connection to the node failed', { cause }));
    };
    request.on('error', fail);
    request.on('response', (response) => {
      const chunks: Buffer[] = [];
      let length = 0;
      response.on('error', fail);
      response.on('data', (chunk: Buffer) => {
        length += chunk.length;
        if (length > REPLY_BYTES_MAX) {
          request.destroy(new Error('the reply is too long'));
          return;
        }
        chunks.push(chunk);
      });
      response.on('end', () => {
        try {
          resolve(readBody(response.statusCode ?? 0, response.headers['retry-after'], Buffer.concat(chunks)));
        } catch (error) {
          reject(error);
        }
      });
    });
    request.end(body);
    return promise.finally(() => clearTimeout(timer));
  }
}

function readBody(status: number, retryAfter: string | undefined, body: Buffer): unknown {
  const text = body.toString('utf8');
  let parsed: unknown;
  try {
    parsed = parseRpcJson(text);
  } catch (cause) {
    if (status === 200) throw new RpcTransportError('garbled', 'the reply is no JSON', { cause });
  }
  // Some nodes set an HTTP status beside a proper JSON-RPC error, which says more than the status does.
  const hasRpcBody = Array.isArray(parsed) || (isRecord(parsed) && ('result' in parsed || isRecord(parsed.error)));
  if (hasRpcBody && status !== 429) return parsed;
  if (status !== 200) {
    const seconds = Number(retryAfter);
    const retryAfterMs = retryAfter !== undefined && Number.isFinite(seconds) ? seconds * 1000 : null;
    throw new RpcTransportError('http-status', `HTTP ${status}`, { status, retryAfterMs });
  }
  return parsed;
}

function readOutcome(method: string, reply: unknown): RpcOutcome {
  if (!isRecord(reply)) throw new RpcTransportError('garbled', `${method}: the reply is no object`);
  if (isRecord(reply.error)) {
    const { code, message, data } = reply.error;
    return { ok: false, error: new RpcError(method, Number(code), String(message), data) };
  }
  if (!('result' in reply)) throw new RpcTransportError('garbled', `${method}: neither result nor error`);
  return { ok: true, result: reply.result };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
