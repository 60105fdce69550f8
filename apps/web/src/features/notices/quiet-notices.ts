import { useState } from 'react';
import { queryClient } from '../../data/query-client.ts';
import { useUser } from '../../data/session.ts';
import { apiKey, useApiMutation, useApiQuery } from '../../data/use-api-query.ts';

/** Whether new notices stay silent. Kept on the server with the other settings, so that visitors have no such setting. */
export function useQuietNotices() {
  const loggedIn = useUser((user) => user !== null);
  const settings = useApiQuery('getMySettings', {}, { staleTimeMs: 60_000, quiet: true, enabled: loggedIn });
  const save = useApiMutation('saveMySettings');
  // What was chosen counts at once; the server's word follows.
  const [chosen, setChosen] = useState<boolean | null>(null);
  return {
    /** Silent until the setting is known. */
    quiet: chosen ?? settings.data?.quietNotices ?? true,
    known: settings.data !== undefined,
    setQuiet: async (quiet: boolean) => {
      setChosen(quiet);
      try {
        const saved = await save.mutateAsync({ quietNotices: quiet });
        queryClient.setQueryData(apiKey('getMySettings', {}), saved);
      } finally {
        setChosen(null);
      }
    },
  };
}
