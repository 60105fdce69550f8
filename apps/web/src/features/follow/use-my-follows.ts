import { useUser } from '../../data/session.ts';
import { useStream } from '../../data/stream.ts';
import { useApiPages } from '../../data/use-api-pages.ts';
import type { ListPages } from '../../data/use-api-pages.ts';

/** The user's follows, the active ones first, fetched again when one of them changes. */
export function useMyFollows(): ListPages<'getMyFollows'> {
  const loggedIn = useUser((user) => user !== null);
  const follows = useApiPages('getMyFollows', { pageSize: 50 }, { refetchIntervalMs: 10_000 });
  useStream('follows', loggedIn ? 'me' : null, follows.retry, follows.retry);
  return follows;
}
