// Which language a visitor gets: the first source that names a supported one wins.

export const languages = ['en', 'zh'] as const;
export type Language = (typeof languages)[number];
const FALLBACK_LANGUAGE: Language = 'en';

const LANGUAGE_QUERY = 'lng';
const LANGUAGE_COOKIE = 'i18next';
export const LANGUAGE_STORAGE_KEY = 'i18nextLng';

/** In the order of their right to decide. */
export type LanguageSources = {
  query: string | null;
  cookie: string | null;
  localStorage: string | null;
  sessionStorage: string | null;
  browser: readonly string[];
  html: string | null;
};

export function detectLanguage(sources: LanguageSources): Language {
  const candidates = [
    sources.query,
    sources.cookie,
    sources.localStorage,
    sources.sessionStorage,
    ...sources.browser,
    sources.html,
  ];
  for (const candidate of candidates) {
    const language = supportedLanguage(candidate);
    if (language) return language;
  }
  return FALLBACK_LANGUAGE;
}

/** `zh-CN`, `zh_TW` and `ZH` all mean zh. */
export function supportedLanguage(tag: string | null | undefined): Language | null {
  const primary = tag?.trim().toLowerCase().split(/[-_]/)[0];
  return languages.find((language) => language === primary) ?? null;
}

export function cookieValue(cookies: string, name: string): string | null {
  for (const pair of cookies.split(';')) {
    const [key, ...value] = pair.trim().split('=');
    if (key === name) return decodeURIComponentSafely(value.join('='));
  }
  return null;
}

function decodeURIComponentSafely(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Reads the sources of this browser. Storage throws where it is forbidden. */
export function readLanguageSources(): LanguageSources {
  const attempt = (read: () => string | null): string | null => {
    try {
      return read();
    } catch {
      return null;
    }
  };
  return {
    query: new URLSearchParams(location.search).get(LANGUAGE_QUERY),
    cookie: attempt(() => cookieValue(document.cookie, LANGUAGE_COOKIE)),
    localStorage: attempt(() => localStorage.getItem(LANGUAGE_STORAGE_KEY)),
    sessionStorage: attempt(() => sessionStorage.getItem(LANGUAGE_STORAGE_KEY)),
    browser: navigator.languages ?? [navigator.language],
    html: document.documentElement.lang || null,
  };
}
