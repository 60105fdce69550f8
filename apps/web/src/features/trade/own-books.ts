import type { CallReply } from '@hunter/contract/calls';
import { useApiQuery } from '../../data/use-api-query.ts';

export type OwnBook = CallReply<'getMyTokenAmount'>['books'][number];

/** The user's books with what each holds of the token. Refreshed by the page when an order or a position changes. */
export function useOwnBooks(address: string) {
  return useApiQuery('getMyTokenAmount', { tokenContractAddress: address }, { refetchIntervalMs: 10_000, quiet: true });
}
