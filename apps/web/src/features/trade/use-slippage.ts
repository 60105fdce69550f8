import { useState } from 'react';
import { useAppConfig } from '../../data/app-config.ts';
import { queryClient } from '../../data/query-client.ts';
import { useUser } from '../../data/session.ts';
import { apiKey, useApiMutation, useApiQuery } from '../../data/use-api-query.ts';

/** The user's slippage, kept on the server so that it holds on every device. A change counts at once. */
export function useSlippage(): {
  /** Null while the user's own is not known: then it is left to the server, which knows it. */
  bps: number | null;
  maxBps: number;
  save: (bps: number) => Promise<void>;
  saving: boolean;
} {
  const config = useAppConfig();
  const loggedIn = useUser((user) => user !== null);
  const settings = useApiQuery('getMySettings', {}, { enabled: loggedIn, staleTimeMs: 60_000, quiet: true });
  const saveSettings = useApiMutation('saveMySettings');
  const [chosen, setChosen] = useState<number | null>(null);
  return {
    bps: chosen ?? settings.data?.slippageBps ?? (loggedIn ? null : (config?.defaultSlippageBps ?? null)),
    maxBps: config?.maxSlippageBps ?? 5_000,
    saving: saveSettings.isPending,
    save: async (bps) => {
      setChosen(bps);
      try {
        const saved = await saveSettings.mutateAsync({ slippageBps: bps });
        queryClient.setQueryData(apiKey('getMySettings', {}), saved);
      } finally {
        // Another may have been chosen since, which counts until it is saved, too.
        setChosen((now) => (now === bps ? null : now));
      }
    },
  };
}
