// What the page at an address needs first: its code and texts, and the answers it will ask the server for.
import { discoverRequest, readDiscoverSearch } from '../features/discover/discover-search.ts';
import type { Language } from '../i18n/detect-language.ts';
import { readSquareSearch, squareRequest } from '../pages/strategies/square-search.ts';
import { routeTable } from '../route-table.ts';
import { HOME_PATH } from '../safe-redirect.ts';

/** Each file once, and by the route's path which of them are its code and its texts; most files belong to many pages. */
export type PageChunks = {
  files: readonly string[];
  pages: Readonly<Record<string, { code: readonly number[] } & Readonly<Record<Language, readonly number[]>>>>;
};

type PageStart = { route: string; params: readonly string[] };

const LOGIN_PATH = '/login';

/** The page that will be shown: home and, without a session, the closed ones lead elsewhere. Null for unknown addresses. */
export function pageAt(pathname: string, loggedIn: boolean): PageStart | null {
  const path = pathname === '/' ? HOME_PATH : pathname.replace(/\/$/, '');
  for (const [route, { requiresAuth }] of Object.entries(routeTable)) {
    const params = matched(route, path);
    if (params === null) continue;
    return loggedIn || !requiresAuth ? { route, params } : { route: LOGIN_PATH, params: [] };
  }
  return null;
}

function matched(route: string, path: string): readonly string[] | null {
  const pattern = route.split('/');
  const parts = path.split('/');
  if (pattern.length !== parts.length) return null;
  const params: string[] = [];
  for (const [index, wanted] of pattern.entries()) {
    const part = parts[index] ?? '';
    if (wanted.startsWith('$')) params.push(part);
    else if (wanted !== part) return null;
  }
  return params;
}

export function chunksOf({ files, pages }: PageChunks, page: PageStart | null, language: Language): readonly string[] {
  const wanted = page && pages[page.route];
  return wanted ? [...wanted.code, ...wanted[language]].flatMap((index) => files[index] ?? []) : [];
}

type EarlyQuestion = { path: string; request: Readonly<Record<string, string | number | undefined>> };

/** The same requests as the app will make; one that differs would only be asked in vain. */
export function questionsOf(page: PageStart | null, search: string, loggedIn: boolean): readonly EarlyQuestion[] {
  const questions: EarlyQuestion[] = [{ path: '/api/config', request: {} }];
  const asked = () => Object.fromEntries(new URLSearchParams(search));
  if (page?.route === '/discover') {
    const chosen = readDiscoverSearch(asked());
    if (chosen.list === 'watchlist' && !loggedIn) return questions;
    questions.push({ path: '/api/token/getTokenDiscover', request: discoverRequest(chosen) });
  }
  if (!loggedIn || page === null) return questions;
  if (page.route === '/strategies') {
    const chosen = readSquareSearch(asked());
    questions.push({ path: '/api/strategy/getStrategyList', request: squareRequest(chosen) });
  } else if (page.route === '/token/$tokenAddress') {
    const request = { tokenContractAddress: page.params[0] ?? '' };
    questions.push({ path: '/api/token/getTokenBaseInfo', request });
  }
  return questions;
}
