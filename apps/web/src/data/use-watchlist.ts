import { useMemo } from 'react';
import { queryClient } from './query-client.ts';
import { session, useLoggedIn } from './session.ts';
import { apiKey, useApiMutation, useApiQuery } from './use-api-query.ts';

const KEY = apiKey('getMyWatchlist', {});

type Watchlist = { lists: string[] };

function setWatched(address: string, on: boolean): void {
  queryClient.setQueryData<Watchlist>(KEY, (known) => {
    const others = (known?.lists ?? []).filter((each) => each !== address);
    return { lists: on ? [address, ...others] : others };
  });
}

/** The tokens that the user watches. A star changes at once, and back where the server refuses. */
export function useWatchlist(): { watched: ReadonlySet<string>; watch: (address: string, watched: boolean) => void } {
  const loggedIn = useLoggedIn();
  const list = useApiQuery('getMyWatchlist', {}, { enabled: loggedIn, staleTimeMs: 60_000, quiet: true });
  const save = useApiMutation('watchToken', { refresh: ['getTokenDiscover', 'getMyFirstSteps'] });
  const lists = loggedIn ? list.data?.lists : undefined;
  const watched = useMemo(() => new Set(lists), [lists]);
  return {
    watched,
    watch: (address, on) => {
      const token = session.storedToken();
      setWatched(address, on);
      // Each star by itself: others may have been pressed since, and the page may have been left.
      save.mutateAsync({ tokenContractAddress: address, watched: on }).catch(() => {
        if (session.storedToken() === token) setWatched(address, !on);
      });
    },
  };
}
