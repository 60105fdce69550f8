// The cache of server answers. There is no provider: hooks are given this client explicitly, so that the query library
// loads with the first page that reads through it and not with the login page.
import { QueryClient } from '@tanstack/react-query';
import { session } from './session.ts';

/**
 * Calls show their own failure, so a query never retries behind the user's back: the screen offers a retry, and coming
 * back online fetches again. What is fresher than five seconds is not fetched again on every mount.
 */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { retry: false, staleTime: 5_000, gcTime: 300_000, refetchOnWindowFocus: false, networkMode: 'always' },
    mutations: { retry: false, networkMode: 'always' },
  },
});

// What one user has read must never be shown to the next one.
let tokenInUse = session.store.getState().user?.token;
session.store.subscribe(({ user }) => {
  if (user?.token === tokenInUse) return;
  tokenInUse = user?.token;
  queryClient.clear();
});
