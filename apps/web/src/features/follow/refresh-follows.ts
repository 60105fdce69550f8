import { queryClient } from '../../data/query-client.ts';
import { apiKey, refreshCalls } from '../../data/use-api-query.ts';

/** Everything that a new, moved or ended follow changes is fetched again. */
export async function refreshFollows(slug: string): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: apiKey('getStrategyDetail', { slug }) }),
    refreshCalls(
      'getCopyReceipts',
      'getStrategyList',
      'getMyFollows',
      'getMyPositions',
      'getMyAccount',
      'getMyTradeRecord',
    ),
  ]);
}
