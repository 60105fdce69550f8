type EndOfList = {
  hasMore: boolean;
  loading: boolean;
  /** The last page that was asked for did not come. */
  failed: boolean;
};

/**
 * Whether the end of a list asks for more as soon as it is seen. After a failure only the button asks: the end is still in
 * view, and would ask again in the same moment, without end.
 */
export function asksWhenSeen({ hasMore, loading, failed }: EndOfList): boolean {
  return hasMore && !loading && !failed;
}
