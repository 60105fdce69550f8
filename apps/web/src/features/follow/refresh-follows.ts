import type { CallName } from '@hunter/contract/calls';
import { queryClient } from '../../data/query-client.ts';
import { apiKey } from '../../data/use-api-query.ts';

const touched: readonly CallName[] = [
  'getStrategyList',
  'getMyFollows',
  'getMyPositions',
  'getMyAccount',
  'getMyTradeRecord',
];

/** Everything that a new, moved or ended follow changes is fetched again. */
export async function refreshFollows(slug: string): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: apiKey('getStrategyDetail', { slug }) }),
    queryClient.invalidateQueries({ queryKey: [...apiKey('getCopyReceipts')] }),
    ...touched.map((name) => queryClient.invalidateQueries({ queryKey: apiKey(name) })),
  ]);
}
