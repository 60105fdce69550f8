// Requests that the boot script sends while the app's code still loads. The API client takes an answer that is already on
// its way instead of asking again. The boot script is a bundle of its own, so both meet at one name of the window.
import { buildRequest } from '../data/build-request.ts';
import type { Payload } from '../data/build-request.ts';

type EarlyRequest = { token: string | null; sentAtMs: number; response: Promise<Response> };

/** Whoever asks later than this wants news, not what was true when the page was opened. */
export const EARLY_AGE_MAX_MS = 30_000;

const NAME = Symbol.for('hunter.early-requests');
type Place = { [NAME]?: Map<string, EarlyRequest> };

/** The address without its timestamp, which differs with every request. */
function keyOf(url: string): string {
  return url.replace(/[?&]t=\d+$/, '');
}

type EarlyDeps = {
  place: object;
  nowMs: () => number;
  fetch: (url: string, init: RequestInit) => Promise<Response>;
};

export function sendEarly(path: string, payload: Payload, token: string | null, deps: EarlyDeps): void {
  const place = deps.place as Place;
  const nowMs = deps.nowMs();
  const { url, init } = buildRequest('GET', path, payload, nowMs, token);
  const response = deps.fetch(url, init);
  // Whoever takes it hears of a failure; nobody may ever take it.
  response.catch(() => {});
  (place[NAME] ??= new Map()).set(keyOf(url), { token, sentAtMs: nowMs, response });
}

/** Each answer is taken once: the same question later deserves a new answer. Null where none is on its way. */
export function takeEarly(
  url: string,
  token: string | null,
  signal: AbortSignal | null | undefined,
  deps: Pick<EarlyDeps, 'place' | 'nowMs'>,
): Promise<Response> | null {
  const sent = (deps.place as Place)[NAME];
  const key = keyOf(url);
  const found = sent?.get(key);
  if (!sent || !found) return null;
  sent.delete(key);
  if (found.token !== token || deps.nowMs() - found.sentAtMs > EARLY_AGE_MAX_MS) return null;
  if (!signal) return found.response;
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason as Error);
    if (signal.aborted) return abort();
    signal.addEventListener('abort', abort, { once: true });
    found.response.then(resolve, reject);
  });
}
