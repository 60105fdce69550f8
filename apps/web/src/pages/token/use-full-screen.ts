import { useEffect, useState } from 'react';
import type { RefObject } from 'react';

/**
 * The whole window, and where the browser can the whole screen. The page as such becomes full screen, not the part: dialogs and
 * toasts live beside it and must stay visible.
 */
export function useFullScreen(part: RefObject<HTMLElement | null>): [boolean, (isFull: boolean) => void] {
  const [isFull, setFull] = useState(false);
  useEffect(() => {
    if (!isFull) return undefined;
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && !event.defaultPrevented) setFull(false);
    };
    const onLeft = () => {
      if (!document.fullscreenElement) setFull(false);
    };
    document.addEventListener('keydown', onKey);
    document.addEventListener('fullscreenchange', onLeft);
    const { overflow } = document.body.style;
    document.body.style.overflow = 'hidden';
    const covered = coveredBy(part.current);
    for (const each of covered) each.inert = true;
    return () => {
      for (const each of covered) each.inert = false;
      document.removeEventListener('keydown', onKey);
      document.removeEventListener('fullscreenchange', onLeft);
      document.body.style.overflow = overflow;
      if (document.fullscreenElement) void document.exitFullscreen().catch(() => {});
    };
  }, [isFull, part]);
  return [
    isFull,
    (wanted) => {
      setFull(wanted);
      // Phones refuse it; the window is enough there.
      if (wanted) void document.documentElement.requestFullscreen?.().catch(() => {});
    },
  ];
}

/** What lies under the part takes neither focus nor keys: the rest of the page, header, menus and the guide, not toasts and dialogs. */
function coveredBy(part: HTMLElement | null): HTMLElement[] {
  const covered: HTMLElement[] = [];
  for (let at = part; at?.parentElement && at !== document.body; at = at.parentElement) {
    const beside = [...at.parentElement.children].filter((each) => each !== at);
    const isPage = at.tagName === 'MAIN';
    covered.push(
      ...(beside.filter((each) => !isPage || each.matches('header, nav, a, [data-floating]')) as HTMLElement[]),
    );
    if (isPage) break;
  }
  return covered;
}
