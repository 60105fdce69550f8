import type { CallReply } from '@hunter/contract/calls';
import { useState } from 'react';
import { queryClient } from './query-client.ts';
import { useLoggedIn } from './session.ts';
import { apiKey, useApiMutation, useApiQuery } from './use-api-query.ts';

type Settings = Pick<CallReply<'getMySettings'>, 'slippageBps' | 'quietNotices'>;

/** One of the user's settings, kept on the server so that it holds on every device. A change counts at once. Visitors have none. */
export function useMySetting<Key extends keyof Settings>(key: Key) {
  const settings = useApiQuery('getMySettings', {}, { enabled: useLoggedIn(), staleTimeMs: 60_000, quiet: true });
  const { mutateAsync, isPending } = useApiMutation('saveMySettings');
  const [chosen, setChosen] = useState<Settings[Key] | null>(null);
  return {
    /** Null while it is not known. */
    value: chosen ?? settings.data?.[key] ?? null,
    saving: isPending,
    save: async (value: Settings[Key]): Promise<void> => {
      setChosen(value);
      try {
        queryClient.setQueryData(apiKey('getMySettings', {}), await mutateAsync({ [key]: value }));
      } finally {
        // Another may have been chosen since, which counts until it is saved, too.
        setChosen((now) => (now === value ? null : now));
      }
    },
  };
}
