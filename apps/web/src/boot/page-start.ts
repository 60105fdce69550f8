// What the page at an address needs first: its code and texts, and the answers it will ask the server for.
import type { Language } from '../i18n/detect-language.ts';
import { HOME_PATH } from '../safe-redirect.ts';

/** Each file once, and by the route's path which of them are its code and its texts; most files belong to many pages. */
export type PageChunks = {
  files: readonly string[];
  /** What the header of somebody logged in needs besides. */
  session: readonly number[];
  pages: Readonly<Record<string, { code: readonly number[] } & Readonly<Record<Language, readonly number[]>>>>;
};

declare global {
  /** Set by the boot script of a built app; in development nothing is fetched ahead. */
  var fetchPageAhead: ((route: string) => void) | undefined;
}

/** What the boot script needs to know of the route table. */
export type RouteAccess = Readonly<Record<string, { requiresAuth: boolean }>>;

type PageStart = { route: string; params: readonly string[] };

const LOGIN_PATH = '/login';

/** The page that will be shown: home and, without a session, the closed ones lead elsewhere. Null for unknown addresses. */
export function pageAt(routes: RouteAccess, pathname: string, loggedIn: boolean): PageStart | null {
  const path = pathname === '/' ? HOME_PATH : pathname.replace(/\/$/, '');
  for (const [route, { requiresAuth }] of Object.entries(routes)) {
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

export function chunksOf({ files, pages }: PageChunks, route: string, language: Language): readonly string[] {
  const wanted = pages[route];
  return wanted ? [...wanted.code, ...wanted[language]].flatMap((index) => files[index] ?? []) : [];
}

export type EarlyQuestion = { path: string; request: Readonly<Record<string, string | number | undefined>> };
/** What a page asks when nothing is chosen in its address, by route. */
export type FirstQuestions = Readonly<Record<string, EarlyQuestion>>;

/**
 * The same requests as the app will make; one that differs would only be asked in vain. A view chosen in the address is
 * left to the page itself, whose code alone can read it.
 */
export function questionsOf(first: FirstQuestions, page: PageStart | null, search: string): readonly EarlyQuestion[] {
  const questions: EarlyQuestion[] = [{ path: '/api/config', request: {} }];
  const asked = page && search === '' ? first[page.route] : undefined;
  if (asked) questions.push(asked);
  if (page?.route === '/token/$tokenAddress') {
    const request = { tokenContractAddress: page.params[0] ?? '' };
    questions.push({ path: '/api/token/getTokenBaseInfo', request });
  }
  return questions;
}
