import type { DiscoverList } from '@hunter/domain/market/discover';
import { useRef, useState } from 'react';
import { useStream } from '../../data/stream.ts';
import { useApiQuery } from '../../data/use-api-query.ts';
import { useCalmRows } from '../../features/discover/calm-order.ts';
import { discoverRequest } from '../../features/discover/discover-search.ts';
import type { DiscoverSearch } from '../../features/discover/discover-search.ts';
import type { DiscoverToken } from '../../features/discover/discover-token.ts';

const REFRESH_EVERY_MS = 15_000;
/** The market says that it changed every three seconds; prices come by themselves, and the rest is calmer this way. */
const REFRESH_PAUSE_MS = 5_000;
export const NO_ROWS: readonly DiscoverToken[] = [];

/** The rows of one list, in an order that keeps still while the pointer is over them. */
export function useListedTokens(search: DiscoverSearch, list: DiscoverList, enabled: boolean) {
  const request = discoverRequest(search, list);
  const query = useApiQuery('getTokenDiscover', request, {
    refetchIntervalMs: REFRESH_EVERY_MS,
    keepPrevious: true,
    quiet: true,
    enabled,
  });
  const refreshedAt = useRef(0);
  const refresh = () => {
    const now = performance.now();
    if (!enabled || document.hidden || now - refreshedAt.current < REFRESH_PAUSE_MS) return;
    refreshedAt.current = now;
    void query.refetch();
  };
  useStream('hot', 'all', refresh, refresh);
  const [held, setHeld] = useState(false);
  const view = JSON.stringify(request);
  const newest = query.data?.lists ?? NO_ROWS;
  const calm = useCalmRows(newest, `${view} ${query.isPlaceholderData}`, held);
  return {
    query,
    // Nothing at all means that the market is still being read, not that there is none.
    reading: query.data?.marketTokens === 0,
    ...calm,
    hold: {
      onPointerEnter: (event: React.PointerEvent) => event.pointerType === 'mouse' && setHeld(true),
      onPointerLeave: () => setHeld(false),
    },
  };
}
