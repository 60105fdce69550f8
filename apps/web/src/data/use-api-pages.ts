import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import type { CallName, CallReply, CallRequest } from '@hunter/contract/calls';
import { useState } from 'react';
import { api } from './api.ts';
import type { CallOptions } from './api.ts';
import { joinPages } from './join-pages.ts';
import type { RowKey } from './join-pages.ts';
import { queryClient } from './query-client.ts';

type Paged = { lists: readonly unknown[]; total: number; pageNo: number; pageSize: number };
type Cursored = { lists: readonly unknown[]; nextCursor: string | null };

/** The calls whose answers come in pages, by number or by cursor. */
type PagedCall = {
  [Name in CallName]: CallReply<Name> extends Paged | Cursored ? Name : never;
}[CallName];

type Row<Name extends PagedCall> = CallReply<Name>['lists'][number];

export type ListPages<Name extends PagedCall> = {
  rows: readonly Row<Name>[];
  /** The first answer, for what comes with it beside the rows. */
  first: CallReply<Name> | undefined;
  /** Null where the list grows while it is read and nobody counts it. */
  total: number | null;
  /** The first page of these filters is on its way. */
  loading: boolean;
  /** Other filters were chosen and the rows still belong to the old ones. */
  stale: boolean;
  error: Error | null;
  hasMore: boolean;
  loadingMore: boolean;
  /** The next page was asked for and did not come. */
  moreFailed: boolean;
  loadMore: () => void;
  retry: () => void;
};

type AnyCall<Name extends CallName> = (name: Name, request: object, options: CallOptions) => Promise<CallReply<Name>>;
type PageParam = number | string | undefined;

/** A list that is read page by page and shown as one. */
export function useApiPages<Name extends PagedCall>(
  name: Name,
  request: Omit<CallRequest<Name>, 'pageNo' | 'cursor'>,
  options: {
    refetchIntervalMs?: number;
    quiet?: boolean;
    /** For rows that have no `id`. */
    rowKey?: RowKey<Row<Name>>;
  } = {},
): ListPages<Name> {
  const query = useInfiniteQuery(
    {
      queryKey: [name, 'pages', request],
      initialPageParam: undefined as PageParam,
      queryFn: ({ pageParam, signal }) => {
        const place =
          typeof pageParam === 'number' ? { pageNo: pageParam } : pageParam === undefined ? {} : { cursor: pageParam };
        const quiet = options.quiet ?? options.refetchIntervalMs !== undefined;
        return (api.call as AnyCall<Name>)(name, { ...request, ...place }, { signal, quiet });
      },
      getNextPageParam: (last): PageParam => {
        const reply = last as Paged | Cursored;
        if ('nextCursor' in reply) return reply.nextCursor ?? undefined;
        return reply.pageNo * reply.pageSize < reply.total ? reply.pageNo + 1 : undefined;
      },
      placeholderData: keepPreviousData,
      ...(options.refetchIntervalMs === undefined ? {} : { refetchInterval: options.refetchIntervalMs }),
    },
    queryClient,
  );
  const pages = query.data?.pages ?? [];
  const last = pages.at(-1) as Paged | Cursored | undefined;
  // Kept beside the query, whose own flag goes with the next poll: the end of the list would then ask again by itself.
  const [failedAt, setFailedAt] = useState<string | null>(null);
  const end = JSON.stringify([request, pages.length]);
  return {
    rows: joinPages(pages as readonly { lists: readonly Row<Name>[] }[], options.rowKey),
    first: pages[0],
    total: last && 'total' in last ? last.total : null,
    loading: query.isPending,
    stale: query.isPlaceholderData,
    error: query.data === undefined ? query.error : null,
    hasMore: query.hasNextPage,
    loadingMore: query.isFetchingNextPage,
    moreFailed: query.isFetchNextPageError || failedAt === end,
    loadMore: () => {
      if (!query.hasNextPage || query.isFetchingNextPage) return;
      void query.fetchNextPage().then((next) => setFailedAt(next.isFetchNextPageError ? end : null));
    },
    retry: () => void query.refetch(),
  };
}
