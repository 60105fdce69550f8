/** The node understood the call and refused it. `code` and `data` are the JSON-RPC error's own. */
export class RpcError extends Error {
  override readonly name = 'RpcError';
  readonly method: string;
  readonly code: number;
  readonly data: unknown;

  constructor(method: string, code: number, message: string, data: unknown) {
    super(`${method}: ${message} (${code})`);
    this.method = method;
    this.code = code;
    this.data = data;
  }
}

/**
 * No usable answer came: whether the call took effect is unknown. One is `garbled` that is no JSON-RPC answer at all, such as the page
 * of a proxy, and `malformed` where its result has another shape than it should.
 */
export class RpcTransportError extends Error {
  override readonly name = 'RpcTransportError';
  readonly kind: 'timeout' | 'connection' | 'http-status' | 'garbled' | 'malformed';
  readonly status: number | null;
  readonly retryAfterMs: number | null;

  constructor(
    kind: RpcTransportError['kind'],
    message: string,
    options: { status?: number; retryAfterMs?: number | null; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.kind = kind;
    this.status = options.status ?? null;
    this.retryAfterMs = options.retryAfterMs ?? null;
  }
}
