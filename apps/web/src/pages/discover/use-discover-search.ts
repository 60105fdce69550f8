import { getRouteApi } from '@tanstack/react-router';
import { useCallback } from 'react';
import { readDiscoverSearch, searchOf } from '../../features/discover/discover-search.ts';
import type { DiscoverSearch, Filter, views } from '../../features/discover/discover-search.ts';

const route = getRouteApi('/discover');

/** What the address says to show, and how to change it. */
export function useDiscoverSearch() {
  // The router keeps values that no reader knows, as an old link may have them.
  const search = route.useSearch({ select: readDiscoverSearch, structuralSharing: true });
  const navigate = route.useNavigate();

  function show(change: DiscoverSearch): void {
    void navigate({ search: (old) => readDiscoverSearch({ ...old, ...change }), replace: true });
  }

  function showFilter(next: Filter): void {
    const { f = '', with: include = '', without: exclude = '' } = searchOf(next);
    show({ f, with: include, without: exclude });
  }

  function showView(next: (typeof views)[number]): void {
    void navigate({
      search: ({ view: _old, ...old }) => (next === 'columns' ? { ...old, view: next } : old),
      replace: true,
    });
  }

  const clearFilter = useCallback(
    () =>
      void navigate({
        search: (old) => readDiscoverSearch({ ...old, f: '', with: '', without: '' }),
        replace: true,
      }),
    [navigate],
  );
  return { search, show, showFilter, showView, clearFilter };
}
