import { useCallback, useSyncExternalStore } from 'react';

/** Whether a media query holds, for content that belongs to another place on other screens; looks alone are for CSS. */
export function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const media = matchMedia(query);
      media.addEventListener('change', listener);
      return () => media.removeEventListener('change', listener);
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => matchMedia(query).matches);
}
