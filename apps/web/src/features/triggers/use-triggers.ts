import { useCallback } from 'react';
import { queryClient } from '../../data/query-client.ts';
import { useLoggedIn } from '../../data/session.ts';
import { apiKey, refreshCalls, useApiQuery } from '../../data/use-api-query.ts';
import type { Trigger } from './trigger.ts';

const NONE: readonly Trigger[] = [];
/** More than a user may have open at once. */
const ALL = 100;

export function refreshTriggers(): void {
  void refreshCalls('getMyTriggers');
}

/** The user's triggers that may still fire, of one token or of all. */
export function useOpenTriggers(address?: string): readonly Trigger[] {
  const loggedIn = useLoggedIn();
  const query = useApiQuery(
    'getMyTriggers',
    { ...(address === undefined ? {} : { tokenContractAddress: address }), state: 'open', pageSize: ALL },
    { quiet: true, enabled: loggedIn },
  );
  return query.data?.lists ?? NONE;
}

/** One whose answer is known before the list is read again. */
export function useReplaceTrigger(): (trigger: Trigger) => void {
  return useCallback((trigger) => {
    queryClient.setQueriesData<{ lists?: Trigger[] }>({ queryKey: apiKey('getMyTriggers') }, (old) =>
      old?.lists ? { ...old, lists: old.lists.map((each) => (each.id === trigger.id ? trigger : each)) } : old,
    );
    refreshTriggers();
  }, []);
}
