import { useEffect } from 'react';
import { useT } from '../i18n/i18n.ts';

/** What the browser's tab says, for pages that are about one of many. */
export function usePageTitle(text: string): void {
  const t = useT();
  useEffect(() => {
    // The shell gives each page its general title, in an effect that may come after this one: at first, and in each language.
    const timer = setTimeout(() => {
      document.title = `${text} · ${t('shell.product')}`;
    });
    return () => clearTimeout(timer);
  }, [text, t]);
}
