import { useEffect, useRef } from 'react';
import { useT } from '../i18n/i18n.ts';
import { Button } from './button.tsx';
import { asksWhenSeen } from './end-of-list.ts';

export type GrowingList = {
  hasMore: boolean;
  /** The rows still belong to filters that were chosen before. */
  stale: boolean;
  loadingMore: boolean;
  moreFailed: boolean;
  loadMore: () => void;
};

/** The end of a list that goes on: loads by itself when it comes into view, and by its button for those who do not scroll. */
export function LoadMore({ list }: { list: GrowingList }) {
  const { loadingMore: loading, moreFailed: failed, loadMore } = list;
  const hasMore = list.hasMore && !list.stale;
  const t = useT();
  const place = useRef<HTMLDivElement>(null);
  const latest = useRef(loadMore);
  useEffect(() => {
    latest.current = loadMore;
  });
  // Off while a page loads and on again after it, because the place may still be in view then.
  const watching = asksWhenSeen({ hasMore, loading, failed });
  useEffect(() => {
    const element = place.current;
    if (!element || !watching) return undefined;
    const seen = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) latest.current();
      },
      { rootMargin: '300px' },
    );
    seen.observe(element);
    return () => seen.disconnect();
  }, [watching]);
  if (!hasMore) return null;
  return (
    <div ref={place} className="flex flex-wrap items-center justify-center gap-3 p-4">
      {failed && (
        <p role="status" className="text-sm text-muted">
          {t('ui.moreFailed')}
        </p>
      )}
      <Button tone="ghost" size="s" pending={loading} onClick={loadMore}>
        {t(failed ? 'ui.retry' : 'ui.more')}
      </Button>
    </div>
  );
}
