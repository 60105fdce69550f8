import type { ReactNode } from 'react';
import { ErrorState } from './error-state.tsx';
import { LoadMore } from './load-more.tsx';
import type { GrowingList } from './load-more.tsx';
import { Table } from './table.tsx';
import type { Column } from './table.tsx';

export type PagedList<Row> = GrowingList & {
  rows: readonly Row[];
  loading: boolean;
  error: Error | null;
  retry: () => void;
};

/** A table of a list that is read page by page, or why the list could not be read. */
export function PagedTable<Row>({
  list,
  ...table
}: {
  label: string;
  list: PagedList<Row>;
  columns: readonly Column<Row>[];
  rowKey: (row: Row) => string;
  empty: ReactNode;
  rowHeight?: number;
}) {
  if (list.error) return <ErrorState error={list.error} onRetry={list.retry} />;
  return (
    <>
      <Table {...table} rows={list.stale ? [] : list.rows} loading={list.loading || list.stale} />
      <LoadMore list={list} />
    </>
  );
}
