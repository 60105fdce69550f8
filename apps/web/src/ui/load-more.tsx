import { useEffect, useRef } from 'react';
import { useT } from '../i18n/i18n.ts';
import { Button } from './button.tsx';

/** The end of a list that goes on: loads by itself when it comes into view, and by its button for those who do not scroll. */
export function LoadMore({ hasMore, loading, onMore }: { hasMore: boolean; loading: boolean; onMore: () => void }) {
  const t = useT();
  const place = useRef<HTMLDivElement>(null);
  const latest = useRef(onMore);
  useEffect(() => {
    latest.current = onMore;
  });
  useEffect(() => {
    const element = place.current;
    if (!element || !hasMore) return undefined;
    const seen = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) latest.current();
      },
      { rootMargin: '300px' },
    );
    seen.observe(element);
    return () => seen.disconnect();
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- after each page the place may still be in view.
  }, [hasMore, loading]);
  if (!hasMore) return null;
  return (
    <div ref={place} className="flex justify-center p-4">
      <Button tone="ghost" size="s" pending={loading} onClick={onMore}>
        {t('ui.more')}
      </Button>
    </div>
  );
}
