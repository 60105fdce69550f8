// One request to the product API. Every request carries the timestamp `t` and, when there is one, the session's token
// in a header; every answer is an envelope whose data is returned when its code is 200.
import { ApiFailure, failureOutcome, loadRefusals } from './api-failure.ts';
import type { FailureKind, Language } from './api-failure.ts';
import { buildRequest } from './build-request.ts';
import type { Payload } from './build-request.ts';

export const REQUEST_TIMEOUT_MS = 15_000;
const SUCCESS_CODE = 200;

type HttpClientDeps = {
  fetch: (url: string, init: RequestInit) => Promise<Response>;
  nowMs: () => number;
  /** The stored token, read for each request so that a login in another tab counts at once. */
  token: () => string | null;
  language: () => Language;
  showError: (text: string) => void;
  /** The session has ended on the server. Receives the token that was refused. */
  onUnauthorized: (refusedToken: string | null) => void;
};

export type RequestOptions = {
  /** Only reject: no toast, no redirect. For calls about which the page does not care. */
  skipErrorHandling?: boolean;
  /** No toast, because the caller shows the failure itself. A session that has ended is still left. */
  quiet?: boolean;
  signal?: AbortSignal;
  headers?: Record<string, string>;
};

type HttpClient = {
  request: (method: 'GET' | 'POST', path: string, payload?: Payload, options?: RequestOptions) => Promise<unknown>;
};

export function createHttpClient(deps: HttpClientDeps): HttpClient {
  return {
    async request(method, path, payload = {}, options = {}) {
      const token = deps.token();
      try {
        return await send(deps, method, path, payload, token, options);
      } catch (error) {
        const failure = error instanceof ApiFailure ? error : new ApiFailure({ kind: 'setup' }, { cause: error });
        if (!options.skipErrorHandling) {
          const outcome = failureOutcome(failure.reason, deps.language());
          if (outcome.unauthorized) deps.onUnauthorized(token);
          else if (outcome.toast !== null && !options.quiet) deps.showError(outcome.toast);
        }
        throw failure;
      }
    },
  };
}

async function send(
  deps: HttpClientDeps,
  method: 'GET' | 'POST',
  path: string,
  payload: Payload,
  token: string | null,
  options: RequestOptions,
): Promise<unknown> {
  const { url, init } = buildRequest(method, path, payload, deps.nowMs(), token, {
    // Mails and refusals come in the language of the page, which need not be the browser's.
    'accept-language': deps.language(),
    ...options.headers,
  });
  const timeout = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
  const signal = options.signal ? AbortSignal.any([options.signal, timeout]) : timeout;
  let response: Response;
  let text: string;
  try {
    response = await deps.fetch(url, { ...init, signal });
    text = await response.text();
  } catch (error) {
    throw new ApiFailure({ kind: options.signal?.aborted ? 'aborted' : 'no-response' }, { cause: error });
  }
  const answer = readAnswer(response.status, text);
  if ('data' in answer) return answer.data;
  // Without it the server's own words are shown, which are in the page's language too.
  await loadRefusals().catch((error: unknown) => console.error('The texts of refusals did not load', error));
  throw new ApiFailure(answer.reason);
}

/** An HTTP error that carries an envelope is treated by its envelope. */
function readAnswer(status: number, text: string): { data: unknown } | { reason: FailureKind } {
  const envelope = parseEnvelope(text);
  if (envelope !== null) {
    if (envelope.code === SUCCESS_CODE) return { data: envelope.data };
    return { reason: { kind: 'envelope', ...envelope } };
  }
  return { reason: { kind: 'http', status } };
}

function parseEnvelope(text: string): { code: number; msg: string; data: unknown } | null {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof parsed !== 'object' || parsed === null) return null;
  const { code, msg, data } = parsed as Record<string, unknown>;
  if (typeof code !== 'number') return null;
  return { code, msg: typeof msg === 'string' ? msg : '', data };
}
