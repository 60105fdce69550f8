import { useMyStream } from '../../data/stream.ts';
import type { CallReply } from '@hunter/contract/calls';
import { queryClient } from '../../data/query-client.ts';
import { apiKey } from '../../data/use-api-query.ts';
import { refreshFollows } from './refresh-follows.ts';

/** Keeps a strategy's own follow current: progress is taken from the message, and what it changes is fetched again. */
export function useFollowChanges(slug: string): void {
  useMyStream(
    'follows',
    (change) => {
      if (change.slug !== slug) return;
      queryClient.setQueryData<CallReply<'getStrategyDetail'>>(apiKey('getStrategyDetail', { slug }), (old) =>
        old?.myFollow?.id === change.id
          ? { ...old, myFollow: { ...old.myFollow, status: change.status, progress: change.progress } }
          : old,
      );
      void refreshFollows(slug);
    },
    () => void refreshFollows(slug),
  );
}
