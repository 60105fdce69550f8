// Runs before the first paint, as a classic script of its own (the content security policy forbids inline ones). Until then
// it only gives the document what its first paint depends on: every request costs the page milliseconds, and what arrives
// has to be parsed. Right after the paint it starts the app, and beside its code the code and texts of this address and the
// first answers of the server.
import { detectLanguage, readLanguageSources } from '../i18n/detect-language.ts';
import { chunksOf, questionsOf, pageAt } from './page-start.ts';
import type { FirstQuestions, PageChunks, RouteAccess } from './page-start.ts';
import { sendEarly } from './early-requests.ts';

/** Filled in by the build; empty in development. */
declare const PAGE_CHUNKS: PageChunks;
declare const FIRST_QUESTIONS: FirstQuestions;
declare const ROUTES: RouteAccess;
declare const ENTRY: string;

/** A tab that nobody sees is never painted. */
const PAINT_WAIT_MAX_MS = 1_000;

function stored(key: string): string | null {
  try {
    return localStorage.getItem(key) || null;
  } catch {
    return null;
  }
}

const { documentElement, head } = document;
const token = stored('token');
const loggedIn = token !== null && stored('rememberedEmail') !== null;
// Dark is the default, so only the other one needs a word before the first paint.
if (stored('theme') === 'light') documentElement.dataset['theme'] = 'light';
if (loggedIn) documentElement.dataset['session'] = '';
if (loggedIn && stored('guideOver') !== stored('rememberedEmail')) documentElement.dataset['guide'] = '';

function fetchAhead(files: readonly string[]): void {
  for (const file of files) {
    const link = document.createElement('link');
    link.rel = 'modulepreload';
    link.crossOrigin = '';
    link.href = `/assets/${file}`;
    head.append(link);
  }
}

/** The one list of what pages import; the app asks it too before it changes the page. */
function fetchPageAhead(route: string): void {
  fetchAhead(chunksOf(PAGE_CHUNKS, route, detectLanguage(readLanguageSources())));
}
globalThis.fetchPageAhead = fetchPageAhead;

/** What index.html names as the app's own code, without fetching it. */
const LATER = 'link[rel="later"]';

let isStarted = false;
function startApp(): void {
  if (isStarted) return;
  isStarted = true;
  const page = pageAt(ROUTES, location.pathname, loggedIn);
  for (const { path, request } of questionsOf(FIRST_QUESTIONS, page, location.search)) {
    sendEarly(path, request, token, {
      place: globalThis,
      nowMs: () => Date.now(),
      fetch: (url, init) => fetch(url, init),
    });
  }
  void import(/* @vite-ignore */ ENTRY);
  for (const link of document.querySelectorAll<HTMLLinkElement>(LATER)) link.rel = 'modulepreload';
  if (page) fetchPageAhead(page.route);
  if (loggedIn) fetchAhead(PAGE_CHUNKS.session.flatMap((index) => PAGE_CHUNKS.files[index] ?? []));
}

addEventListener('DOMContentLoaded', () => {
  requestAnimationFrame(() => setTimeout(startApp));
  setTimeout(startApp, PAINT_WAIT_MAX_MS);
});
