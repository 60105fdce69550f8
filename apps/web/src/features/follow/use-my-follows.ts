import { useMyStream } from '../../data/stream.ts';
import { useApiPages } from '../../data/use-api-pages.ts';
import type { ListPages } from '../../data/use-api-pages.ts';

/** The user's follows, the active ones first, fetched again when one of them changes. */
export function useMyFollows(): ListPages<'getMyFollows'> {
  const follows = useApiPages('getMyFollows', { pageSize: 50 }, { refetchIntervalMs: 10_000 });
  useMyStream('follows', follows.retry, follows.retry);
  return follows;
}
