import { useEffect, useState } from 'react';

/**
 * The whole window, and where the browser can the whole screen. The page as such becomes full screen, not the part: dialogs and
 * toasts live beside it and must stay visible.
 */
export function useFullScreen(): [boolean, (isFull: boolean) => void] {
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
    return () => {
      document.removeEventListener('keydown', onKey);
      document.removeEventListener('fullscreenchange', onLeft);
      document.body.style.overflow = overflow;
      if (document.fullscreenElement) void document.exitFullscreen().catch(() => {});
    };
  }, [isFull]);
  return [
    isFull,
    (wanted) => {
      setFull(wanted);
      // Phones refuse it; the window is enough there.
      if (wanted) void document.documentElement.requestFullscreen?.().catch(() => {});
    },
  ];
}
