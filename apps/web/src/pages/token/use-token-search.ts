import { useNavigate, useSearch } from '@tanstack/react-router';
import { tokenSearch } from './token-search.ts';
import type { TokenSearch } from './token-search.ts';

/** What of the page stands in its address, and how to change it. */
export function useTokenSearch(): [TokenSearch, (change: TokenSearch) => void] {
  // Read again: the router hands on what the validation dropped.
  const search = tokenSearch(useSearch({ from: '/token/$tokenAddress' }));
  const navigate = useNavigate({ from: '/token/$tokenAddress' });
  const setSearch = (change: TokenSearch) =>
    void navigate({ search: (before: TokenSearch) => ({ ...before, ...change }), replace: true, resetScroll: false });
  return [search, setSearch];
}
