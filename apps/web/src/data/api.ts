// The product API as the rest of the app calls it: `api.call('getTokenList', { keyword })`, typed by the contract.
import type { CallName, CallReply, CallRequest } from '@hunter/contract/calls';
import { takeEarly } from '../boot/early-requests.ts';
import type { Language } from './api-failure.ts';
import { callTable } from './call-table.ts';
import { createHttpClient } from './http-client.ts';
import type { RequestOptions } from './http-client.ts';
import { randomKey } from './random-key.ts';
import { session } from './session.ts';

/** What the API client asks of the parts above it. Wired once in main.tsx, so that data/ depends on no screen. */
type ApiHost = {
  language: () => Language;
  showError: (text: string) => void;
  /** `why` where the server said it: a word of its list, or nothing. */
  onUnauthorized: (why: string) => void;
};

let host: ApiHost | null = null;

export function connectApi(deps: ApiHost): void {
  host = deps;
}

const early = { place: globalThis, nowMs: () => Date.now() };
const http = createHttpClient({
  fetch: (url, init) =>
    (init.method === 'GET' && takeEarly(url, session.storedToken(), init.signal, early)) || globalThis.fetch(url, init),
  nowMs: () => Date.now(),
  token: () => session.storedToken(),
  language: () => host?.language() ?? 'en',
  showError: (text) => host?.showError(text),
  onUnauthorized: (token) => leaveSession(token),
});

/** The server has ended the session of this token: it is forgotten, and the login page comes. */
export function leaveSession(refusedToken: string | null, why = ''): void {
  // Several calls in flight are refused together, and a late one may belong to a session that is already replaced.
  if (session.storedToken() !== refusedToken) return;
  session.clear();
  host?.onUnauthorized(why);
}

export type CallOptions = Omit<RequestOptions, 'headers'> & {
  /** For money calls: give the same key again to repeat an attempt whose answer was lost. A new one by default. */
  idempotencyKey?: string;
};

type EmptyAllowed<Request> = Record<never, never> extends Request ? true : false;
type CallArguments<Name extends CallName> =
  EmptyAllowed<CallRequest<Name>> extends true
    ? [request?: CallRequest<Name>, options?: CallOptions]
    : [request: CallRequest<Name>, options?: CallOptions];

export const api = {
  async call<Name extends CallName>(name: Name, ...[request, options]: CallArguments<Name>): Promise<CallReply<Name>> {
    const { method, path, money } = callTable[name];
    const { idempotencyKey, ...rest } = options ?? {};
    const headers = money ? { 'idempotency-key': idempotencyKey ?? randomKey() } : undefined;
    const data = await http.request(method, path, request, headers ? { ...rest, headers } : rest);
    return data as CallReply<Name>;
  },
};
