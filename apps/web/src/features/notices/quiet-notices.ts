import { queryClient } from '../../data/query-client.ts';
import { apiKey, useApiMutation, useApiQuery } from '../../data/use-api-query.ts';

/** Whether new notices stay silent. Kept on the server with the other settings. */
export function useQuietNotices(enabled = true) {
  const settings = useApiQuery('getMySettings', {}, { staleTimeMs: 60_000, skipErrorHandling: true, enabled });
  const save = useApiMutation('saveMySettings');
  return {
    /** Silent until the setting is known. */
    quiet: settings.data?.quietNotices ?? true,
    known: settings.data !== undefined,
    setQuiet: async (quiet: boolean) => {
      const saved = await save.mutateAsync({ quietNotices: quiet });
      queryClient.setQueryData(apiKey('getMySettings', {}), saved);
    },
  };
}
