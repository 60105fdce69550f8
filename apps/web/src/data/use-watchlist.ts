import { useMemo } from 'react';
import { queryClient } from './query-client.ts';
import { useUser } from './session.ts';
import { apiKey, useApiMutation, useApiQuery } from './use-api-query.ts';

const KEY = apiKey('getMyWatchlist', {});

/** The tokens that the user watches. A star changes at once, and back where the server refuses. */
export function useWatchlist(): { watched: ReadonlySet<string>; watch: (address: string, watched: boolean) => void } {
  const loggedIn = useUser((user) => user !== null);
  const list = useApiQuery('getMyWatchlist', {}, { enabled: loggedIn, staleTimeMs: 60_000, quiet: true });
  const save = useApiMutation('watchToken', { refresh: ['getTokenDiscover'] });
  const lists = loggedIn ? list.data?.lists : undefined;
  const watched = useMemo(() => new Set(lists), [lists]);
  return {
    watched,
    watch: (address, on) => {
      const before = queryClient.getQueryData(KEY);
      const others = [...watched].filter((each) => each !== address);
      queryClient.setQueryData(KEY, { lists: on ? [address, ...others] : others });
      save.mutate(
        { tokenContractAddress: address, watched: on },
        {
          onSuccess: (reply) => queryClient.setQueryData(KEY, reply),
          onError: () => queryClient.setQueryData(KEY, before),
        },
      );
    },
  };
}
