import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import type { UseMutationResult, UseQueryResult } from '@tanstack/react-query';
import type { CallName, CallReply, CallRequest } from '@hunter/contract/calls';
import { api } from './api.ts';
import type { CallOptions } from './api.ts';
import { queryClient } from './query-client.ts';

type ApiQueryOptions = {
  enabled?: boolean;
  /** Poll. Failures of a poll are not toasted, the screen already shows the last answer. */
  refetchIntervalMs?: number;
  staleTimeMs?: number;
  /** Keeps the old rows while the next page or filter loads, so that nothing jumps. */
  keepPrevious?: boolean;
  /** No toast: the screen shows the failure itself. */
  quiet?: boolean;
};

/** The key under which the answer of a call is cached. */
export function apiKey<Name extends CallName>(name: Name, request?: CallRequest<Name>): readonly unknown[] {
  return request === undefined ? [name] : [name, request];
}

/** Whatever shows answers of these calls asks again. */
export async function refreshCalls(...calls: readonly CallName[]): Promise<void> {
  await Promise.all(calls.map((call) => queryClient.invalidateQueries({ queryKey: apiKey(call) })));
}

type AnyCall<Name extends CallName> = (
  name: Name,
  request: CallRequest<Name>,
  options: CallOptions,
) => Promise<CallReply<Name>>;

/** Reads a GET call through the query cache. */
export function useApiQuery<Name extends CallName>(
  name: Name,
  request: CallRequest<Name>,
  options: ApiQueryOptions = {},
): UseQueryResult<CallReply<Name>> {
  return useQuery<CallReply<Name>>(
    {
      queryKey: apiKey(name, request),
      queryFn: ({ signal }) => {
        const quiet = options.quiet ?? options.refetchIntervalMs !== undefined;
        return (api.call as AnyCall<Name>)(name, request, { signal, quiet });
      },
      ...(options.enabled === undefined ? {} : { enabled: options.enabled }),
      ...(options.refetchIntervalMs === undefined ? {} : { refetchInterval: options.refetchIntervalMs }),
      ...(options.staleTimeMs === undefined ? {} : { staleTime: options.staleTimeMs }),
      ...(options.keepPrevious ? { placeholderData: keepPreviousData } : {}),
    },
    queryClient,
  );
}

/** Acts through a POST call. On success the answers of the named calls are fetched again. */
export function useApiMutation<Name extends CallName>(
  name: Name,
  options: { refresh?: readonly CallName[]; quiet?: boolean } = {},
): UseMutationResult<CallReply<Name>, Error, CallRequest<Name>> {
  return useMutation<CallReply<Name>, Error, CallRequest<Name>>(
    {
      mutationFn: (request) => (api.call as AnyCall<Name>)(name, request, { quiet: options.quiet ?? false }),
      onSuccess: () => refreshCalls(...(options.refresh ?? [])),
    },
    queryClient,
  );
}
