import { requestKind } from './request-kind.ts';

/**
 * Where a notification opens its page: in the window that shows it already, else in one of the app, the last used first.
 * Null where none is open; a page with a document of its own cannot show another one.
 */
export function chooseWindow<Window extends { readonly url: string }>(
  lastUsedFirst: readonly Window[],
  path: string,
  origin: string,
): Window | null {
  const ofApp = lastUsedFirst.filter(
    ({ url }) => requestKind({ method: 'GET', mode: 'navigate', url }, origin) === 'page',
  );
  const wanted = new URL(path, origin);
  const addresses = ofApp.map(({ url }) => new URL(url));
  const same = addresses.findIndex(({ pathname, search }) => pathname + search === wanted.pathname + wanted.search);
  const near = addresses.findIndex(({ pathname }) => pathname === wanted.pathname);
  return ofApp[same] ?? ofApp[near] ?? ofApp[0] ?? null;
}
