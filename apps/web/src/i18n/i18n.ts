// Texts of the interface. A small library of our own: it is typed by the catalogue, loads areas with their pages and
// costs a twentieth of the bytes of a general one.
import { useSyncExternalStore } from 'react';
import { loadArea } from './areas.ts';
import type { Area, TextKey } from './areas.ts';
import { detectLanguage, LANGUAGE_STORAGE_KEY, readLanguageSources, supportedLanguage } from './detect-language.ts';
import type { Language } from './detect-language.ts';
import { lookUp, render } from './messages.ts';
import type { Messages, TextParams } from './messages.ts';
import { FIRST_AREAS } from '../page-table.ts';
import { browserStorage } from '../ui/browser-storage.ts';

export type Translate = (key: TextKey, params?: TextParams) => string;
/** What a component renders by: a new object for each language, so that memoised children notice a change. */
export type I18n = { language: Language; t: Translate };

const loaded: Record<Language, Map<Area, Messages>> = { en: new Map(), zh: new Map() };
const wanted = new Set<Area>();
const listeners = new Set<() => void>();
let current: I18n = bind(detectLanguage(readLanguageSources()));

function bind(language: Language): I18n {
  return {
    language,
    t(key, params) {
      const [area, ...path] = key.split('.') as [Area, ...string[]];
      const entry = lookUp(loaded[language].get(area), path);
      return entry === null ? key : render(entry, params, language);
    },
  };
}

async function ensure(language: Language, areas: Iterable<Area>): Promise<void> {
  const missing = [...areas].filter((area) => !loaded[language].has(area));
  const messages = await Promise.all(missing.map((area) => loadArea(language, area)));
  missing.forEach((area, index) => loaded[language].set(area, messages[index] as Messages));
}

/** Loads areas for the present language, and keeps them complete when the language changes. */
export async function loadAreas(areas: readonly Area[]): Promise<void> {
  for (const area of areas) wanted.add(area);
  await ensure(current.language, areas);
}

/** The old language stays until every text of the new one is there, so nothing flickers. */
export async function setLanguage(language: Language): Promise<void> {
  await ensure(language, wanted);
  browserStorage.setItem(LANGUAGE_STORAGE_KEY, language);
  apply(language);
}

function apply(language: Language): void {
  if (language === current.language) return;
  current = bind(language);
  applyToDocument(language);
  for (const listener of listeners) listener();
}

/** Remembers the detected language, tells the document and loads what every page shows; awaited before the first render. */
export async function startI18n(): Promise<void> {
  browserStorage.setItem(LANGUAGE_STORAGE_KEY, current.language);
  applyToDocument(current.language);
  addEventListener('storage', (event) => {
    if (event.key === LANGUAGE_STORAGE_KEY) void followStored();
  });
  await loadAreas(FIRST_AREAS);
}

/** Another tab has changed the language, perhaps once more while its texts were loaded here. */
async function followStored(): Promise<void> {
  const stored = () => supportedLanguage(browserStorage.getItem(LANGUAGE_STORAGE_KEY));
  const language = stored();
  if (!language) return;
  await ensure(language, wanted);
  if (stored() === language) apply(language);
}

function applyToDocument(language: Language): void {
  document.documentElement.lang = language === 'zh' ? 'zh-CN' : 'en';
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** For code outside components; read it when the text is needed, never at import. */
export const i18n = {
  t: ((key, params) => current.t(key, params)) as Translate,
  language: (): Language => current.language,
  subscribe,
};

export function useI18n(): I18n {
  return useSyncExternalStore(subscribe, () => current);
}

export function useT(): Translate {
  return useI18n().t;
}
