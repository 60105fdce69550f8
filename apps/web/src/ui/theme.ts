// Dark or light. Stored under the product's key `theme` and applied as data-theme on the document; src/boot/boot.ts
// applies it before the first paint.
import { useSyncExternalStore } from 'react';
import { browserStorage } from './browser-storage.ts';

export type Theme = 'dark' | 'light';
const THEME_KEY = 'theme';
const DEFAULT_THEME: Theme = 'dark';

const chromeColours: Record<Theme, string> = { dark: '#10131a', light: '#ffffff' };

const listeners = new Set<() => void>();
let current: Theme = DEFAULT_THEME;

export function themeFrom(stored: string | null): Theme {
  return stored === 'light' || stored === 'dark' ? stored : DEFAULT_THEME;
}

function apply(theme: Theme): void {
  current = theme;
  document.documentElement.dataset['theme'] = theme;
  document.querySelector('meta[name="theme-color"]')?.setAttribute('content', chromeColours[theme]);
  for (const listener of listeners) listener();
}

/** Called once at start; also follows a change made in another tab. */
export function startTheme(): void {
  apply(themeFrom(browserStorage.getItem(THEME_KEY)));
  addEventListener('storage', (event) => {
    if (event.key === THEME_KEY) apply(themeFrom(event.newValue));
  });
}

function setTheme(theme: Theme): void {
  browserStorage.setItem(THEME_KEY, theme);
  apply(theme);
}

export function toggleTheme(): void {
  setTheme(current === 'dark' ? 'light' : 'dark');
}

export function useTheme(): Theme {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => current,
  );
}
